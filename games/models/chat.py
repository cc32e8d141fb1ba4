"""Chat lines, mutes and reports."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.match import Match

MAX_LINE_LENGTH = 300


class ChatLine(models.Model):
    """A line of text, or one of the fixed remarks. Spectators write in the gallery, players at the table."""

    class Room(models.TextChoices):
        TABLE = "table", _("Table")
        GALLERY = "gallery", _("Gallery")

    match = models.ForeignKey(Match, models.CASCADE, related_name="lines")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    room = models.CharField(max_length=10, choices=Room)
    text = models.CharField(max_length=MAX_LINE_LENGTH, blank=True)
    remark = models.CharField(max_length=20, blank=True)
    removed = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["match", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(room__in=["table", "gallery"]), name="line_room_known"),
            models.CheckConstraint(
                condition=(Q(text="") & ~Q(remark="")) | (~Q(text="") & Q(remark="")), name="line_says_one_thing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.text or self.remark}"


class Mute(models.Model):
    """A user whose lines another user does not want to read, at any table."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "muted"], name="mute_once"),
            models.CheckConstraint(condition=~Q(user=F("muted")), name="mute_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} mutes {self.muted_id}"


class Report(models.Model):
    """A line that a user reported to the site's staff."""

    line = models.ForeignKey(ChatLine, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["settled_at", "at"]
        constraints = [models.UniqueConstraint(fields=["line", "reporter"], name="report_once")]

    def __str__(self) -> str:
        return f"{self.reporter_id} on {self.line_id}"
