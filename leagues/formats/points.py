"""What a place at a table is worth, in units of 1/120 point. Presets are data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from leagues.formats.errors import FormatError
from leagues.formats.values import POINT, Kind


@dataclass(frozen=True)
class Scheme:
    """A points list. `ladder` gives whole points by place for each table size; without one, rank is normalised.

    `draw` set: a shared first place is a draw worth that many points and the others get nothing.
    `sides` set: the table is two sides, each winner takes the point and each loser none.
    """

    name: str
    ladder: tuple[tuple[int, ...], ...] = ()
    draw: int | None = None
    sides: bool = False

    @property
    def top(self) -> int:
        """The most one round can give."""
        return max(max(row) for row in self.ladder) * POINT if self.ladder else POINT

    @property
    def half(self) -> int:
        """What a drawn round counts in tie-breaks: half of the most."""
        return self.top // 2

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


def unplayed(scheme: Scheme, kind: Kind) -> int:
    """What a round without a game gives: full for a bye that nobody chose, half and nothing as asked."""
    if kind in (Kind.PAB, Kind.FPB, Kind.FW):
        return scheme.top
    return scheme.half if kind is Kind.HPB else 0
