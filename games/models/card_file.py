"""Card files of clubs: what a game is played with in place of the data that comes with the site."""

import hashlib
import json
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounts.models import Club
from games.titles import game_title

MAX_TITLE_LENGTH = 60
KEPT = ("club_id", "game", "number", "digest", "source")


def digest_of(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


class CardFileQuerySet(models.QuerySet["CardFile"]):
    def offered(self) -> "CardFileQuerySet":
        """Those that a new table or season can be played with."""
        return self.filter(withdrawn_at=None)


class CardFile(models.Model):
    """One version of a club's own card file. Its text never changes: a correction is a new version.

    Matches and seasons point to the version they are played with, so a row that one of them uses cannot be deleted.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="card_files")
    game = models.CharField(max_length=40)
    # Counted for each game of a club.
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=MAX_TITLE_LENGTH)
    digest = models.CharField(max_length=64, editable=False)
    source = models.TextField(editable=False)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(default=timezone.now, editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = CardFileQuerySet.as_manager()

    class Meta:
        ordering = ["game", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["club", "game", "number"], name="card_file_number_once"),
            models.UniqueConstraint(fields=["club", "game", "digest"], name="card_file_content_once"),
            models.CheckConstraint(condition=Q(number__gte=1) & ~Q(title=""), name="card_file_has_number_and_title"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.title}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            stored = CardFile.objects.filter(pk=self.pk).values(*KEPT).first()
            if stored is not None and any(stored[name] != getattr(self, name) for name in KEPT):
                raise ValueError("a version of a card file never changes")
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("games:card-file", args=[self.club.slug, self.pk])

    @property
    def game_title(self) -> str:
        return game_title(self.game)

    @property
    def code(self) -> str:
        """The first digits of its checksum: enough to tell the files of a site apart."""
        return self.digest[:8]

    @property
    def is_intact(self) -> bool:
        """Whether the text is still the one that was uploaded."""
        return digest_of(self.source) == self.digest

    @property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.source))
