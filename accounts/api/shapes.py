"""How people, clubs and notices are written down."""

from rest_framework import serializers

from accounts import audit, notices, people
from accounts.models import Admission, AuditEntry, Club, JoinRequest, Notice, Role, Scope, User
from accounts.models.notice import Mail
from accounts.rest.fields import Flag, ModelTerms, PersonShape, Terms, Text, Whole


class TokenShape(serializers.Serializer):
    """A token, without its secret."""

    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How its secret begins.")
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the hour.")


class ClubShape(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    city = serializers.CharField()
    time_zone = serializers.CharField()
    admission = serializers.ChoiceField(Admission.choices)
    description = serializers.CharField(help_text="Markdown.")
    members = serializers.IntegerField(source="size")
    founded_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class ClubTerms(ModelTerms):
    class Meta:
        model = Club
        fields = ["name", "city", "time_zone", "admission", "description"]


class ClubQuery(serializers.Serializer):
    q = serializers.CharField(required=False, max_length=80, help_text="Words of the name or the city.")
    mine = serializers.BooleanField(required=False, default=False, help_text="Only clubs that I am a member of.")


class MembershipShape(serializers.Serializer):
    person = PersonShape(source="user")
    role = serializers.ChoiceField(Role.choices)
    joined_at = serializers.DateTimeField()


class ClubOfShape(serializers.Serializer):
    """A club that somebody is a member of."""

    slug = serializers.CharField(source="club.slug")
    name = serializers.CharField(source="club.name")
    role = serializers.ChoiceField(Role.choices)
    joined_at = serializers.DateTimeField()


class ProfileShape(PersonShape):
    """What everybody sees of a person."""

    joined_at = serializers.DateTimeField()
    clubs = ClubOfShape(many=True)


class MeShape(ProfileShape):
    """What a person sees of themselves."""

    email = serializers.CharField()
    display_name = serializers.CharField()
    language = serializers.CharField()
    time_zone = serializers.CharField()
    theme = serializers.CharField()
    notices_by_mail = serializers.BooleanField()
    unread = serializers.IntegerField(help_text="Notices not read yet.")


class SettingsTerms(ModelTerms):
    class Meta:
        model = User
        fields = list(people.SETTINGS)


class RoleTerms(Terms):
    role = serializers.ChoiceField([Role.ORGANISER, Role.MEMBER])


class HeirTerms(Terms):
    to = Text(max_length=30, help_text="The handle of a member.")


class LineShape(serializers.Serializer):
    """An entry of a log, in words."""

    id = serializers.IntegerField()
    action = serializers.CharField()
    at = serializers.DateTimeField()
    words = serializers.SerializerMethodField()

    def get_words(self, entry: AuditEntry) -> str:
        return audit.in_words([entry])[0].words


class RequestShape(serializers.Serializer):
    id = serializers.IntegerField()
    person = PersonShape(source="user")
    message = serializers.CharField()
    status = serializers.ChoiceField(JoinRequest.Status.choices)
    asked_at = serializers.DateTimeField()


class AskTerms(ModelTerms):
    class Meta:
        model = JoinRequest
        fields = ["message"]


class LetInTerms(Terms):
    let_in = Flag(help_text="True lets the person in, false declines.")


class InviteShape(serializers.Serializer):
    id = serializers.IntegerField()
    made_by = PersonShape()
    expires_at = serializers.DateTimeField()
    uses = serializers.IntegerField()
    max_uses = serializers.IntegerField()


class NewInviteShape(serializers.Serializer):
    """An invite and its secret, told this once."""

    invite = InviteShape()
    token = serializers.CharField()
    link = serializers.CharField(help_text="The page that lets its reader join.")


class InviteTerms(Terms):
    max_uses = Whole(min_value=1, max_value=500, default=1)
    days = Whole(min_value=1, max_value=90, default=7)


class JoinTerms(Terms):
    token = Text(max_length=100, help_text="The last part of an invite link.")


class NoticeShape(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    words = serializers.SerializerMethodField()
    path = serializers.CharField(help_text="The page it is about.")
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)

    def get_words(self, notice: Notice) -> str:
        return notices.words(notice)


class NoticeQuery(serializers.Serializer):
    unread = serializers.BooleanField(required=False, default=False, help_text="Only those not read yet.")


class CountShape(serializers.Serializer):
    count = serializers.IntegerField()


class ChoiceShape(serializers.Serializer):
    kind = serializers.CharField()
    bell = serializers.BooleanField()
    mail = serializers.ChoiceField(Mail.choices)


class ChoicesShape(serializers.Serializer):
    choices = ChoiceShape(many=True)


class ChoiceTerms(Terms):
    kind = Text(max_length=60)
    bell = Flag()
    mail = serializers.ChoiceField(Mail.choices)


class ChoicesTerms(Terms):
    choices = ChoiceTerms(many=True, max_length=200)  # type: ignore[call-arg]
