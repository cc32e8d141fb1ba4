"""Serializers for users, clubs and notices."""

from typing import Any

from rest_framework import serializers

from accounts import people
from accounts.api.fields import PersonSerializer
from accounts.infra.rest.fields import Flag, InputSerializer, ModelInput, Text, Whole
from accounts.models import (
    Admission,
    ChallengesFrom,
    Club,
    ClubColour,
    DirectMessage,
    Follow,
    JoinRequest,
    MessagesFrom,
    Notice,
    Role,
    Scope,
    User,
)
from accounts.models.acquaintance import MAX_MESSAGE_LENGTH
from accounts.models.notification import Mail
from accounts.notifications.devices import MAX_ENDPOINT
from accounts.notifications.devices import MAX_NAME as MAX_DEVICE_NAME
from accounts.notifications.registry import render


class TokenSerializer(serializers.Serializer[Any]):
    """A token, without its secret."""

    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How its secret begins.")
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the hour.")


class ClubSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    city = serializers.CharField()
    time_zone = serializers.CharField()
    admission = serializers.ChoiceField(Admission.choices)
    is_private = serializers.BooleanField(help_text="Only members see it, its leagues and its nights.")
    description = serializers.CharField(help_text="Markdown.")
    colour = serializers.ChoiceField(ClubColour.choices, help_text="Empty: chosen by the site.")
    picture = serializers.CharField(help_text="The address of its emblem; empty for a drawn one.")
    members = serializers.IntegerField(source="size")
    founded_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class ClubInput(ModelInput):
    class Meta:
        model = Club
        fields = ["name", "city", "time_zone", "admission", "is_private", "description", "colour"]


class PictureInput(InputSerializer):
    picture = Text(max_length=240_000, help_text="A PNG, JPEG or WebP in base64.")


class ClubQuery(serializers.Serializer[Any]):
    q = serializers.CharField(required=False, max_length=80, help_text="Words of the name or the city.")
    mine = serializers.BooleanField(required=False, default=False, help_text="Only clubs that I am a member of.")


class MembershipSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    role = serializers.ChoiceField(Role.choices)
    joined_at = serializers.DateTimeField()


class ClubOfSerializer(serializers.Serializer[Any]):
    """A club that somebody is a member of."""

    slug = serializers.CharField(source="club.slug")
    name = serializers.CharField(source="club.name")
    role = serializers.ChoiceField(Role.choices)
    joined_at = serializers.DateTimeField()


class ProfileSerializer(PersonSerializer):
    """What everybody sees of a person."""

    joined_at = serializers.DateTimeField()
    clubs = ClubOfSerializer(many=True)


class MeSerializer(ProfileSerializer):
    """What a person sees of themselves."""

    email = serializers.CharField()
    display_name = serializers.CharField()
    language = serializers.CharField()
    time_zone = serializers.CharField()
    theme = serializers.CharField()
    notices_by_mail = serializers.BooleanField()
    challenges_from = serializers.ChoiceField(ChallengesFrom.choices, help_text="Who may challenge me.")
    messages_from = serializers.ChoiceField(MessagesFrom.choices, help_text="Who may write to me.")
    unread = serializers.IntegerField(help_text="Notices not read yet.")


class SettingsInput(ModelInput):
    class Meta:
        model = User
        fields = list(people.SETTINGS)


class RoleInput(InputSerializer):
    role = serializers.ChoiceField([Role.ORGANISER, Role.MEMBER])


class HeirInput(InputSerializer):
    to = Text(max_length=30, help_text="The handle of a member.")


class LineSerializer(serializers.Serializer[Any]):
    """An entry of a log, in words."""

    id = serializers.IntegerField()
    action = serializers.CharField()
    at = serializers.DateTimeField()
    words = serializers.CharField()


class RequestSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    person = PersonSerializer(source="user")
    message = serializers.CharField()
    status = serializers.ChoiceField(JoinRequest.Status.choices)
    asked_at = serializers.DateTimeField()


class AskInput(ModelInput):
    class Meta:
        model = JoinRequest
        fields = ["message"]


class LetInInput(InputSerializer):
    let_in = Flag(help_text="True lets the person in, false declines.")


class InviteSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    made_by = PersonSerializer()
    expires_at = serializers.DateTimeField()
    uses = serializers.IntegerField()
    max_uses = serializers.IntegerField()


class NewInviteSerializer(serializers.Serializer[Any]):
    """An invite and its secret, shown only this once."""

    invite = InviteSerializer()
    token = serializers.CharField()
    link = serializers.CharField(help_text="The page that lets its reader join.")


class InviteInput(InputSerializer):
    max_uses = Whole(min_value=1, max_value=500, default=1)
    days = Whole(min_value=1, max_value=90, default=7)


class JoinInput(InputSerializer):
    token = Text(max_length=100, help_text="The last part of an invite link.")


class NoticeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    words = serializers.SerializerMethodField()
    path = serializers.CharField(help_text="The page it is about.")
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)

    def get_words(self, notice: Notice) -> str:
        return render(notice)


class NoticeQuery(serializers.Serializer[Any]):
    unread = serializers.BooleanField(required=False, default=False, help_text="Only those not read yet.")


class CountSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()


class ChoiceSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    bell = serializers.BooleanField()
    mail = serializers.ChoiceField(Mail.choices)
    push = serializers.BooleanField(help_text="Whether it comes as an alert to my devices.")


class ChoicesSerializer(serializers.Serializer[Any]):
    choices = ChoiceSerializer(many=True)


class ChoiceInput(InputSerializer):
    kind = Text(max_length=60)
    bell = Flag()
    mail = serializers.ChoiceField(Mail.choices)
    push = Flag(required=False, help_text="Left out, it stays as it is.")


class ChoicesInput(InputSerializer):
    choices = ChoiceInput(many=True, max_length=200)  # type: ignore[call-arg]


class PushKeySerializer(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="For `applicationServerKey`: a point of P-256 in base64url.")


class DeviceSerializer(serializers.Serializer[Any]):
    """A browser or a program that gets alerts."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    made_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True, help_text="When an alert last arrived at its push service.")


class DeviceInput(InputSerializer):
    endpoint = Text(max_length=MAX_ENDPOINT, help_text="Where its push service takes messages for it.")
    p256dh = Text(max_length=100, help_text="Its public key, in base64url.")
    auth = Text(max_length=30, help_text="Its secret for messages, in base64url.")
    name = Text(max_length=MAX_DEVICE_NAME, allow_blank=True, default="")


class FollowedSerializer(serializers.Serializer[Any]):
    """Somebody whom I follow."""

    person = PersonSerializer(source="followed")
    at = serializers.DateTimeField()
    is_friend = serializers.SerializerMethodField(help_text="Whether they follow me too.")
    is_here = serializers.SerializerMethodField(help_text="Whether a friend is looking at the site now.")

    def get_is_friend(self, row: Follow) -> bool:
        return bool(row.followed_id in self.context["request"].friends)

    def get_is_here(self, row: Follow) -> bool:
        return bool(row.followed_id in self.context["request"].here)


class FollowerSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    at = serializers.DateTimeField()


class BlockSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="blocked")
    at = serializers.DateTimeField()


class MessageSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    writer = PersonSerializer(source="user")
    text = serializers.SerializerMethodField(help_text="Empty once the staff have removed it.")
    removed = serializers.BooleanField()
    at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)

    def get_text(self, message: DirectMessage) -> str:
        return "" if message.removed else message.text


class ConversationSerializer(serializers.Serializer[Any]):
    """The last message with one person."""

    person = PersonSerializer(source="other")
    unread = serializers.IntegerField(help_text="Messages of theirs that I have not read.")
    last = MessageSerializer(source="*")


class ConversationsSerializer(serializers.Serializer[Any]):
    conversations = ConversationSerializer(many=True)


class MessageInput(InputSerializer):
    text = Text(max_length=MAX_MESSAGE_LENGTH)


class MessageReportInput(InputSerializer):
    reason = Text(max_length=300, allow_blank=True, default="")


class MessageReportSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    message = MessageSerializer()
    reporter = PersonSerializer()
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class RemoveInput(InputSerializer):
    remove = Flag(help_text="Whether to remove the message.")
