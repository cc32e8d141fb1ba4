"""What a person wants to be told, and how. Who has said nothing has no row here."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Mail(models.TextChoices):
    NOW = "now", pgettext_lazy("e-mail", "At once")
    DIGEST = "digest", pgettext_lazy("e-mail", "In the digest")
    NEVER = "never", pgettext_lazy("e-mail", "Never")


class NoticeChoice(models.Model):
    """How a person wants one kind of notice."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_choices")
    kind = models.CharField(max_length=60)
    bell = models.BooleanField(default=True)
    mail = models.CharField(max_length=6, choices=Mail, default=Mail.NOW)

    class Meta:
        ordering = ["user", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="notice_choice_once"),
            models.CheckConstraint(condition=Q(mail__in=["now", "digest", "never"]), name="notice_choice_mail_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}: {self.mail}"


class Digest(models.Model):
    """When a person gets the e-mail that gathers notices: at an hour of their own clock."""

    class Every(models.TextChoices):
        DAY = "day", _("Every day")
        WEEK = "week", _("Once a week")
        OFF = "off", pgettext_lazy("digest", "Not for now")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="digest")
    every = models.CharField(max_length=4, choices=Every, default=Every.DAY)
    # Monday is 0; only a weekly digest has one to look at.
    weekday = models.PositiveSmallIntegerField(default=0)
    hour = models.PositiveSmallIntegerField(default=18)
    # None as long as there is nothing to send, so that the sweep looks only at those who wait.
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="digest_due")]
        constraints = [
            models.CheckConstraint(condition=Q(every__in=["day", "week", "off"]), name="digest_every_known"),
            models.CheckConstraint(condition=Q(weekday__lte=6, hour__lte=23), name="digest_on_the_clock"),
        ]

    def __str__(self) -> str:
        return f"digest of {self.user_id}: {self.every}"
