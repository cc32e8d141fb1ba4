"""Clubs, who belongs to them, and how somebody joins."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.user import User, validate_time_zone


class Admission(models.TextChoices):
    REQUEST = "request", _("Anyone may ask to join")
    INVITE = "invite", _("By invitation only")


class ClubColour(models.TextChoices):
    """Named for the tokens of the style sheets, which are readable in the light and in the dark."""

    DRAWN = "", pgettext_lazy("colour of a club", "Chosen by the site")
    MIND = "mind", pgettext_lazy("colour of a club", "Yellow")
    SPACE = "space", pgettext_lazy("colour of a club", "Blue")
    POWER = "power", pgettext_lazy("colour of a club", "Purple")
    REALITY = "reality", pgettext_lazy("colour of a club", "Red")
    SOUL = "soul", pgettext_lazy("colour of a club", "Orange")
    TIME = "time", pgettext_lazy("colour of a club", "Green")


class ClubQuerySet(models.QuerySet["Club"]):
    def open(self) -> "ClubQuerySet":
        return self.filter(closed_at=None)

    def seen_by(self, reader: object) -> "ClubQuerySet":
        """Public clubs, and the private ones that the reader is a member of."""
        if isinstance(reader, User) and reader.is_staff:
            return self
        seen = Q(is_private=False)
        if isinstance(reader, User):
            seen |= Q(pk__in=reader.memberships.values("club"))
        return self.filter(seen)


class Club(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=60, unique=True)
    description = models.TextField(_("description"), max_length=5000, blank=True, help_text=_("You can use Markdown."))
    city = models.CharField(_("city"), max_length=80, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    # Only members see it, its leagues and its nights.
    is_private = models.BooleanField(_("who sees the club"), default=False)
    admission = models.CharField(_("admission"), max_length=10, choices=Admission, default=Admission.REQUEST)
    colour = models.CharField(_("colour"), max_length=8, choices=ClubColour, blank=True, default=ClubColour.DRAWN)
    # The fingerprint of its `Emblem`; without one a crest is drawn.
    emblem = models.CharField(max_length=32, blank=True, default="", editable=False)
    search = models.TextField(editable=False, default="")
    founded_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ClubQuerySet.as_manager()

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="club_has_a_name"),
            models.CheckConstraint(condition=Q(admission__in=Admission.values), name="club_admission_known"),
            models.CheckConstraint(condition=Q(colour__in=ClubColour.values), name="club_colour_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("accounts:club", args=[self.slug])

    @property
    def picture(self) -> str:
        """The address of its emblem; empty for a drawn one."""
        return reverse("accounts:emblem", args=[self.slug, self.emblem]) if self.emblem else ""


class Role(models.TextChoices):
    OWNER = "owner", pgettext_lazy("role in a club", "Owner")
    ORGANISER = "organiser", pgettext_lazy("role in a club", "Organiser")
    MEMBER = "member", pgettext_lazy("role in a club", "Member")


class MembershipQuerySet(models.QuerySet["Membership"]):
    def by_rank(self) -> "MembershipQuerySet":
        rank = models.Case(
            *(models.When(role=role, then=place) for place, role in enumerate(Role.values)),
            output_field=models.SmallIntegerField(),
        )
        return self.select_related("user").order_by(rank, "user__is_bot", Lower("user__handle"))


class Membership(models.Model):
    club = models.ForeignKey(Club, models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.UniqueConstraint(fields=["club"], condition=Q(role=Role.OWNER), name="membership_one_owner"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.club_id} as {self.role}"


class JoinRequest(models.Model):
    class Status(models.TextChoices):
        PENDING = "pending", pgettext_lazy("request to join", "Pending")
        APPROVED = "approved", pgettext_lazy("request to join", "Approved")
        DECLINED = "declined", pgettext_lazy("request to join", "Declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("request to join", "Withdrawn")

    club = models.ForeignKey(Club, models.PROTECT, related_name="join_requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="join_requests")
    message = models.CharField(_("message"), max_length=300, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(status="pending"), name="join_request_one_pending"
            ),
            models.CheckConstraint(
                condition=Q(status="pending", decided_at=None)
                | Q(status__in=["approved", "declined", "withdrawn"], decided_at__isnull=False),
                name="join_request_decided_or_pending",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.club_id}: {self.status}"


class InviteQuerySet(models.QuerySet["Invite"]):
    def usable(self) -> "InviteQuerySet":
        return self.filter(revoked_at=None, expires_at__gt=timezone.now(), uses__lt=F("max_uses"), club__closed_at=None)


class Invite(models.Model):
    """A link that lets its bearer into a club. Only the hash of its token is kept."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="invites")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    max_uses = models.PositiveSmallIntegerField()
    uses = models.PositiveSmallIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InviteQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(uses__lte=F("max_uses")), name="invite_not_overused"),
            models.CheckConstraint(condition=Q(max_uses__gte=1), name="invite_has_a_use"),
        ]

    def __str__(self) -> str:
        return f"invite {self.pk} to {self.club_id}"

    @property
    def uses_left(self) -> int:
        return self.max_uses - self.uses
