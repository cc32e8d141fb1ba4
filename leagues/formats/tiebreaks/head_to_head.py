"""Head-to-head: the games between those who are level."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from leagues.formats.tiebreaks.base import Contribution, TieBreak, TieBreakInput


@dataclass(frozen=True)
class HeadToHead(TieBreak):
    """Order by the results of the tied against each other.

    If every two of them met equally often, that decides. If not, one is first only if no other could have reached
    that total by winning every missing game; then the same among the others. Circles stay level.
    """

    unit: ClassVar[int] = 2
    needs_tied_group: ClassVar[bool] = True

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        """Every game against every opponent; the page shows those against the others of the tie."""
        return [
            Contribution(game.round, other, took)
            for game in sheet.games[who]
            for other, took in zip(game.others, game.took)
        ]

    def split(self, sheet: TieBreakInput, tied: Sequence[int]) -> list[list[int]]:
        if len(tied) < 2:
            return [list(tied)]
        taken, met = crosstable(sheet, tied)
        often = max((count for row in met.values() for count in row.values()), default=0)
        if not often:
            return [list(tied)]
        missing = {who: often * (len(tied) - 1) - sum(met[who].values()) for who in tied}
        if not any(missing.values()):
            ranked = sorted(tied, key=taken.__getitem__, reverse=True)
            groups = [list(group) for _, group in groupby(ranked, key=taken.__getitem__)]
            if len(groups) == 1:
                return groups
            return [part for group in groups for part in self.split(sheet, group)]
        reach = {who: taken[who] + 2 * missing[who] for who in tied}
        first = max(tied, key=taken.__getitem__)
        rest = [who for who in tied if who != first]
        if taken[first] > max(reach[who] for who in rest):
            return [[first], *self.split(sheet, rest)]
        return [list(tied)]


def crosstable(sheet: TieBreakInput, tied: Sequence[int]) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
    """What each took from the others, in halves, and how often every two met."""
    among = set(tied)
    taken = dict.fromkeys(tied, 0)
    met: dict[int, dict[int, int]] = {who: {} for who in tied}
    for who in tied:
        row = met[who]
        for game in sheet.games[who]:
            for other, took in zip(game.others, game.took):
                if other in among:
                    taken[who] += took
                    row[other] = row.get(other, 0) + 1
    return taken, met
