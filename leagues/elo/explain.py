"""The full calculation of one rating change: opponents, expectations, weights and results.

Computed again from the numbers stored with the change, by the same functions as the rating update. Every line is
K × counts × (actual − expected), and the lines add up to the change, to the thousandth of a point.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leagues.elo.result_types import FIRST_VARIANCE, SCALE, RatingKind
from leagues.elo.update import (
    ANCHORED,
    LEAST_DIFFICULTY,
    LEAST_OFFSET,
    Q,
    expected,
    gap,
    grown,
    learned,
    mean,
    table_weight,
    whole,
)


@dataclass(frozen=True, slots=True)
class Seated:
    """One seat of a rated table before the result; all numbers in thousandths.

    The names are the columns of a rating change. `variance` is that of the number that was compared: where
    the game has roles, of the role that was played. `is_solo` marks the one who plays against all others.
    """

    user_id: int
    is_bot: bool
    rank: int
    left: bool
    role: str
    before: int
    after: int
    games: int
    variance: int
    variance_after: int
    idle_days: int = 0
    role_before: int = 0
    role_after: int = 0
    other_before: int = 0
    other_after: int = 0
    covariance_after: int = 0
    offset: int = 0
    offset_games: int = 0
    offset_variance: int = 0
    is_solo: bool = False

    @property
    def is_anchored(self) -> bool:
        """Whether it is a bot with so many games that its rating no longer moves."""
        return self.is_bot and self.games >= ANCHORED

    @property
    def number(self) -> int:
        """The number that was compared, without the seat's offset."""
        return self.before + self.role_before

    @property
    def unsure(self) -> int:
        """The variance of that number on the day of the game."""
        return grown(self.variance, self.idle_days, FIRST_VARIANCE)


@dataclass(frozen=True, slots=True)
class Meeting:
    """One line of the sum: the expected and the actual result against one opponent (1 a win, ½ a tie, 0 a loss).

    `mine` and `theirs` are the two numbers that were compared, offsets included; `unsure` is the variance of theirs.
    `part` is less than 1 against an opponent with a larger variance; `counts` is the weight of the line, and `points`
    what it gave, in thousandths. A line without a user is that of the scenario.
    """

    user_id: int | None
    mine: int
    theirs: int
    unsure: int
    expected: float
    actual: float
    part: float
    counts: float
    points: int = 0


@dataclass(frozen=True, slots=True)
class Sum:
    """A rating before and after. K is q × the variance after the result, or × the covariance for the other role."""

    k: float
    before: int
    after: int

    @property
    def moved(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Explanation:
    """A change with all the numbers it was computed from.

    `rating` is the number that was compared, with roles that of the role played; `other` is then the number of the
    other role, and the rating is the mean of the two. `mine` and `theirs` are the two numbers compared: own number
    or team mean against the opponents' or the scenario's, with `offset` for the seat, the team's size or the scenario.
    """

    kind: RatingKind
    me: Seated
    rating: Sum
    other: Sum | None
    meetings: tuple[Meeting, ...]
    mates: tuple[Seated, ...]
    mine: int
    theirs: int
    offset: int
    offset_k: float
    """How far this table's result can move the offset of the team's size or the scenario, in points."""

    @property
    def expected(self) -> float:
        """The mean of the lines; where sides play, the chance of the own side."""
        return sum(line.expected for line in self.meetings) / len(self.meetings)


def explain(kind: RatingKind, seats: Sequence[Seated], place: int) -> Explanation:
    """Explain the change of the seat at index `place`; `seats` are all seats of the table in order."""
    me = seats[place]
    if kind is RatingKind.FREE_FOR_ALL:
        return _free_for_all(me, [seat for seat in seats if seat is not me])
    if kind is RatingKind.ONE_VS_MANY:
        return _one_vs_many(me, seats)
    return _cooperative(me, seats)


def points_between(mine: int, theirs: int) -> float:
    return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0


def _k(variance: int) -> float:
    return Q * variance / SCALE


def _added_up(me: Seated, moved: int, lines: Sequence[Meeting]) -> tuple[Meeting, ...]:
    """The lines with their points, rounded so that they add up to the change."""
    if me.is_anchored:
        return tuple(lines)
    k = Q * me.variance_after
    rounded, given, total = [], 0, 0.0
    for line in lines:
        total += k * line.counts * (line.actual - line.expected)
        points = (moved if line is lines[-1] else whole(total)) - given
        given += points
        rounded.append(replace(line, points=points))
    return tuple(rounded)


def _free_for_all(me: Seated, others: Sequence[Seated]) -> Explanation:
    mine, weight = me.before + me.offset, table_weight(len(others) + 1)
    lines = []
    for other in others:
        theirs, unsure = other.before + other.offset, me.unsure + other.unsure
        part = min(1.0, me.unsure / other.unsure)
        lines.append(
            Meeting(
                other.user_id,
                mine,
                theirs,
                other.unsure,
                expected(mine - theirs, unsure),
                points_between(me.rank, other.rank),
                part,
                weight * part * gap(unsure),
            )
        )
    rating = Sum(_k(me.variance_after), me.before, me.after)
    meetings = _added_up(me, rating.moved, lines)
    return Explanation(RatingKind.FREE_FOR_ALL, me, rating, None, meetings, (), mine, 0, me.offset, offset_k=0.0)


def _one_vs_many(me: Seated, seats: Sequence[Seated]) -> Explanation:
    alone = next(seat for seat in seats if seat.is_solo)
    team = [seat for seat in seats if seat is not alone]
    many, theirs = len(team), sum(seat.unsure for seat in team)
    against = mean(sum(seat.number for seat in team), many)
    unsure = alone.unsure + theirs // (many * many) + alone.offset_variance
    counts, likely = gap(unsure), expected(alone.number - against + alone.offset, unsure)
    if me is alone:
        part = min(1.0, me.unsure * many / theirs)
        lines = [
            Meeting(
                seat.user_id,
                alone.number,
                seat.number,
                seat.unsure,
                likely,
                points_between(me.rank, seat.rank),
                part,
                part * counts / many,
            )
            for seat in team
        ]
        mates, sides = [], (alone.number, against)
    else:
        part, actual = min(1.0, me.unsure / alone.unsure), points_between(me.rank, alone.rank)
        lines = [
            Meeting(
                alone.user_id,
                against,
                alone.number,
                alone.unsure,
                1.0 - likely,
                actual,
                part,
                part * counts / many,
            )
        ]
        mates, sides = [seat for seat in team if seat is not me], (against, alone.number)
    rating = Sum(_k(me.variance_after), me.number, me.after + me.role_after)
    other = Sum(_k(me.covariance_after), me.before + me.other_before, me.after + me.other_after)
    information = counts * counts * (likely - likely * likely)
    return Explanation(
        RatingKind.ONE_VS_MANY,
        me,
        rating,
        other,
        _added_up(me, rating.moved, lines),
        tuple(mates),
        *sides,
        alone.offset,
        _k(learned(alone.offset_variance, information, LEAST_OFFSET)) * counts,
    )


def _cooperative(me: Seated, seats: Sequence[Seated]) -> Explanation:
    team = len(seats)
    mine = mean(sum(seat.before for seat in seats), team)
    unsure = sum(seat.unsure for seat in seats) // (team * team) + me.offset_variance
    counts, likely = gap(unsure), expected(mine - me.offset, unsure)
    line = Meeting(None, mine, me.offset, me.offset_variance, likely, 1.0 if me.rank == 1 else 0.0, 1.0, counts / team)
    rating = Sum(_k(me.variance_after), me.before, me.after)
    information = counts * counts * (likely - likely * likely)
    return Explanation(
        RatingKind.COOPERATIVE,
        me,
        rating,
        None,
        _added_up(me, rating.moved, [line]),
        tuple(seat for seat in seats if seat is not me),
        mine,
        me.offset,
        me.offset,
        _k(learned(me.offset_variance, information, LEAST_DIFFICULTY)) * counts,
    )
