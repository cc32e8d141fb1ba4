"""Uploaded files: stored from the preview until they are imported or expire."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from accounts.models import Club
from games.models.match import new_key
from leagues.models.competition import Division, League, Season

KEPT = timedelta(hours=24)


def tomorrow() -> datetime:
    return timezone.now() + KEPT


class Upload(models.Model):
    """One file between its preview and its import. Exactly these bytes are imported."""

    class Kind(models.TextChoices):
        PLAYERS = "players", pgettext_lazy("file", "Players")
        RESULTS = "results", pgettext_lazy("file", "Past results")
        ARCHIVE = "archive", pgettext_lazy("file", "A whole league")

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("file", "Waiting for confirmation")
        WORKING = "working", pgettext_lazy("file", "Being imported")
        DONE = "done", pgettext_lazy("file", "Imported")
        FAILED = "failed", pgettext_lazy("file", "Not imported")

    key = models.CharField(max_length=12, unique=True, default=new_key, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    club = models.ForeignKey(Club, models.PROTECT, related_name="uploads")
    # The target of players and results; an archive's league is created when it is imported.
    season = models.ForeignKey(Season, models.CASCADE, null=True, blank=True, related_name="uploads")
    division = models.ForeignKey(Division, models.CASCADE, null=True, blank=True, related_name="+")
    league = models.ForeignKey(League, models.SET_NULL, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=120, blank=True)
    # Emptied after the import; the digest identifies the file.
    content = models.BinaryField(blank=True)
    digest = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    # The choices of the preview: who is the same person here, whether broken rows are left out.
    choices = models.JSONField(default=dict, blank=True)
    # The result of the import, or why it failed.
    outcome = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    expires_at = models.DateTimeField(default=tomorrow, editable=False)

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [
            models.Index(fields=["club", "digest"], name="upload_by_digest"),
            models.Index(fields=["expires_at"], condition=Q(status="waiting"), name="upload_expiring"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="archive", season=None, division=None)
                | Q(kind__in=["players", "results"], season__isnull=False, league=None),
                name="upload_has_its_place",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "working", "done", "failed"]), name="upload_status_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("leagues:upload", args=[self.key])

    @property
    def is_open(self) -> bool:
        """Whether it can still be imported."""
        return self.status in (self.Status.WAITING, self.Status.FAILED) and self.expires_at > timezone.now()
