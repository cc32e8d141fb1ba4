"""How people find each other for a match: challenges, and wishes for a table with whoever is about as strong."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import engine
from games.models.match import Match
from games.titles import game_title


class ClockPreset(models.TextChoices):
    """Clocks by name, as forms offer them."""

    NONE = "none", _("No clock")
    LIVE_3 = "live-3", _("Quick: 3 minutes and 10 seconds a turn")
    LIVE_10 = "live-10", _("Usual: 10 minutes and 20 seconds a turn")
    LIVE_25 = "live-25", _("Calm: 25 minutes and 30 seconds a turn")
    DAYS_1 = "days-1", _("By correspondence: a day for every turn")
    DAYS_3 = "days-3", _("By correspondence: three days for every turn")
    DAYS_7 = "days-7", _("By correspondence: a week for every turn")


class PersonChallenge(models.Model):
    """One person asks another to a table. Another suggestion is a challenge back, which names the one before."""

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("challenge", "Open")
        ACCEPTED = "accepted", pgettext_lazy("challenge", "Accepted")
        DECLINED = "declined", pgettext_lazy("challenge", "Declined")
        COUNTERED = "countered", pgettext_lazy("challenge", "Answered with another suggestion")
        WITHDRAWN = "withdrawn", pgettext_lazy("challenge", "Withdrawn")
        EXPIRED = "expired", pgettext_lazy("challenge", "Expired")

    class Others(models.TextChoices):
        BOTS = "bots", _("Bots")
        ANYONE = "anyone", _("Anyone who comes")
        LINK = "link", _("People we send the link to")

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="challenges_made")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="challenges_received")
    game = models.CharField(max_length=40)
    players = models.PositiveSmallIntegerField()
    difficulty = models.CharField(max_length=40, blank=True)
    clock = models.CharField(max_length=10, choices=ClockPreset, default=ClockPreset.NONE)
    rated = models.BooleanField(default=False)
    # Who takes the places that the two leave, and the level of the bots where bots do.
    others = models.CharField(max_length=10, choices=Others, default=Others.BOTS)
    level = models.CharField(max_length=10, default="regular")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    earlier = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="later")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["by", "at"], name="challenge_of_person"),
            models.Index(fields=["expires_at"], condition=Q(status="open"), name="person_challenge_open"),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(by=F("to")), name="challenge_not_to_oneself"),
            models.CheckConstraint(
                condition=Q(status__in=["open", "accepted", "declined", "countered", "withdrawn", "expired"]),
                name="person_challenge_status_known",
            ),
            models.CheckConstraint(condition=Q(others__in=["bots", "anyone", "link"]), name="challenge_others_known"),
            # One question at a time from one person to another.
            models.UniqueConstraint(fields=["by", "to"], condition=Q(status="open"), name="challenge_open_once"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} asks {self.to_id} to {self.game}"

    def get_absolute_url(self) -> str:
        return reverse("games:person-challenge", args=[self.pk])

    @property
    def title(self) -> str:
        """What the game is called, in the reader's language."""
        return game_title(self.game)

    @property
    def stored_title(self) -> str:
        """The same in English, as notices keep it."""
        return engine.game(self.game).title

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN and self.expires_at > timezone.now()


class PairingWish(models.Model):
    """What somebody would like to play now, with whoever is about as strong."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="pairing_wish")
    games = models.JSONField(default=list)
    # 0: any number of players.
    players = models.PositiveSmallIntegerField(default=0)
    clock = models.CharField(max_length=10, choices=ClockPreset, default=ClockPreset.LIVE_10)
    rated = models.BooleanField(default=True)
    # The level of the bots that fill the table after a while; empty for people alone.
    level = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    # A page that waits puts it off again and again.
    expires_at = models.DateTimeField()
    # The table, once there is one.
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["at", "pk"]
        indexes = [models.Index(fields=["expires_at"], name="pairing_wish_expires")]

    def __str__(self) -> str:
        return f"{self.user_id} would like to play"
