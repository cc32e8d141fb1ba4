"""Alerts by web push: the devices a person has switched them on for, and what is on its way to them."""

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models.notification import Notice
from accounts.models.token import ApiToken


class PushDevice(models.Model):
    """A browser, or a program with a token, that gets a person's alerts while it is logged in."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_devices")
    # The log-in it belongs to: once that has ended, the device gets nothing.
    session = models.ForeignKey(UserSession, models.CASCADE, null=True, blank=True, related_name="+")
    token = models.ForeignKey(ApiToken, models.CASCADE, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=60, blank=True)
    # Where its push service takes messages for it. Whoever knows the address cannot send without our key.
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    # Our public key that the browser was given. Messages signed with another one are refused.
    server_key = models.CharField(max_length=100)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField(null=True, blank=True)
    tested_at = models.DateTimeField(null=True, blank=True)
    # Alerts given up since the last that arrived.
    given_up = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(session__isnull=False, token=None) | Q(session=None, token__isnull=False),
                name="push_device_of_one_log_in",
            ),
        ]

    def __str__(self) -> str:
        return f"device {self.pk} of {self.user_id}"


class PushAlert(models.Model):
    """One notice on its way to one device; deleted once it has arrived or is given up."""

    device = models.ForeignKey(PushDevice, models.CASCADE, related_name="alerts")
    # None for a test.
    notice = models.ForeignKey(Notice, models.CASCADE, null=True, blank=True, related_name="+")
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["due_at", "pk"]
        indexes = [models.Index(fields=["due_at"], name="push_alert_due")]

    def __str__(self) -> str:
        return f"notice {self.notice_id} to {self.device_id}"
