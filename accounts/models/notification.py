"""Notifications: a person's notices, how they want each kind, and the digest that gathers them."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.club import Club


class Mail(models.TextChoices):
    NOW = "now", pgettext_lazy("e-mail", "At once")
    DIGEST = "digest", pgettext_lazy("e-mail", "In the digest")
    NEVER = "never", pgettext_lazy("e-mail", "Never")


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
    # As its reader had chosen when it was left: without the bell; by which e-mail, if any; and with an alert.
    silent = models.BooleanField(default=False)
    mail = models.CharField(max_length=6, choices=Mail, default=Mail.NOW)
    push = models.BooleanField(default=False)
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


class NoticeChoice(models.Model):
    """How a person wants one kind of notice. Who has chosen nothing has no row here."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_choices")
    kind = models.CharField(max_length=60)
    bell = models.BooleanField(default=True)
    mail = models.CharField(max_length=6, choices=Mail, default=Mail.NOW)
    push = models.BooleanField(default=True)

    class Meta:
        ordering = ["user", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="notice_choice_once"),
            models.CheckConstraint(condition=Q(mail__in=["now", "digest", "never"]), name="notice_choice_mail_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}: {self.mail}"


class Digest(models.Model):
    """When a user gets the e-mail that collects notices: at an hour in their time zone."""

    class Every(models.TextChoices):
        DAY = "day", _("Every day")
        WEEK = "week", _("Once a week")
        OFF = "off", pgettext_lazy("digest", "Not for now")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="digest")
    every = models.CharField(max_length=4, choices=Every, default=Every.DAY)
    # Monday is 0; used by the weekly digest only.
    weekday = models.PositiveSmallIntegerField(default=0)
    hour = models.PositiveSmallIntegerField(default=18)
    # None while there is nothing to send, so that the sweep skips it.
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
