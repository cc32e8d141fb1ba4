"""Users' bots: their accounts, challenges, events and faults."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match


class OwnBot(models.Model):
    """A bot account that a user's program plays for. It sits at tables like a person: with a clock and no level."""

    class Accepts(models.TextChoices):
        ANYONE = "anyone", _("Anyone")
        CLUBS = "clubs", _("Members of my clubs")
        OWNER = "owner", _("Only me")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="own_bot")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="own_bots")
    about = models.CharField(max_length=300, blank=True)
    games = models.JSONField(default=list)
    accepts = models.CharField(max_length=10, choices=Accepts, default=Accepts.ANYONE)
    is_on = models.BooleanField(default=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    # The number of the latest event, and of the oldest that is still stored. Appending an event locks this row until
    # commit: a reader who sees an event can see all earlier ones.
    seq = models.PositiveBigIntegerField(default=0, editable=False)
    kept_from = models.PositiveBigIntegerField(default=1, editable=False)
    # The open stream; a newer one replaces it. `heard_at` is when it last reported to be alive.
    stream = models.CharField(max_length=24, blank=True, editable=False)
    heard_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(accepts__in=["anyone", "clubs", "owner"]), name="own_bot_accepts_known"),
            models.CheckConstraint(condition=~Q(user=models.F("owner")), name="own_bot_is_not_its_owner"),
        ]

    def __str__(self) -> str:
        return f"bot {self.user_id} of {self.owner_id}"


class BotChallenge(models.Model):
    """An invitation to a seat at a table; the bot answers in time, or it expires."""

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("challenge", "Asked")
        ACCEPTED = "accepted", pgettext_lazy("challenge", "Accepted")
        DECLINED = "declined", pgettext_lazy("challenge", "Declined")
        CANCELLED = "cancelled", pgettext_lazy("challenge", "Withdrawn")
        EXPIRED = "expired", pgettext_lazy("challenge", "No answer")

    bot = models.ForeignKey(OwnBot, models.PROTECT, related_name="challenges")
    match = models.ForeignKey(Match, models.CASCADE, related_name="challenges")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    reason = models.CharField(max_length=120, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["expires_at"], condition=Q(status="open"), name="bot_challenge_open")]
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "match"], condition=Q(status="open"), name="bot_challenge_once_at_a_table"
            ),
            models.CheckConstraint(
                condition=Q(status="open", answered_at=None)
                | Q(status__in=["accepted", "declined", "cancelled", "expired"], answered_at__isnull=False),
                name="bot_challenge_open_or_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} to {self.match_id}: {self.status}"


class BotEvent(models.Model):
    """An event for a bot, numbered in order and without gaps; it is serialized when it is sent."""

    class Kind(models.TextChoices):
        CHALLENGE = "challenge"
        CANCELLED = "challenge.cancelled"
        TURN = "turn"
        SEAT_LOST = "seat.lost"
        OVER = "match.over"

    bot = models.ForeignKey(OwnBot, models.CASCADE, related_name="events")
    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=20, choices=Kind)
    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    challenge = models.ForeignKey(BotChallenge, models.CASCADE, null=True, blank=True, related_name="+")
    ply = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["bot", "seq"]
        indexes = [models.Index(fields=["at"], name="bot_event_by_age")]
        constraints = [models.UniqueConstraint(fields=["bot", "seq"], name="bot_event_once_a_number")]

    def __str__(self) -> str:
        return f"{self.seq}: {self.kind}"


class BotFault(models.Model):
    """What went wrong with a bot at a ply: one row for each kind, with a count."""

    class Kind(models.TextChoices):
        # It was connected and did not move in time.
        TIMEOUT = "timeout", _("Out of time")
        # It was not connected when its time ran out.
        CRASH = "crash", _("Not connected when its time ran out")
        ILLEGAL = "illegal", _("Illegal moves")

    bot = models.ForeignKey(OwnBot, models.CASCADE, related_name="faults")
    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    ply = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    detail = models.CharField(max_length=200, blank=True)
    count = models.PositiveIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "match", "ply", "kind"], name="bot_fault_once_a_ply"),
            models.CheckConstraint(condition=Q(kind__in=["timeout", "crash", "illegal"]), name="bot_fault_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.bot_id} at {self.ply}"
