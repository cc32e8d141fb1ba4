"""The screen of a club evening: its secret address and the clock that an organiser started."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import pgettext_lazy

from leagues.models.competition import Season


class Screen(models.Model):
    """One row for a season whose screen has a secret link or a clock."""

    class Clock(models.TextChoices):
        ROUND = "round", pgettext_lazy("clock of an evening", "Round")
        BREAK = "break", pgettext_lazy("clock of an evening", "Break")

    season = models.OneToOneField(Season, models.CASCADE, related_name="screen")
    # Whoever knows it sees the screen of a private league; empty: there is no such link.
    key = models.CharField(max_length=16, blank=True, editable=False)
    clock = models.CharField(max_length=10, choices=Clock, blank=True)
    clock_from = models.DateTimeField(null=True, blank=True)
    clock_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["season"]
        constraints = [
            models.UniqueConstraint(fields=["key"], condition=~Q(key=""), name="screen_key_once"),
            models.CheckConstraint(
                condition=Q(clock="", clock_from=None, clock_until=None)
                | Q(clock__in=["round", "break"], clock_until__gt=F("clock_from")),
                name="screen_clock_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"screen of {self.season_id}"
