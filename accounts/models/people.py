"""People, clubs and what is kept about them: fields, constraints, cheap properties."""

import zoneinfo
from datetime import datetime, timedelta
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models.notice import Mail
from accounts.text import plain

validate_handle = RegexValidator(
    r"^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,28}[A-Za-z0-9])\Z",
    _("Use 2 to 30 letters a–z, digits, hyphens and underscores; begin and end with a letter or digit."),
    code="handle",
)
# The form django-allauth's ACCOUNT_USERNAME_VALIDATORS asks for.
HANDLE_VALIDATORS = [validate_handle]


def validate_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("“%(name)s” is not a known time zone."), code="time_zone", params={"name": name})


class Language(models.TextChoices):
    # Each language is called by its own name, whatever the reader's.
    ENGLISH = "en", "English"
    ITALIAN = "it", "Italiano"
    POLISH = "pl", "Polski"


class Theme(models.TextChoices):
    AUTO = "auto", _("Like my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(handle__iexact=username)

    def create_user(self, handle: str, email: str = "", password: str | None = None, **fields: Any) -> "User":
        user = self.model(handle=handle, email=email.lower(), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def create_superuser(self, handle: str, email: str = "", password: str | None = None) -> "User":
        return self.create_user(handle, email, password, is_staff=True)


class User(AbstractBaseUser):
    """A person, or a bot, who takes seats. Rows are never removed: leaving makes them nameless."""

    handle = models.CharField(
        _("handle"),
        max_length=30,
        unique=True,
        validators=HANDLE_VALIDATORS,
        error_messages={"unique": _("This handle is taken.")},
    )
    display_name = models.CharField(_("display name"), max_length=60, blank=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    language = models.CharField(_("language"), max_length=2, choices=Language, default=Language.ENGLISH)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    theme = models.CharField(_("theme"), max_length=5, choices=Theme, default=Theme.AUTO)
    notices_by_mail = models.BooleanField(_("send me my notices by e-mail too"), default=True)
    is_bot = models.BooleanField(default=False)
    # Plays at the club without an account: an organiser wrote the name down, and nobody can log in with it.
    is_guest = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    search = models.TextField(editable=False, default="")

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(
                Lower("handle"), name="user_handle_unique", violation_error_message=_("This handle is taken.")
            ),
            models.UniqueConstraint(
                Lower("email"),
                condition=~Q(email=""),
                name="user_email_unique",
                violation_error_message=_("This e-mail address is already in use."),
            ),
            models.CheckConstraint(condition=Q(language__in=Language.values), name="user_language_known"),
            models.CheckConstraint(condition=Q(theme__in=Theme.values), name="user_theme_known"),
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(email="", display_name="", is_active=False),
                name="user_deleted_is_nameless",
            ),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(email="", is_staff=False, is_bot=False),
                name="user_guest_is_only_a_name",
            ),
        ]

    def __str__(self) -> str:
        return self.handle

    def save(self, *args: Any, **kwargs: Any) -> None:
        """What a person is found by follows their names, whoever changes them."""
        self.search = "" if self.deleted_at else plain(f"{self.display_name} {self.handle}")
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = {*kwargs["update_fields"], "search"}
        super().save(*args, **kwargs)

    @property
    def name(self) -> str:
        """What others read."""
        if self.deleted_at:
            return gettext("Former player")
        return self.display_name or self.handle

    @property
    def can_be_told(self) -> bool:
        """Whether anybody would read a notice to this account."""
        return self.is_active and not self.is_bot and not self.is_guest

    @cached_property
    def zone(self) -> zoneinfo.ZoneInfo:
        try:
            return zoneinfo.ZoneInfo(self.time_zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            # A zone that a later time-zone database dropped must not lock a person out.
            return zoneinfo.ZoneInfo("UTC")

    def get_absolute_url(self) -> str:
        return reverse("accounts:person", args=[self.handle])


class Admission(models.TextChoices):
    REQUEST = "request", _("Anyone may ask to join")
    INVITE = "invite", _("By invitation only")


class ClubQuerySet(models.QuerySet["Club"]):
    def open(self) -> "ClubQuerySet":
        return self.filter(closed_at=None)


class Club(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=60, unique=True)
    description = models.TextField(_("description"), max_length=5000, blank=True, help_text=_("You can use Markdown."))
    city = models.CharField(_("city"), max_length=80, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    admission = models.CharField(_("admission"), max_length=10, choices=Admission, default=Admission.REQUEST)
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
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("accounts:club", args=[self.slug])


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


def shortly() -> datetime:
    """Leaves the task that is sent after commit a minute's start before the sweep."""
    return timezone.now() + timedelta(minutes=1)


class Notice(models.Model):
    """Something a person should know. The words are made when it is read, in the reader's language."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=60)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="+")
    params = models.JSONField(default=dict, blank=True)
    path = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # When the sweep should try to deliver it; None once that is done or given up.
    due_at = models.DateTimeField(null=True, blank=True, default=shortly)
    attempts = models.PositiveSmallIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)
    # As its reader had chosen when it was left: without the bell; and by which e-mail, if any.
    silent = models.BooleanField(default=False)
    mail = models.CharField(max_length=6, choices=Mail, default=Mail.NOW)
    digested_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["user", "-created_at"], name="notice_of_user"),
            models.Index(fields=["user"], condition=Q(read_at=None), name="notice_unread"),
            models.Index(fields=["path"], condition=Q(read_at=None), name="notice_unread_about"),
            models.Index(fields=["user"], condition=Q(mail="digest", digested_at=None), name="notice_to_digest"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="notice_due"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(mail__in=["now", "digest", "never"]), name="notice_mail_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("The audit trail is only ever appended to.")

    def delete(self) -> NoReturn:
        raise TypeError("The audit trail is only ever appended to.")


class AuditEntry(models.Model):
    """Who did what, to which object, on whose behalf. A database trigger refuses every change."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=60)
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="audit_entries")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    object_type = models.CharField(max_length=60, blank=True)
    object_id = models.CharField(max_length=40, blank=True)
    params = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["club", "-at"], name="audit_of_club"),
            models.Index(fields=["object_type", "object_id"], name="audit_of_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("The audit trail is only ever appended to.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("The audit trail is only ever appended to.")
