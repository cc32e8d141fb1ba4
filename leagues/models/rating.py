"""Ratings: the results they are computed from, every change with its inputs, and the present numbers.

Ratings and offsets are whole thousandths of a point, so that sums do not depend on the order or the machine.
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
from games.titles import game_title
from leagues.elo import deviation
from leagues.elo.deviation import Belief
from leagues.elo.result_types import (
    FIRST_COVARIANCE,
    FIRST_DEVIATION,
    FIRST_VARIANCE,
    METHOD,
    PROVISIONAL,
    STANDARD,
    START,
    RatingKind,
    points,
)
from leagues.elo.update import ENTRY_SHARE, grown, mean


def kind_of(game: str) -> RatingKind:
    """How a game's results are rated: cooperative, one against many, or else everybody against everybody."""
    rules = engine.game(game)
    if rules.cooperative:
        return RatingKind.COOPERATIVE
    return RatingKind.ONE_VS_MANY if rules.solo_role else RatingKind.FREE_FOR_ALL


class RatingPool(models.Model):
    """All that is rated on one scale: a game in one mode. Its row is locked while ratings are written."""

    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=20, default=STANDARD)
    # The initial offsets when the pool was created: a later balance report must not change history.
    seeds = models.JSONField(default=dict, blank=True)
    # The method that its numbers were computed by. If it is an earlier one, everything is computed again.
    method = models.PositiveSmallIntegerField(default=METHOD)
    # Computed from the results: the rating of newcomers, in twentieths of a thousandth; the sums for the spread; the
    # centre of people's ratings, and the spread of their true strengths in points.
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
        return game_title(self.game)

    @property
    def kind(self) -> RatingKind:
        return kind_of(self.game)

    @property
    def solo_role(self) -> str:
        """The role that plays alone; empty where no role does."""
        return engine.game(self.game).solo_role

    @property
    def entry(self) -> int:
        """The rating of newcomers."""
        return mean(self.entry_twentieths, ENTRY_SHARE)

    def first_variance(self, side: str = "") -> int:
        """The variance of a newcomer's rating, overall or as "solo" or "team"."""
        return deviation.first_variance(self.kind, side)

    def newcomer(self, side: str = "") -> Belief:
        """The estimated strength of somebody without a rating."""
        return Belief(self.entry, self.first_variance(side) * self.spread**2 // FIRST_DEVIATION**2)


class HouseBot(models.Model):
    """The account under which a level of the site's bots is rated; each version has its own."""

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
    """The rated result of one table. Rows are only appended: a correction is the next version of its source.

    `counts` says whether ratings should include this version, `folded` whether they do. Where the two differ, the
    ratings have to be updated; nothing else needs to be stored about what changed.

    Results of one `batch`, a round of a league, count together, at the end of the first of them. `counts_at` is that
    moment; it is empty until `leagues.ratings.pending` has set it.
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
    """One recomputation of a pool from some point on: its cause, extent and effect."""

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="refolds")
    at = models.DateTimeField(default=timezone.now, editable=False)
    # None: from the first result.
    since = models.DateTimeField(null=True, blank=True)
    sources = models.JSONField(default=list, blank=True)
    results = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    people = models.PositiveIntegerField(default=0)
    largest = models.PositiveIntegerField(default=0)
    # The new method, if this recomputation was because of a new method.
    method = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["pool", "-at"], name="refold_of_pool")]

    def __str__(self) -> str:
        return f"refold {self.pk} of {self.pool_id}"


class ChangeQuerySet(models.QuerySet["RatingChange"]):
    def standing(self) -> "ChangeQuerySet":
        """The changes that no recomputation has replaced."""
        return self.filter(superseded_by=None)

    def delete(self) -> NoReturn:
        raise TypeError("The log of rating changes is only ever appended to.")


class RatingChange(models.Model):
    """The effect of one result on the rating of the player in one seat, with all inputs of the calculation.

    Rows are only appended: a recomputation adds new rows and marks the old ones as superseded. A person has one seat at
    a table; a site bot may have several, and each moves it from the same `before`.
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
    # Opponents at this table, and twice the points taken from them: people and bots separately.
    met_people = models.PositiveSmallIntegerField(default=0)
    took_people = models.PositiveSmallIntegerField(default=0)
    met_bots = models.PositiveSmallIntegerField(default=0)
    took_bots = models.PositiveSmallIntegerField(default=0)

    before = models.IntegerField()
    after = models.IntegerField()
    games = models.PositiveIntegerField(help_text="rated games before this one")
    # The variance of the compared number (where the game has roles, that of the role played): after the game before,
    # and after this one. Zero where the change was computed by an earlier method.
    variance = models.PositiveIntegerField(default=0)
    variance_after = models.PositiveIntegerField(default=0)
    idle_days = models.PositiveIntegerField(default=0, help_text="days since the game before")
    # The rating of newcomers, in twentieths of a thousandth.
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
    # The offset of the seat, the team's size or the scenario, its number of results, and its variance.
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
        """Whether it was computed by the present method."""
        return self.variance > 0

    def _overall(self, variance: int, other: int, covariance: int) -> int:
        """The variance of the rating: with roles, of the mean of the two."""
        has_roles = self.pool.kind is RatingKind.ONE_VS_MANY
        return deviation.overall(variance, other, covariance) if has_roles else variance

    @property
    def deviation_left(self) -> float:
        """The deviation after the game before."""
        return deviation.deviation(self._overall(self.variance, self.other_variance, self.covariance))

    @property
    def deviation_before(self) -> float:
        """The deviation at this game, after the days without one."""
        variance = self._overall(self.variance, self.other_variance, self.covariance)
        return deviation.deviation(grown(variance, self.idle_days, self.pool.first_variance()))

    @property
    def deviation_after(self) -> float:
        return deviation.deviation(self._overall(self.variance_after, self.other_variance_after, self.covariance_after))


class Rating(models.Model):
    """A player's present numbers in a pool: a cache that can be computed from the results at any time."""

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
    # The variances after the last game, in thousandths of a squared point; and the last day on which the rating is
    # not provisional, if no other game follows.
    variance = models.PositiveIntegerField(default=FIRST_VARIANCE)
    solo_variance = models.PositiveIntegerField(default=FIRST_VARIANCE)
    team_variance = models.PositiveIntegerField(default=FIRST_VARIANCE)
    covariance = models.IntegerField(default=FIRST_COVARIANCE)
    sure_until = models.DateField(null=True, blank=True)
    solo_sure_until = models.DateField(null=True, blank=True)
    team_sure_until = models.DateField(null=True, blank=True)
    # Opponents, and twice the points taken from them.
    met_people = models.PositiveIntegerField(default=0)
    took_people = models.PositiveIntegerField(default=0)
    met_bots = models.PositiveIntegerField(default=0)
    took_bots = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes = [
            # The indexes that leaderboards use: with or without bots and guests, only those who played lately.
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
        """The variance on a day (by default today), overall or as "solo" or "team"; a bot's does not grow."""
        variance: int = getattr(self, f"{side}_variance" if side else "variance")
        if self.is_bot:
            return variance
        idle = (day or deviation.utc_day(timezone.now())) - deviation.utc_day(self.last_at)
        return grown(variance, max(0, idle.days), self.pool.first_variance(side))

    def deviation_on(self, day: date | None = None, side: str = "") -> float:
        """The deviation in points; the true strength lies within twice as much with 95 % probability."""
        return deviation.deviation(self.variance_on(day, side))

    @property
    def deviation(self) -> float:
        return self.deviation_on()

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL

    def belief(self, day: date | None = None, side: str = "") -> Belief:
        """The player's estimated true strength, given the spread of this pool's people."""
        number: int = getattr(self, f"as_{side}" if side else "rating")
        return deviation.calibrated(
            number,
            self.variance_on(day, side),
            first=self.pool.first_variance(side),
            centre=self.pool.centre,
            spread=self.pool.spread,
        )


class RatingOffset(models.Model):
    """A published offset of a pool: of a seat, of a team's size, or the difficulty of a scenario. A cache."""

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


class BoardDigest(models.Model):
    """What is counted over all players of a pool, for the pages that no index can answer. A cache.

    A worker counts it again after results, and once a day. `next_at` is the earliest time: a count that takes long is
    made less often.
    """

    pool = models.OneToOneField(RatingPool, models.CASCADE, related_name="digest")
    is_stale = models.BooleanField(default=True, help_text="ratings have changed since it was begun")
    next_at = models.DateTimeField(default=timezone.now)
    made_at = models.DateTimeField(null=True, blank=True)
    data = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"digest of {self.pool_id}"
