"""One rating change opened to its full sum: expected, actual, K, offsets, before and after.

Made anew from what was written down beside the change, by the same functions that the fold uses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leagues.ratings.curve import K16, K32
from leagues.ratings.fold import ANCHORED, chance, mean, scenario_k, team_k, weight
from leagues.ratings.kinds import SCALE, SOLO, Kind


@dataclass(frozen=True, slots=True)
class Seated:
    """One seat of a rated table as it stood before the result; ratings and offsets in thousandths of a point."""

    user_id: int
    is_bot: bool
    rank: int
    left: bool
    role: str
    before: int
    after: int
    games: int
    role_before: int = 0
    role_after: int = 0
    role_games: int = 0
    offset: int = 0
    offset_games: int = 0

    @property
    def is_solo(self) -> bool:
        return self.role == SOLO

    @property
    def is_anchored(self) -> bool:
        """A bot with so many games that its rating stands still."""
        return self.is_bot and self.games >= ANCHORED


@dataclass(frozen=True, slots=True)
class Meeting:
    """What was expected of one player against one opponent, and what came of it: 1 a win, 1/2 a tie, 0 a loss.

    `mine` and `theirs` are the two numbers that were compared, offsets and roles included, in thousandths.
    """

    user_id: int
    mine: int
    theirs: int
    expected: float
    actual: float


@dataclass(frozen=True, slots=True)
class Sum:
    """K / share × (actual − expected), rounded to a thousandth of a point, and nothing for an anchored bot."""

    k: float
    share: int
    expected: float
    actual: float
    before: int
    after: int

    @property
    def exact(self) -> float:
        """What the formula gives, in points."""
        return self.k / self.share * (self.actual - self.expected)

    @property
    def moved(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Explanation:
    """A change of a rating (and of what the role adds to it), with everybody it was computed from.

    `mine` and `theirs` are what was compared: own rating or team mean against the opponents' or the scenario's,
    with `offset` for the seat, the size of the team or the scenario. Free-for-all tables compare pair by pair:
    there the `meetings` say it.
    """

    kind: Kind
    me: Seated
    rating: Sum
    role: Sum | None
    meetings: tuple[Meeting, ...]
    mates: tuple[Seated, ...]
    opponents: tuple[Seated, ...]
    mine: int
    theirs: int
    offset: int
    offset_k: float
    """How much this table's result could move the offset, in points."""


def explain(kind: Kind, seats: Sequence[Seated], place: int) -> Explanation:
    """The sum of one change: that of the seat in this place among all seats of the table, which are in their order."""
    me = seats[place]
    if kind is Kind.FREE_FOR_ALL:
        return _free_for_all(me, [seat for seat in seats if seat is not me])
    if kind is Kind.ONE_VS_MANY:
        return _one_vs_many(me, seats)
    return _cooperative(me, seats)


def _free_for_all(me: Seated, others: Sequence[Seated]) -> Explanation:
    meetings = tuple(_meeting(me, other) for other in others)
    k = weight(K32, me.games) / SCALE
    expected, actual = sum(each.expected for each in meetings), sum(each.actual for each in meetings)
    total = Sum(k, len(others), expected, actual, me.before, me.after)
    mine = me.before + me.offset
    return Explanation(
        Kind.FREE_FOR_ALL, me, total, None, meetings, (), tuple(others), mine, 0, me.offset, offset_k=2.0
    )


def _meeting(me: Seated, other: Seated) -> Meeting:
    mine, theirs = me.before + me.offset, other.before + other.offset
    return Meeting(other.user_id, mine, theirs, chance(mine - theirs), points_between(me.rank, other.rank))


def points_between(mine: int, theirs: int) -> float:
    return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0


def _one_vs_many(me: Seated, seats: Sequence[Seated]) -> Explanation:
    alone = next(seat for seat in seats if seat.is_solo)
    team = [seat for seat in seats if seat is not alone]
    strong = alone.before + alone.role_before
    against = mean(sum(seat.before + seat.role_before for seat in team), len(team))
    expected = chance(strong - against + alone.offset)
    if me is alone:
        actual = sum(points_between(me.rank, seat.rank) for seat in team) / len(team)
        share, opponents, mates, mine, theirs = 1, team, [], strong, against
    else:
        actual, expected = points_between(me.rank, alone.rank), 1.0 - expected
        share, opponents, mates = len(team), [alone], [seat for seat in team if seat is not me]
        mine, theirs = against, strong
    k, role_k = weight(K16, me.games) / SCALE, weight(K16, me.role_games) / SCALE
    rating = Sum(k, share, expected, actual, me.before, me.after)
    role = Sum(role_k, share, expected, actual, me.role_before, me.role_after)
    offset_k = team_k(alone.offset_games) / SCALE
    return Explanation(
        Kind.ONE_VS_MANY, me, rating, role, (), tuple(mates), tuple(opponents), mine, theirs, alone.offset, offset_k
    )


def _cooperative(me: Seated, seats: Sequence[Seated]) -> Explanation:
    mine = mean(sum(seat.before for seat in seats), len(seats))
    expected = chance(mine - me.offset)
    k = weight(K32, me.games) / SCALE
    rating = Sum(k, len(seats), expected, 1.0 if me.rank == 1 else 0.0, me.before, me.after)
    mates = tuple(seat for seat in seats if seat is not me)
    offset_k = scenario_k(me.offset_games) / SCALE
    return Explanation(Kind.COOPERATIVE, me, rating, None, (), mates, (), mine, me.offset, me.offset, offset_k)
