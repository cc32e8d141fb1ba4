"""A match: from the open table to the finished record."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import engine
from accounts.models import Club, User
from games.models.card_file import CardFile
from games.titles import game_title, short_title

# The reason of a match that ended before every seat had had its two turns.
CALLED_OFF = "called-off"
KEY_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_key() -> str:
    """A key for a match that cannot be guessed: whoever knows it may see a table by link."""
    return get_random_string(10, KEY_ALPHABET)


def with_cards(game: str, options: dict[str, Any], card_file: CardFile | None) -> dict[str, Any]:
    """Options of a match together with the cards it is played with."""
    return options if card_file is None else {**options, engine.game(game).card_option: card_file.document}


class MatchQuerySet(models.QuerySet["Match"]):
    def with_people(self) -> "MatchQuerySet":
        """With host, club and players, in two queries for all; not with the text of card files, which is long."""
        rows = self.select_related("host", "club", "card_file").defer("card_file__source")
        return rows.prefetch_related("seats__user")

    def listed_for(self, user: object) -> "MatchQuerySet":
        """Matches that this person may see in lists; a table by link is only in its players' lists."""
        seen = Q(visibility=Match.Visibility.ANYONE) & (Q(club=None) | Q(club__is_private=False))
        if isinstance(user, User):
            clubs = user.memberships.values("club_id")
            members = Q(visibility__in=[Match.Visibility.ANYONE, Match.Visibility.CLUB], club__in=clubs)
            seen |= members | Q(pk__in=user.seats.values("match_id"))
        return self.filter(seen)

    def of(self, person: User) -> "MatchQuerySet":
        return self.filter(seats__user=person)

    def under_way_for(self, person: User) -> "MatchQuerySet":
        """A person's open tables and running matches, `my_turn` first, then what changed last."""
        under_way = self.filter(
            status__in=[Match.Status.OPEN, Match.Status.PLAYING], seats__user=person, seats__left__in=["", "away"]
        )
        waits = Q(pk__in=Match.objects.waiting_for(person).values("pk"))
        return under_way.annotate(my_turn=waits).order_by("-my_turn", "-turn_since", "-pk")

    def waiting_for(self, person: User) -> "MatchQuerySet":
        """Running matches in which this person is to act."""
        return self.filter(
            status=Match.Status.PLAYING, seats__user=person, seats__bot_level="", seats__index=F("to_act")
        )


class Match(models.Model):
    """A table that becomes a match. Seed, options, rules and moves define it; `snapshot` is only a cache."""

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("table", "Open")
        PLAYING = "playing", pgettext_lazy("table", "Playing")
        FINISHED = "finished", pgettext_lazy("table", "Finished")
        ABORTED = "aborted", pgettext_lazy("table", "Called off")

    class Visibility(models.TextChoices):
        ANYONE = "anyone", _("Anyone may join and watch")
        CLUB = "club", _("Members of the club")
        LINK = "link", _("Whoever has the link")

    class Clock(models.TextChoices):
        NONE = "none", _("No clock")
        LIVE = "live", _("Live: a bank of minutes, and seconds for every turn")
        DAYS = "days", _("By correspondence: days for every turn")

    class OnTimeout(models.TextChoices):
        BOT = "bot", _("A bot keeps the seat until they come back")
        FORFEIT = "forfeit", _("They forfeit the match")

    class Tempo(models.TextChoices):
        QUICK = "quick", pgettext_lazy("pace of bots", "Quick")
        NORMAL = "normal", pgettext_lazy("pace of bots", "Normal")
        SLOW = "slow", pgettext_lazy("pace of bots", "Slow")

    class Cause(models.TextChoices):
        PLAYED = "played", _("Played to the end")
        RESIGNED = "resigned", _("Ended by resignation")
        TIMEOUT = "timeout", _("Ended on time")

    key = models.CharField(max_length=12, unique=True, default=new_key, editable=False)
    game = models.CharField(max_length=40)
    players = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict, blank=True)
    rules_version = models.PositiveSmallIntegerField()
    # The club's own cards, where the table is not played with those of the site.
    card_file = models.ForeignKey(CardFile, models.PROTECT, null=True, blank=True, related_name="matches")

    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="matches")
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.ANYONE)
    rated = models.BooleanField(default=False)
    draws_seats = models.BooleanField(default=True)
    rematch_of = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="rematch", editable=False
    )

    # Where this match was played on from a position of another: that match while it is there, how many plies of it
    # come first in this record, and the seeds that they were dealt from. See `games.tables.play_on`.
    played_on_from = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+", editable=False)
    plies_taken_over = models.PositiveIntegerField(default=0, editable=False)
    earlier_seeds = models.TextField(blank=True, editable=False)

    # A first match with a coach: a fixed deal and bots that follow a script; see `games.coach`.
    is_tutorial = models.BooleanField(default=False, editable=False)

    clock = models.CharField(max_length=10, choices=Clock, default=Clock.NONE)
    bank = models.PositiveIntegerField(default=0, help_text="seconds")
    increment = models.PositiveIntegerField(default=0, help_text="seconds")
    days = models.PositiveSmallIntegerField(default=0)
    on_timeout = models.CharField(max_length=10, choices=OnTimeout, default=OnTimeout.BOT)

    secret = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    takes_words = models.BooleanField(default=True)
    # The same deal is still played at other tables: hide what would reveal it, even when this match is over.
    sealed = models.BooleanField(default=False)

    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    ply = models.PositiveIntegerField(default=0)
    to_act = models.PositiveSmallIntegerField(null=True, blank=True)
    snapshot = models.JSONField(null=True, blank=True)
    # When the current turn began, and when its clock expires.
    turn_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    # When a bot is due to move or a waiting act to be played, until when a worker has claimed the move, and the
    # attempts at this ply.
    bot_due = models.DateTimeField(null=True, blank=True)
    bot_held = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # How often somebody left a seat to a bot or came back: a move is written for the seats it was made for.
    seat_changes = models.PositiveIntegerField(default=0)
    # How fast bots play where a person sits; see `games.play.pace`.
    tempo = models.CharField(max_length=10, choices=Tempo, default=Tempo.NORMAL)
    # Who passes, who was asked for help, and the act that waits for answers; see `games.help_state`.
    responses = models.JSONField(default=dict, blank=True, editable=False)
    # Seconds between two moves of an exhibition match, and when it was last watched.
    pace = models.PositiveSmallIntegerField(default=0)
    watched_at = models.DateTimeField(null=True, blank=True)

    cause = models.CharField(max_length=10, choices=Cause, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    grade = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "-created_at"], name="match_by_status"),
            models.Index(fields=["club", "-created_at"], name="match_of_club"),
            models.Index(fields=["finished_at"], condition=Q(status="finished"), name="match_finished"),
            models.Index(fields=["bot_due"], condition=Q(bot_due__isnull=False), name="match_bot_due"),
            models.Index(fields=["deadline"], condition=Q(deadline__isnull=False), name="match_deadline"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="open", ply=0, started_at=None, finished_at=None)
                | Q(status="playing", started_at__isnull=False, finished_at=None)
                | Q(status="finished", started_at__isnull=False, finished_at__isnull=False)
                | Q(status="aborted", ply=0, finished_at__isnull=False),
                name="match_status_fits_its_times",
            ),
            models.CheckConstraint(
                condition=Q(status="playing") | Q(bot_due=None, deadline=None, to_act=None),
                name="match_owes_nothing_unless_playing",
            ),
            models.CheckConstraint(
                condition=Q(status="finished", cause__in=["played", "resigned", "timeout"])
                | (~Q(status="finished") & Q(cause="")),
                name="match_cause_when_finished",
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=["anyone", "link"]) | Q(visibility="club", club__isnull=False),
                name="match_for_a_club_has_one",
            ),
            models.CheckConstraint(
                condition=Q(clock="none", bank=0, increment=0, days=0)
                | Q(clock="live", bank__gte=30, days=0)
                | Q(clock="days", bank=0, increment=0, days__gte=1),
                name="match_clock_is_whole",
            ),
            models.CheckConstraint(condition=Q(on_timeout__in=["bot", "forfeit"]), name="match_on_timeout_known"),
            models.CheckConstraint(condition=Q(tempo__in=["quick", "normal", "slow"]), name="match_tempo_known"),
            models.CheckConstraint(condition=Q(is_tutorial=False) | Q(rated=False), name="match_tutorial_is_casual"),
            models.CheckConstraint(condition=Q(players__gte=2, players__lte=12), name="match_players_sane"),
            models.CheckConstraint(
                condition=Q(to_act=None) | Q(to_act__lt=F("players")), name="match_to_act_is_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.key])

    @property
    def title(self) -> str:
        """What the game is called, in the reader's language."""
        return game_title(self.game)

    @property
    def short_title(self) -> str:
        return short_title(self.game)

    @property
    def stored_title(self) -> str:
        """The same in English, as the log and notices keep it."""
        return engine.game(self.game).title

    @property
    def engine_options(self) -> dict[str, Any]:
        """The options as the rules take them, with the whole card file where the table has one."""
        return with_cards(self.game, self.options, self.card_file)

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_playing(self) -> bool:
        return self.status == self.Status.PLAYING

    @property
    def is_finished(self) -> bool:
        return self.status == self.Status.FINISHED

    @property
    def is_called_off(self) -> bool:
        """Whether a player left so early that nobody won or lost and nothing is rated; see `games.play.finish`."""
        return self.reason == CALLED_OFF

    @property
    def is_for_members(self) -> bool:
        """Whether only members of its club may see it, apart from its players."""
        open_to_all = self.visibility == self.Visibility.ANYONE and not (self.club and self.club.is_private)
        return not open_to_all and self.visibility != self.Visibility.LINK

    @property
    def is_played_on(self) -> bool:
        """Whether it began from a position of another match."""
        return bool(self.earlier_seeds)

    @property
    def is_current(self) -> bool:
        """Whether it was played by the current rules: an older record cannot be played on."""
        return self.game in engine.GAMES and engine.game(self.game).rules_version == self.rules_version
