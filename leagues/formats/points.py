"""Points schemes: what a place at a table is worth, in units of 1/120 point."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from leagues.formats.editions import Edition
from leagues.formats.errors import FormatError
from leagues.formats.values import POINT, Kind


@dataclass(frozen=True)
class Scheme:
    """A points list. `ladder` gives whole points by place for each table size; without one, rank is normalised.

    `draw` set: a shared first place is a draw worth that many points and the others get nothing.
    `sides` set: the table is two sides, each winner takes the point and each loser none.
    `table` is the most who sit at a table: with `generous_byes`, as before the edition of March 2026, byes do not
    depend on it and pay more than most tables. `best` says how many rounds of everybody count; 0: all.
    """

    name: str
    ladder: tuple[tuple[int, ...], ...] = ()
    draw: int | None = None
    sides: bool = False
    generous_byes: bool = False
    table: int = 2
    best: int = 0

    @property
    def top(self) -> int:
        """The most one round can give."""
        return max(max(row) for row in self.ladder) * POINT if self.ladder else POINT

    @property
    def half(self) -> int:
        """What a drawn round counts: what the list says of draws, otherwise half of the most."""
        if self.draw is not None and not self.generous_byes:
            return self.draw * POINT
        return self.top // 2

    def average(self, seats: int) -> int:
        """A seat's average points at a table of this size without ties, if each side wins equally often."""
        return sum(self.row(seats)) * POINT // seats if self.ladder else POINT // 2

    @property
    def least_average(self) -> int:
        """The lowest average of all table sizes."""
        sizes = [len(row) for row in self.ladder if len(row) <= self.table]
        return min([self.average(seats) for seats in sizes], default=self.half)

    def dropped(self, worth: Sequence[int]) -> set[int]:
        """Which of these rounds do not count, by index: the lowest ones, and of equal ones the later."""
        if not self.best or len(worth) <= self.best:
            return set()
        return set(sorted(range(len(worth)), key=lambda at: (-worth[at], at))[self.best :])

    def total(self, worth: Sequence[int]) -> int:
        """What these rounds are worth together: all of them, or the best."""
        if not self.best or len(worth) <= self.best:
            return sum(worth)
        return sum(sorted(worth, reverse=True)[: self.best])

    def row(self, seats: int) -> tuple[int, ...]:
        points_by_place = next((row for row in self.ladder if len(row) == seats), None)
        if points_by_place is None:
            raise FormatError("error.scheme", name=self.name, seats=seats)
        return points_by_place


NORMAL = Scheme("normal")
SIDES = Scheme("sides", sides=True)
MEEPLE = Scheme("meeple", ladder=((10, 1), (10, 5, 1), (10, 6, 3, 1)))
GROUP = Scheme("group", ladder=((6, 1), (6, 3, 1), (6, 5, 3, 1)))
COMMANDER = Scheme("commander", ladder=((5, 0), (5, 0, 0), (5, 0, 0, 0), (5, 0, 0, 0, 0), (5, 0, 0, 0, 0, 0)), draw=1)
SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {each.name: each for each in (NORMAL, SIDES, MEEPLE, GROUP, COMMANDER)}
)

OWN = "own"
"""The code of a list that the organisers of a season wrote themselves."""
CODES = (*SCHEMES, OWN)
MOST_SEATS = 12
MOST_POINTS = 1000

WARNINGS: Mapping[str, str] = MappingProxyType(
    {"commander": "Draws can outscore wins: a table that agrees to draw may take more points than one with a winner."}
)


@lru_cache(maxsize=4096)
def points(scheme: Scheme, ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Each seat's points. Tied seats share the average of the places they cover."""
    seats = len(ranks)
    if scheme.sides:
        if len(set(ranks)) == 1:
            return (POINT // 2,) * seats
        return tuple(POINT if rank == min(ranks) else 0 for rank in ranks)
    if scheme.draw is not None and ranks.count(min(ranks)) > 1:
        return tuple(scheme.draw * POINT if rank == min(ranks) else 0 for rank in ranks)
    if scheme.ladder:
        worth = [each * POINT for each in scheme.row(seats)]
    elif seats == 1:
        worth = [POINT]
    else:
        worth = [(seats - place) * POINT // (seats - 1) for place in range(1, seats + 1)]
    shared = []
    for rank in ranks:
        first, tied = sum(other < rank for other in ranks), ranks.count(rank)
        shared.append(sum(worth[first : first + tied]) // tied)
    return tuple(shared)


def own_scheme(by_place: Sequence[int]) -> Scheme:
    """A list of the organisers: points by place, the same at tables of every size; 0 for places beyond its end."""
    _refuse_unplayable(by_place)
    full = (*by_place, *[0] * MOST_SEATS)
    return Scheme(OWN, ladder=tuple(tuple(full[:seats]) for seats in range(1, MOST_SEATS + 1)))


def _refuse_unplayable(by_place: Sequence[int]) -> None:
    if not 1 <= len(by_place) <= MOST_SEATS:
        raise FormatError("error.own-points-length", places=MOST_SEATS)
    if any(type(each) is not int or not 0 <= each <= MOST_POINTS for each in by_place):
        raise FormatError("error.own-points-range", most=MOST_POINTS)
    if any(lower > higher for higher, lower in pairwise(by_place)):
        raise FormatError("error.own-points-order")
    # At the smallest table two sit: a win has to be worth more than a loss.
    if by_place[0] <= (*by_place, 0)[1]:
        raise FormatError("error.own-points-win")


def scheme_of(name: str, edition: Edition, table: int = 2, own: Sequence[int] = (), best: int = 0) -> Scheme:
    """The points list of a stage with tables of up to so many seats: byes pay what its edition says."""
    known = own_scheme(own) if name == OWN else SCHEMES[name]
    return replace(known, generous_byes=edition is Edition.EARLIER, table=table, best=best)


def unplayed(scheme: Scheme, kind: Kind) -> int:
    """The points of a round without a game.

    No bye pays more than an average seat at a table, with two exceptions: where two meet at a table, a bye that the
    draw gives is a win, as in the regulations; and an organiser can give anybody a full point.
    """
    if kind in (Kind.FPB, Kind.FW):
        return scheme.top
    if kind is Kind.PAB:
        return scheme.top if scheme.generous_byes or scheme.table <= 2 else scheme.least_average
    if kind is Kind.HPB:
        return scheme.half if scheme.generous_byes else min(scheme.half, scheme.least_average)
    return 0
