"""Which finished matches were taken in by the leagues."""

from django.db import models
from django.db.models import Q

from games.models import Match


class PickUp(models.Model):
    """The intake of a finished match, which happens once. Attempts are counted, to give up one that always fails."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="pick_up")
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    # Why the record does not replay to the result, if so: such a match counts nowhere.
    fault = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [models.Index(fields=["attempts"], condition=Q(done_at=None), name="pick_up_owed")]

    def __str__(self) -> str:
        return f"pick-up of {self.match_id}"
