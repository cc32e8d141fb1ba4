"""Title odds as last computed, and the title chances after each round."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from leagues.models.competition import Division, Stage


class Odds(models.Model):
    """A division's present odds: a cache of a pure computation, updated when its input changes.

    `basis` is the fingerprint of the input, `entries` the length of the season's log then. `why_not` says why
    there are no odds. While it is `growing`, more runs are added to `counts` by one task after another; `seconds` of
    processor time have gone into them.
    """

    division = models.OneToOneField(Division, models.CASCADE, related_name="odds")
    basis = models.CharField(max_length=64, blank=True)
    entries = models.PositiveIntegerField(default=0)
    # Which results and withdrawals are included, from `leagues.odds.inputs.knowledge`: a page says what is missing.
    knows = models.JSONField(default=dict, blank=True)
    seed = models.CharField(max_length=64, blank=True)
    runs = models.PositiveIntegerField(default=0)
    exact = models.BooleanField(default=False)
    # One row an entrant, the likeliest champion first: entrant, title, promotion, relegation, expected, places.
    rows = models.JSONField(default=list, blank=True)
    # (entrant, first place, last place, times), as `leagues.odds.simulation.values.Counts`.
    counts = models.JSONField(default=list, blank=True)
    growing = models.BooleanField(default=False)
    seconds = models.FloatField(default=0.0)
    why_not = models.CharField(max_length=20, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    # The claim of the task that is computing, so that no other task does the same.
    claim = models.CharField(max_length=64, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(why_not="", runs__gte=1) | ~Q(why_not=""), name="odds_or_why_not"),
            models.CheckConstraint(
                condition=Q(growing=False) | Q(why_not="", exact=False), name="odds_grow_where_there_are_some"
            ),
            models.CheckConstraint(
                condition=Q(claim="", claimed_at=None) | (~Q(claim="") & Q(claimed_at__isnull=False)),
                name="odds_claim_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"odds of division {self.division_id}"


class OddsAfter(models.Model):
    """Each entrant's chance of the title after a number of closed rounds of a stage, as last computed."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="odds_after")
    number = models.PositiveSmallIntegerField()
    titles = models.JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="odds_once_after_a_round")]

    def __str__(self) -> str:
        return f"odds of stage {self.stage_id} after round {self.number}"
