"""What players of casual matches asked the site for."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from games.models.match import Match


class Hint(models.Model):
    """A move that was suggested to a seat at a ply, or is being thought about."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("hint", "Waiting")
        DONE = "done", pgettext_lazy("hint", "Done")
        FAILED = "failed", pgettext_lazy("hint", "Failed")

    match = models.ForeignKey(Match, models.CASCADE, related_name="hints")
    ply = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    move = models.CharField(max_length=80, blank=True)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["person", "asked_at"], name="hint_of_person")]
        constraints = [
            models.UniqueConstraint(fields=["match", "ply", "seat"], name="hint_once_a_decision"),
            models.CheckConstraint(
                condition=Q(state="waiting", move="") | (Q(state="done") & ~Q(move="")) | Q(state="failed", move=""),
                name="hint_done_has_a_move",
            ),
        ]

    def __str__(self) -> str:
        return f"hint at {self.ply} of {self.match_id}"
