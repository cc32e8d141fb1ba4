"""People who take seats: fields, constraints, cheap properties."""

import re
import zoneinfo
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.infra.text import plain

validate_handle = RegexValidator(
    r"^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,28}[A-Za-z0-9])\Z",
    _("Use 2 to 30 letters a–z, digits, hyphens and underscores; begin and end with a letter or digit."),
    code="handle",
)
# The form django-allauth's ACCOUNT_USERNAME_VALIDATORS asks for.
HANDLE_VALIDATORS = [validate_handle]
# The accounts of the site's own bots, see `leagues.ratings.site_bots`. Nobody can choose a handle with a tilde.
SITE_BOT = re.compile(r"~(?P<level>[a-z]+)-(?P<version>\d+)")


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


class ChallengesFrom(models.TextChoices):
    ANYONE = "anyone", pgettext_lazy("who may challenge me", "Anyone")
    FOLLOWED = "followed", pgettext_lazy("who may challenge me", "People I follow")
    NOBODY = "nobody", pgettext_lazy("who may challenge me", "Nobody")


class MessagesFrom(models.TextChoices):
    FRIENDS = "friends", pgettext_lazy("who may write to me", "Friends: we follow each other")
    NOBODY = "nobody", pgettext_lazy("who may write to me", "Nobody")


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
        """An administrator; whoever may run commands on this machine need not prove that the address is theirs."""
        # Its model needs ours to be loaded.
        from allauth.account.models import EmailAddress

        user = self.create_user(handle, email, password, is_staff=True)
        if user.email:
            EmailAddress.objects.using(self._db).create(user=user, email=user.email, verified=True, primary=True)
        return user


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
    challenges_from = models.CharField(
        _("who may challenge me"), max_length=8, choices=ChallengesFrom, default=ChallengesFrom.ANYONE
    )
    messages_from = models.CharField(
        _("who may write to me"), max_length=8, choices=MessagesFrom, default=MessagesFrom.FRIENDS
    )
    is_bot = models.BooleanField(default=False)
    # Plays at the club without an account: an organiser wrote the name down, and nobody can log in with it.
    is_guest = models.BooleanField(default=False)
    # The club that made the account for a member without an e-mail address, and may hand out sign-in links to it.
    looked_after_by = models.ForeignKey(
        "accounts.Club", models.PROTECT, null=True, blank=True, related_name="looked_after", editable=False
    )
    is_active = models.BooleanField(default=True)
    # When somebody who plays without an account was last here; nothing for all others. Such an account is not active:
    # it has no page, is found nowhere and may do nothing but play, until its owner keeps it.
    trial_seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_staff = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The fingerprint of their `Portrait`; without one a picture is drawn.
    portrait = models.CharField(max_length=32, blank=True, default="", editable=False)
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
                condition=Q(challenges_from__in=["anyone", "followed", "nobody"]), name="user_challenges_from_known"
            ),
            models.CheckConstraint(
                condition=Q(messages_from__in=["friends", "nobody"]), name="user_messages_from_known"
            ),
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(email="", display_name="", is_active=False),
                name="user_deleted_is_nameless",
            ),
            models.CheckConstraint(condition=Q(deleted_at=None) | Q(portrait=""), name="user_deleted_has_no_portrait"),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(email="", is_staff=False, is_bot=False),
                name="user_guest_is_only_a_name",
            ),
            models.CheckConstraint(
                condition=Q(trial_seen_at=None)
                | Q(is_active=False, email="", is_staff=False, is_bot=False, is_guest=False, deleted_at=None),
                name="user_trial_may_only_play",
            ),
        ]
        indexes = [
            models.Index(fields=["trial_seen_at"], condition=Q(trial_seen_at__isnull=False), name="user_trials"),
        ]

    def __str__(self) -> str:
        return self.handle

    def save(self, *args: Any, **kwargs: Any) -> None:
        """What a person is found by follows their names, whoever changes them."""
        self.search = "" if self.deleted_at or self.is_trial else plain(f"{self.display_name} {self.handle}")
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = {*kwargs["update_fields"], "search"}
        super().save(*args, **kwargs)

    @property
    def name(self) -> str:
        """What others read."""
        if self.deleted_at:
            return gettext("Former player")
        if self.is_bot and (bot := SITE_BOT.fullmatch(self.handle)):
            # One of the site's own bots: its level is a word of the catalogues. "Rookie 1" is only stored.
            return f"{pgettext('bot', bot['level'].capitalize())} {bot['version']}"
        return self.display_name or self.handle

    @property
    def is_trial(self) -> bool:
        """Whether this is a made-up name under which somebody plays without an account; see `accounts.trials`."""
        return self.trial_seen_at is not None

    @property
    def reads_notices(self) -> bool:
        """Whether anybody would read a notice to this account."""
        return self.is_active and not self.is_bot and not self.is_guest

    @cached_property
    def zone(self) -> zoneinfo.ZoneInfo:
        try:
            return zoneinfo.ZoneInfo(self.time_zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            # A zone that a later time-zone database dropped must not lock a person out.
            return zoneinfo.ZoneInfo("UTC")

    @property
    def picture(self) -> str:
        """The address of their portrait; empty for a drawn one. Whoever is locked out shows none."""
        if not self.portrait or not self.is_active:
            return ""
        return reverse("accounts:portrait", args=[self.handle, self.portrait])

    def get_absolute_url(self) -> str:
        return reverse("accounts:person", args=[self.handle])
