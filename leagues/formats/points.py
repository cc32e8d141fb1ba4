"""What a place at a table is worth, in units of 1/120 point. Presets are data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
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
    depend on it and pay more than most tables.
    """

    name: str
    ladder: tuple[tuple[int, ...], ...] = ()
    draw: int | None = None
    sides: bool = False
    generous_byes: bool = False
    table: int = 2

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
        """What a seat gets on average at a table of this size that ends without a tie, each side winning as often."""
        return sum(self.row(seats)) * POINT // seats if self.ladder else POINT // 2

    @property
    def least_average(self) -> int:
        """The lowest of these averages, of all sizes that a table can have."""
        sizes = [len(row) for row in self.ladder if len(row) <= self.table]
        return min([self.average(seats) for seats in sizes], default=self.half)

    def row(self, seats: int) -> tuple[int, ...]:
        found = next((row for row in self.ladder if len(row) == seats), None)
        if found is None:
            raise FormatError("error.scheme", name=self.name, seats=seats)
        return found


NORMAL = Scheme("normal")
SIDES = Scheme("sides", sides=True)
MEEPLE = Scheme("meeple", ladder=((10, 1), (10, 5, 1), (10, 6, 3, 1)))
GROUP = Scheme("group", ladder=((6, 1), (6, 3, 1), (6, 5, 3, 1)))
COMMANDER = Scheme("commander", ladder=((5, 0), (5, 0, 0), (5, 0, 0, 0), (5, 0, 0, 0, 0), (5, 0, 0, 0, 0, 0)), draw=1)
SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {each.name: each for each in (NORMAL, SIDES, MEEPLE, GROUP, COMMANDER)}
)

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


def scheme_of(name: str, edition: Edition, table: int = 2) -> Scheme:
    """The points list of a stage with tables of up to so many seats: byes pay what its edition says."""
    return replace(SCHEMES[name], generous_byes=edition is Edition.EARLIER, table=table)


def unplayed(scheme: Scheme, kind: Kind) -> int:
    """What a round without a game gives.

    No bye pays more than an average seat at a table, with two exceptions: where two meet at a table, a bye that the
    draw gives is a win, as in the regulations; and an organiser can give a full point to whoever they like.
    """
    if kind in (Kind.FPB, Kind.FW):
        return scheme.top
    if kind is Kind.PAB:
        return scheme.top if scheme.generous_byes or scheme.table <= 2 else scheme.least_average
    if kind is Kind.HPB:
        return scheme.half if scheme.generous_byes else min(scheme.half, scheme.least_average)
    return 0
