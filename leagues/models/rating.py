"""Ratings: the facts they are folded from, every change with what it was computed from, and the present numbers.

Ratings and offsets are whole thousandths of a point, so that adding them up gives the same in every order and place.
"""

from datetime import date
from typing import NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

import engine
from engine.bots import LEVELS
from games.models import Match
from leagues.ratings import deviation
from leagues.ratings.deviation import Belief
from leagues.ratings.fold import ENTRY_SHARE, grown, mean
from leagues.ratings.kinds import (
    FIRST_COVARIANCE,
    FIRST_DEVIATION,
    FIRST_VARIANCE,
    METHOD,
    PROVISIONAL,
    STANDARD,
    START,
    Kind,
    kind_of,
    points,
)


class RatingPool(models.Model):
    """All that is rated on one scale: a game in one mode. Its row is the lock under which the fold is written."""

    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=20, default=STANDARD)
    # What the offsets started from when the pool was opened: a later balance report must not rewrite history.
    seeds = models.JSONField(default=dict, blank=True)
    # What its numbers were computed by. Where it is an earlier method than the present, all of it is folded again.
    method = models.PositiveSmallIntegerField(default=METHOD)
    # A cache of the fold: where people begin, in twentieths of a thousandth; what the spread is estimated from; around
    # which number people stand, and by how many points their true strengths spread.
    entry_twentieths = models.BigIntegerField(default=START * ENTRY_SHARE)
    moments = models.JSONField(default=list, blank=True)
    centre = models.IntegerField(default=START)
    spread = models.PositiveSmallIntegerField(default=FIRST_DEVIATION)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "mode"], name="pool_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.mode}"

    @property
    def title(self) -> str:
        return engine.game(self.game).title

    @property
    def kind(self) -> Kind:
        return kind_of(self.game)

    @property
    def entry(self) -> int:
        """The number that people begin at."""
        return mean(self.entry_twentieths, ENTRY_SHARE)

    def first_variance(self, side: str = "") -> int:
        """How unsure somebody's first number is, overall or as "solo" or "team"."""
        return deviation.first_variance(self.kind, side)

    def newcomer(self, side: str = "") -> Belief:
        """What is believed about somebody who has not been rated yet."""
        return Belief(self.entry, self.first_variance(side) * self.spread**2 // FIRST_DEVIATION**2)


class HouseBot(models.Model):
    """The account under which a level of the house's bots is rated: another version is another player."""

    level = models.CharField(max_length=10)
    version = models.PositiveSmallIntegerField()
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="house_bot")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["level", "version"], name="house_bot_once"),
            models.CheckConstraint(condition=Q(level__in=LEVELS), name="house_bot_level_known"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.version}"


class RatedResult(models.Model):
    """How one table ended, as far as ratings care. Appended only: a correction is the next version of its source.

    `counts` says whether the fold should count this version, `folded` whether it does. Where the two differ, the
    fold has work to do; nothing else need be remembered about what changed.

    Results of one `batch`, a round of a league, are folded together, at the end of the first of them. `counts_at` is
    that moment, which the fold works out; as long as it has not, there is none and the result waits.
    """

    source = models.CharField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="results")
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="rated_results")
    finished_at = models.DateTimeField()
    batch = models.CharField(max_length=40, blank=True)
    counts_at = models.DateTimeField(null=True, blank=True)
    scenario = models.CharField(max_length=40, blank=True)
    # One list a seat, in the order of the seats: user, rank, whether they left, role.
    seats = models.JSONField(default=list)
    bots_only = models.BooleanField(default=False)
    void = models.BooleanField(default=False)
    counts = models.BooleanField(default=True)
    folded = models.BooleanField(default=False)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["finished_at", "source", "version"]
        indexes = [
            models.Index(fields=["pool", "counts_at"], condition=Q(counts=True), name="rated_in_order"),
            models.Index(fields=["batch"], condition=~Q(batch=""), name="rated_of_batch"),
            models.Index(
                fields=["pool"],
                condition=Q(counts=True, folded=False) | Q(counts=False, folded=True),
                name="rated_unsettled",
            ),
            models.Index(fields=["pool", "counts_at"], condition=Q(counts=True, bots_only=True), name="rated_of_bots"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["source", "version"], name="rated_version_once"),
            models.UniqueConstraint(fields=["source"], condition=Q(counts=True), name="rated_one_counts"),
            models.CheckConstraint(condition=Q(version__gte=1), name="rated_version_from_one"),
            models.CheckConstraint(condition=~Q(source=""), name="rated_has_a_source"),
            models.CheckConstraint(condition=Q(void=False) | Q(counts=False), name="rated_void_never_counts"),
        ]

    def __str__(self) -> str:
        return f"{self.source} v{self.version}"


class Refold(models.Model):
    """One recomputation of a pool from some point on: why, how far, and what it moved."""

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="refolds")
    at = models.DateTimeField(default=timezone.now, editable=False)
    # None: from the very beginning.
    since = models.DateTimeField(null=True, blank=True)
    sources = models.JSONField(default=list, blank=True)
    results = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    people = models.PositiveIntegerField(default=0)
    largest = models.PositiveIntegerField(default=0)
    # The method that ratings are computed by from here on, where this is why they were computed again.
    method = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["pool", "-at"], name="refold_of_pool")]

    def __str__(self) -> str:
        return f"refold {self.pk} of {self.pool_id}"


class ChangeQuerySet(models.QuerySet["RatingChange"]):
    def standing(self) -> "ChangeQuerySet":
        """Those that no refold has replaced."""
        return self.filter(superseded_by=None)

    def delete(self) -> NoReturn:
        raise TypeError("The log of rating changes is only ever appended to.")


class RatingChange(models.Model):
    """What one result did to the rating of whoever sat in one seat, with every number that went into it.

    Appended only: a refold adds what is true now and notes on the old row that it superseded it. A person has one
    seat at a table; a house bot may have several, and each moves it from the same `before`.
    """

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="changes")
    result = models.ForeignKey(RatedResult, models.PROTECT, related_name="changes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="rating_changes")
    at = models.DateTimeField()
    superseded_by = models.ForeignKey(Refold, models.PROTECT, null=True, blank=True, related_name="superseded")

    seat = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=20, blank=True)
    rank = models.PositiveSmallIntegerField()
    left = models.BooleanField(default=False)
    won = models.BooleanField()
    # Opponents met at this table, and twice the points taken from them: people and bots apart.
    met_people = models.PositiveSmallIntegerField(default=0)
    took_people = models.PositiveSmallIntegerField(default=0)
    met_bots = models.PositiveSmallIntegerField(default=0)
    took_bots = models.PositiveSmallIntegerField(default=0)

    before = models.IntegerField()
    after = models.IntegerField()
    games = models.PositiveIntegerField(help_text="rated games before this one")
    # How unsure the number was that was compared (where the game has roles, that of the role played): as the game
    # before had left it, and after this one. Nought where the change was made by an earlier method.
    variance = models.PositiveIntegerField(default=0)
    variance_after = models.PositiveIntegerField(default=0)
    idle_days = models.PositiveIntegerField(default=0, help_text="days since the game before")
    # Where newcomers began, in twentieths of a thousandth.
    entry = models.BigIntegerField(default=0)
    # What the role played adds to the rating, and the other role, where the game has roles.
    role_before = models.IntegerField(default=0)
    role_after = models.IntegerField(default=0)
    role_games = models.PositiveIntegerField(default=0)
    other_before = models.IntegerField(default=0)
    other_after = models.IntegerField(default=0)
    other_variance = models.PositiveIntegerField(default=0)
    other_variance_after = models.PositiveIntegerField(default=0)
    covariance = models.IntegerField(default=0)
    covariance_after = models.IntegerField(default=0)
    # Of the seat, the team's size or the scenario, from how many results it had been learned, and how unsure it was.
    offset = models.IntegerField(default=0)
    offset_games = models.PositiveIntegerField(default=0)
    offset_variance = models.PositiveIntegerField(default=0)

    objects = ChangeQuerySet.as_manager()

    class Meta:
        ordering = ["at", "result", "seat"]
        indexes = [
            models.Index(fields=["pool", "user", "at"], condition=Q(superseded_by=None), name="change_of_player"),
            models.Index(fields=["pool", "at"], condition=Q(superseded_by=None), name="change_in_order"),
            models.Index(fields=["user", "-at"], condition=Q(superseded_by=None), name="change_of_person"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["result", "seat"], condition=Q(superseded_by=None), name="change_once_a_seat"
            ),
            models.CheckConstraint(condition=Q(rank__gte=1), name="change_rank_from_one"),
            models.CheckConstraint(condition=Q(seat__lt=F("players")), name="change_seat_at_the_table"),
            models.CheckConstraint(
                condition=Q(took_people__lte=2 * F("met_people"), took_bots__lte=2 * F("met_bots")),
                name="change_takes_what_is_there",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.before} to {self.after}"

    @property
    def moved(self) -> int:
        return self.after - self.before

    @property
    def is_of_this_method(self) -> bool:
        """Whether its sum is the one that is made today."""
        return self.variance > 0

    def _overall(self, variance: int, other: int, covariance: int) -> int:
        """The variance of the rating: with roles, of the mean of the two."""
        has_roles = self.pool.kind is Kind.ONE_VS_MANY
        return deviation.overall(variance, other, covariance) if has_roles else variance

    @property
    def deviation_left(self) -> float:
        """How unsure the rating was after the game before."""
        return deviation.deviation(self._overall(self.variance, self.other_variance, self.covariance))

    @property
    def deviation_before(self) -> float:
        """How unsure it was when this game was played, grown by the days without one."""
        variance = self._overall(self.variance, self.other_variance, self.covariance)
        return deviation.deviation(grown(variance, self.idle_days, self.pool.first_variance()))

    @property
    def deviation_after(self) -> float:
        return deviation.deviation(self._overall(self.variance_after, self.other_variance_after, self.covariance_after))


class Rating(models.Model):
    """A player's present numbers in a pool: a cache of the fold, rebuilt from it at any time."""

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="ratings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="ratings")
    is_bot = models.BooleanField()
    is_guest = models.BooleanField(default=False)
    rating = models.IntegerField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField(default=0)
    # Where one plays against many: what the role adds, and the sum that a role's board is ordered by.
    solo_delta = models.IntegerField(default=0)
    solo_games = models.PositiveIntegerField(default=0)
    solo_wins = models.PositiveIntegerField(default=0)
    team_delta = models.IntegerField(default=0)
    team_games = models.PositiveIntegerField(default=0)
    team_wins = models.PositiveIntegerField(default=0)
    as_solo = models.IntegerField(default=0)
    as_team = models.IntegerField(default=0)
    # How unsure the numbers were after the last game, in thousandths of a squared point; and the last day on which
    # the deviation is small enough for a number that is not provisional, if no other game comes.
    variance = models.PositiveIntegerField(default=FIRST_VARIANCE)
    solo_variance = models.PositiveIntegerField(default=FIRST_VARIANCE)
    team_variance = models.PositiveIntegerField(default=FIRST_VARIANCE)
    covariance = models.IntegerField(default=FIRST_COVARIANCE)
    sure_until = models.DateField(null=True, blank=True)
    solo_sure_until = models.DateField(null=True, blank=True)
    team_sure_until = models.DateField(null=True, blank=True)
    # Opponents met, and twice the points taken from them.
    met_people = models.PositiveIntegerField(default=0)
    took_people = models.PositiveIntegerField(default=0)
    met_bots = models.PositiveIntegerField(default=0)
    took_bots = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes = [
            # A board is read along these alone: with or without the few bots and guests, only those who played lately.
            models.Index(fields=["pool", "-rating", "user", "is_bot", "is_guest", "last_at"], name="rating_board"),
            models.Index(
                fields=["pool", "-as_solo", "user", "is_bot", "is_guest", "last_at"],
                condition=Q(solo_games__gt=0),
                name="rating_board_solo",
            ),
            models.Index(
                fields=["pool", "-as_team", "user", "is_bot", "is_guest", "last_at"],
                condition=Q(team_games__gt=0),
                name="rating_board_team",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["pool", "user"], name="rating_once"),
            models.CheckConstraint(condition=Q(games__gte=1), name="rating_has_a_game"),
            models.CheckConstraint(
                condition=Q(as_solo=F("rating") + F("solo_delta"), as_team=F("rating") + F("team_delta")),
                name="rating_roles_add_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.pool_id}: {self.rating}"

    @property
    def points(self) -> int:
        return points(self.rating)

    def variance_on(self, day: date | None = None, side: str = "") -> int:
        """How unsure the number is on a day (by default today), overall or as "solo" or "team"; bots do not change."""
        variance: int = getattr(self, f"{side}_variance" if side else "variance")
        if self.is_bot:
            return variance
        idle = (day or deviation.utc_day(timezone.now())) - deviation.utc_day(self.last_at)
        return grown(variance, max(0, idle.days), self.pool.first_variance(side))

    def deviation_on(self, day: date | None = None, side: str = "") -> float:
        """The same in points; the true strength lies within twice as much, nineteen times in twenty."""
        return deviation.deviation(self.variance_on(day, side))

    @property
    def deviation(self) -> float:
        return self.deviation_on()

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL

    def belief(self, day: date | None = None, side: str = "") -> Belief:
        """What the rating says about the player's true strength, given how far this pool's people spread."""
        number: int = getattr(self, f"as_{side}" if side else "rating")
        return deviation.calibrated(
            number,
            self.variance_on(day, side),
            first=self.pool.first_variance(side),
            centre=self.pool.centre,
            spread=self.pool.spread,
        )


class RatingOffset(models.Model):
    """A pool's published offsets: of a seat, of a team's size, or how hard a scenario is; a cache of the fold."""

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="offsets")
    players = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40, blank=True, help_text="the seat's number, or the scenario")
    value = models.IntegerField()
    games = models.PositiveIntegerField(default=0)
    variance = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pool", "name", "players"]
        constraints = [models.UniqueConstraint(fields=["pool", "players", "name"], name="offset_once")]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.players} {self.name}: {self.value}"

    @property
    def points(self) -> int:
        return points(self.value)
