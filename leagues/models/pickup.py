"""Which finished matches the leagues have taken up."""

from django.db import models
from django.db.models import Q

from games.models import Match


class PickUp(models.Model):
    """A finished match is taken up once. Attempts are counted: one that always fails is left alone in the end."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="pick_up")
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    # What a recomputation from the record found wrong, if anything: such a match counts nowhere.
    fault = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [models.Index(fields=["attempts"], condition=Q(done_at=None), name="pick_up_owed")]

    def __str__(self) -> str:
        return f"pick-up of {self.match_id}"
