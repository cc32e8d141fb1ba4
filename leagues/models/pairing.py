"""Tables of a competition, byes and results. Results are never changed: a correction is a new version."""

from datetime import datetime
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match
from games.models.match import new_key
from leagues.formats.values import Kind
from leagues.models.competition import Round, Stage
from leagues.models.entrant import Entrant


class PairingQuerySet(models.QuerySet["Pairing"]):
    def open(self) -> "PairingQuerySet":
        """Tables without a confirmed result: the round is over when there are none."""
        return self.exclude(state__in=[Pairing.State.CONFIRMED, Pairing.State.VOID])

    def seen(self) -> "PairingQuerySet":
        """Tables of published rounds."""
        return self.exclude(round__status=Round.Status.DRAWN)


class Pairing(models.Model):
    """A table of a round, online or at the club."""

    class Where(models.TextChoices):
        ONLINE = "online", pgettext_lazy("table", "Online")
        CLUB = "club", pgettext_lazy("table", "At the club")

    class State(models.TextChoices):
        SCHEDULED = "scheduled", pgettext_lazy("pairing", "To be played")
        PLAYING = "playing", pgettext_lazy("pairing", "Being played")
        REPORTED = "reported", pgettext_lazy("pairing", "Reported")
        DISPUTED = "disputed", pgettext_lazy("pairing", "Disputed")
        CONFIRMED = "confirmed", pgettext_lazy("pairing", "Confirmed")
        VOID = "void", pgettext_lazy("pairing", "Void")

    # Unguessable: it is in the QR code on the table.
    key = models.CharField(max_length=12, unique=True, default=new_key, editable=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    # Its number in the draw of its round; the place where one sits is `table`.
    number = models.PositiveSmallIntegerField()
    table_number = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    group = models.PositiveSmallIntegerField(null=True, blank=True)
    # The id of its match in the bracket, such as W2-1.
    slot = models.CharField(max_length=10, blank=True)
    where = models.CharField(max_length=10, choices=Where, default=Where.CLUB)
    state = models.CharField(max_length=10, choices=State, default=State.SCHEDULED)
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing")
    reason = models.JSONField()
    # When it is to be played: the slot it is placed in, or the time its players agreed on.
    starts_at = models.DateTimeField(null=True, blank=True)
    # Its own deadline where one was granted; otherwise the round's.
    closes_at = models.DateTimeField(null=True, blank=True)
    # Counts every change of time or place, for calendar feeds.
    revision = models.PositiveIntegerField(default=0)
    # The seed that all tables of a duplicate round share: secret for as long as one of them is open.
    deal = models.CharField(max_length=64, blank=True, editable=False)

    objects = PairingQuerySet.as_manager()

    class Meta:
        ordering = ["round", "number"]
        indexes = [models.Index(fields=["round", "state"], name="pairing_by_state")]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="pairing_table_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="pairing_number_from_one"),
            models.CheckConstraint(
                condition=Q(state__in=["scheduled", "playing", "reported", "disputed", "confirmed", "void"]),
                name="pairing_state_known",
            ),
            models.CheckConstraint(
                condition=Q(where="online") | Q(where="club", match=None), name="pairing_match_is_online"
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.number} of {self.round_id}"

    def get_absolute_url(self) -> str:
        return reverse("leagues:table", args=[self.key])

    @property
    def table(self) -> int:
        """The number of the place where one sits, as everything for people has it. Tables that are played at the same
        time have different ones; a table placed on the calendar has the number of its place there."""
        return self.table_number or self.number

    @property
    def is_open(self) -> bool:
        return self.state not in (self.State.CONFIRMED, self.State.VOID)

    @property
    def deadline(self) -> datetime | None:
        """Its own deadline if more time was given, otherwise that of its round."""
        return self.closes_at or self.round.closes_at


class PairingSeat(models.Model):
    """A seat. `absent` marks an entrant who left after the draw: they rank last, the others play on."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="seats")
    # In addition to the pairing, so that a constraint can prevent two seats in one round.
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="seats")
    index = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=20, blank=True)
    absent = models.BooleanField(default=False)

    class Meta:
        ordering = ["pairing", "index"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="pairing_seat_entrant_once_a_round"),
            models.UniqueConstraint(fields=["pairing", "index"], name="pairing_seat_index_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of {self.pairing_id}"


class PairingGame(models.Model):
    """A game of a series that is played online, from its deal on. `Pairing.match` is the latest of them.

    Seats and roles change after each: in games with an even number the second seat of the pairing is the first of the
    match.
    """

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    # None: it was played on another site, before the league came here with its file.
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing_game")
    ended_at = models.DateTimeField(null=True, blank=True)
    # The index of a seat of the pairing; None: a draw, or not over yet.
    winner = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pairing", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="pairing_game_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="pairing_game_number_from_one"),
            models.CheckConstraint(
                condition=Q(match__isnull=False) | Q(ended_at__isnull=False), name="pairing_game_elsewhere_is_over"
            ),
            models.CheckConstraint(
                condition=Q(winner=None) | Q(winner__lte=1, ended_at__isnull=False),
                name="pairing_game_winner_at_the_end",
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.number} of {self.pairing_id}"

    @property
    def is_exchanged(self) -> bool:
        """Whether the two seats are the other way round than in the pairing."""
        return self.number % 2 == 0


class Presence(models.Model):
    """A player who is present: an online table begins when all its players are."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="present")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pairing", "at", "pk"]
        constraints = [models.UniqueConstraint(fields=["pairing", "user"], name="presence_once")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.pairing_id}"


class Bye(models.Model):
    """A round without a table; the kind is a name of `leagues.formats.values.Kind`."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="byes")
    kind = models.CharField(max_length=3)
    reason = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["round", "entrant"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="bye_entrant_once_a_round"),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.name for kind in Kind if kind is not Kind.PLAYED]), name="bye_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.entrant_id}"


class ResultQuerySet(models.QuerySet["Result"]):
    def delete(self) -> NoReturn:
        raise TypeError("Results are only ever appended to.")


class Result(models.Model):
    """One version of a table's result. `in_force` marks the one that counts; no other column of a row ever changes.

    `places` follows the seats by index: `{"rank": 1, "score": 12, "kind": "PLAYED"}`, kind PLAYED, FW or FL.
    `grade` compares cooperative teams on one deal, as a list: more is better.
    """

    class Kind(models.TextChoices):
        REPORTED = "reported", pgettext_lazy("result", "Reported")
        CONFIRMED = "confirmed", pgettext_lazy("result", "Confirmed")
        DISPUTED = "disputed", pgettext_lazy("result", "Disputed")
        VOID = "void", pgettext_lazy("result", "Void")

    class Source(models.TextChoices):
        MATCH = "match", _("from the live table")
        PLAYER = "player", _("from a player")
        ORGANISER = "organiser", _("from an organiser")
        FORFEIT = "forfeit", _("without a game")

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="results")
    version = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    source = models.CharField(max_length=10, choices=Source)
    places = models.JSONField(default=list)
    grade = models.JSONField(default=list, blank=True)
    note = models.CharField(max_length=300, blank=True)
    # It came after its round was closed, and waits for an organiser.
    late = models.BooleanField(default=False)
    in_force = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ResultQuerySet.as_manager()

    class Meta:
        ordering = ["pairing", "version"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "version"], name="result_version_once"),
            models.UniqueConstraint(
                fields=["pairing"], condition=Q(in_force=True), name="result_one_in_force_for_a_table"
            ),
            models.CheckConstraint(
                condition=Q(in_force=False) | Q(kind="confirmed"), name="result_in_force_is_confirmed"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["reported", "confirmed", "disputed", "void"]), name="result_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(source__in=["match", "player", "organiser", "forfeit"]), name="result_source_known"
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="result_version_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} result {self.version} of {self.pairing_id}"

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("Results are only ever appended to.")


class ResultAnswer(models.Model):
    """The answer of another player to a reported result."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="answers")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    agrees = models.BooleanField()
    note = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["result", "at", "pk"]
        constraints = [models.UniqueConstraint(fields=["result", "by"], name="result_answer_once")]

    def __str__(self) -> str:
        return f"{self.by_id} on {self.result_id}"


class SentReport(models.Model):
    """A result that a page or program sent under a key of its own: sent again, it is not written again."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=40)
    result = models.ForeignKey(Result, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["by", "pairing", "key"], name="sent_report_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.by_id}"


class StandingsSnapshot(models.Model):
    """The standings after a round; a correction appends another version.

    `rows` are JSON lines of `leagues.formats.standings.Row`; `tie_breaks` is the list they were made by.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="snapshots")
    number = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveSmallIntegerField(default=1)
    tie_breaks = models.JSONField(default=list)
    rows = models.JSONField(default=list)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["stage", "number", "group", "version"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number", "group", "version"], name="snapshot_version_once"),
        ]

    def __str__(self) -> str:
        return f"standings of {self.stage_id} after {self.number}"
