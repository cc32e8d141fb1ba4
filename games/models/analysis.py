"""What was computed about a finished match."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from games.models.match import Match


class Analysis(models.Model):
    """The report of a finished match, kept once computed: a function of its record, the judge's version and a seed."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("analysis", "Waiting")
        DONE = "done", pgettext_lazy("analysis", "Done")
        REFUSED = "refused", pgettext_lazy("analysis", "Not possible")

    match = models.OneToOneField(Match, models.CASCADE, related_name="analysis")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # How many moves are judged, of how many; and until when a worker has claimed the work.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    held = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Why there is no report: a code of `games.analysis.presentation.WHY_NOT`.
    why_not = models.CharField(max_length=20, blank=True)
    report = models.JSONField(null=True, blank=True)
    version = models.PositiveSmallIntegerField(default=0)
    seed = models.CharField(max_length=40, blank=True)
    budget = models.CharField(max_length=10, blank=True)
    # Whether the maker of puzzles has looked at the match.
    searched_for_puzzles = models.BooleanField(default=False, editable=False)
    # So that nobody fills the queue for all; None where the account is gone, and for older ones.
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    computed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", report=None, computed_at=None)
                | Q(state="done", report__isnull=False, computed_at__isnull=False)
                | (Q(state="refused", report=None, computed_at__isnull=False) & ~Q(why_not="")),
                name="analysis_state_fits_its_report",
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"
