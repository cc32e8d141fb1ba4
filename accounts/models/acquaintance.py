"""What people have to do with each other: whom they follow, whom they block, what they write to each other."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

MAX_MESSAGE_LENGTH = 1000


class Follow(models.Model):
    """Somebody whom a person likes to play with. Two who follow each other are friends."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="followers")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "followed"], name="follow_once"),
            models.CheckConstraint(condition=~Q(user=F("followed")), name="follow_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.followed_id}"


class Block(models.Model):
    """Somebody from whom a person wants nothing: no challenge, no message, no place at the same table."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(user=F("blocked")), name="block_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} blocks {self.blocked_id}"


class DirectMessage(models.Model):
    """What one person writes to another. Nobody else reads it, unless its reader reports it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="messages_written")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="messages_received")
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    at = models.DateTimeField(default=timezone.now, editable=False)
    read_at = models.DateTimeField(null=True, blank=True)
    # By staff, after a report.
    removed = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["user", "to", "id"], name="message_between"),
            models.Index(fields=["user", "at"], name="message_of_writer"),
            models.Index(fields=["to"], condition=Q(read_at=None), name="message_unread"),
        ]
        constraints = [models.CheckConstraint(condition=~Q(user=F("to")), name="message_not_to_oneself")]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.to_id}"


class MessageReport(models.Model):
    """A message that its reader showed to the site's staff."""

    message = models.OneToOneField(DirectMessage, models.CASCADE, related_name="report")
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.reporter_id} on {self.message_id}"
