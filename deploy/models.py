from django.db import models
from django.db.models import Q

LONGEST = 300


class Announcement(models.Model):
    """A line for everyone on the site, shown on all open pages until it ends."""

    text = models.CharField(max_length=LONGEST)
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    # Empty until every open page was told: the row is its own outbox.
    sent_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="announcement_says_something"),
            models.CheckConstraint(condition=Q(ends_at__gt=models.F("made_at")), name="announcement_ends_later"),
        ]
        indexes = [models.Index("made_at", condition=Q(sent_at=None), name="announcement_unsent")]

    def __str__(self) -> str:
        return self.text


class Pulse(models.Model):
    """When a program that has no page to ask was last heard of."""

    BEAT = "beat"

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
