"""Webhooks of a club, and their deliveries."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

KEY_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_salt() -> str:
    return get_random_string(24, KEY_ALPHABET)


def new_key() -> str:
    """The id of a delivery for its receiver: the same however often it is sent."""
    return f"msg_{get_random_string(24, KEY_ALPHABET)}"


class Webhook(models.Model):
    """A URL that gets a club's events.

    Its secret is not in the database: it is derived from the salt and the site's key, so that a stolen backup
    cannot sign anything.
    """

    class Shape(models.TextChoices):
        JSON = "json", _("JSON, signed")
        DISCORD = "discord", _("Message in Discord")

    club = models.ForeignKey("accounts.Club", models.PROTECT, related_name="webhooks")
    name = models.CharField(_("name"), max_length=60)
    url = models.CharField(_("address"), max_length=500)
    shape = models.CharField(_("shape"), max_length=10, choices=Shape, default=Shape.JSON)
    events = models.JSONField(default=list)
    salt = models.CharField(max_length=24, default=new_salt, editable=False)
    # The previous secret: for a day deliveries are signed with both.
    former_salt = models.CharField(max_length=24, blank=True, editable=False)
    rotated_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_on = models.BooleanField(default=True)
    # Deliveries given up since the last success.
    given_up = models.PositiveSmallIntegerField(default=0, editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(shape__in=["json", "discord"]), name="webhook_shape_known"),
            models.CheckConstraint(condition=~Q(url=""), name="webhook_has_an_address"),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.club_id}"

    def get_absolute_url(self) -> str:
        return reverse("accounts:webhook", args=[self.club.slug, self.pk])


class Delivery(models.Model):
    """One event for one webhook: created in the transaction of the event, sent afterwards."""

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("delivery", "Waiting")
        DELIVERED = "delivered", pgettext_lazy("delivery", "Delivered")
        FAILED = "failed", pgettext_lazy("delivery", "Given up")
        # Its subject no longer exists, or is no longer public.
        DROPPED = "dropped", pgettext_lazy("delivery", "Nothing to tell any more")

    hook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    key = models.CharField(max_length=28, unique=True, default=new_key, editable=False)
    event = models.CharField(max_length=40)
    # The primary key of its subject, for the code that declared the event.
    subject = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now)
    # Exactly what is sent; made at the first attempt and the same at every other.
    body = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    due_at = models.DateTimeField(null=True, blank=True, default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    code = models.PositiveSmallIntegerField(null=True, blank=True)
    took = models.PositiveIntegerField(null=True, blank=True, help_text="milliseconds")
    answer = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["hook", "-at"], name="delivery_of_hook"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="delivery_due"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="waiting", due_at__isnull=False)
                | Q(status__in=["delivered", "failed", "dropped"], due_at=None),
                name="delivery_waiting_is_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.hook_id}: {self.status}"
