"""What a tie-break is, and the sheet of facts that all of them read."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm
from typing import ClassVar, NamedTuple

from leagues.formats.field import Field, Game
from leagues.formats.values import POINT, VOLUNTARY, Kind

MEAN = 60
"""Amounts over an opponent are kept in sixtieths, so that the mean over up to six opponents is exact."""


class Line(NamedTuple):
    """One contribution: in units of the part's `unit`, from this opponent in this round. `cut` ones do not count.

    `note` says what is unusual: `own` for the virtual opponent of an unplayed round, `unrated`, `below` and so on.
    """

    round: int
    opponent: int | None
    amount: int | Fraction
    cut: bool = False
    note: str = ""


class Sheet:
    """A field with what several tie-breaks ask for, worked out once."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.games = field.games
        self.score = field.score
        self.top = field.scheme.top
        self.half = field.scheme.half
        self.adjusted = self.adjust()
        self.known: dict[tuple[str, int], int | Fraction] = {}
        self.chairs: dict[tuple[int, int | str], Fraction] | None = None

    def adjust(self, last_drawn: int | None = None) -> dict[int, int]:
        """Scores as opponents count them: rounds after the last one not missed by choice count as drawn.

        With `last_drawn`, the games of that round count as drawn too.
        """
        scores = {}
        for who, games in self.games.items():
            total, trailing = 0, not self.field.round_robin
            for game in reversed(games):
                trailing = trailing and game.kind in VOLUNTARY
                drawn = trailing or (game.round == last_drawn and game.kind is Kind.PLAYED)
                total += self.half if drawn else game.points
            scores[who] = total
        return scores

    @cached_property
    def fore(self) -> dict[int, int]:
        """Scores with the games of the last planned round as drawn; empty unless the rounds were declared."""
        planned = self.field.history.planned
        return {} if planned is None else self.adjust(planned)

    @cached_property
    def most(self) -> dict[int, int]:
        """All that each could have scored; the free round of an odd round robin gives nothing."""
        return {who: self.top * sum([game.kind is not Kind.PAB for game in games]) for who, games in self.games.items()}

    def total(self, part: "Part", who: int) -> int | Fraction:
        """A part's value in its own unit: whole numbers where they can be, because those sort ten times faster."""
        key = (part.code, who)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = part.total(self, who, part.lines(self, who))
        return found

    def value(self, part: "Part", who: int) -> Fraction:
        return Fraction(self.total(part, who), part.unit)


@dataclass(frozen=True)
class Part:
    """A tie-break. `lines` is its definition; the value is what `total` makes of them, by default their sum.

    All amounts are in units of 1/`unit`.
    """

    code: str
    unit: ClassVar[int] = POINT

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        raise NotImplementedError

    def total(self, sheet: Sheet, who: int, lines: Sequence[Line]) -> int | Fraction:
        return exact_sum([amount for _, _, amount, cut, _ in lines if not cut])

    def split(self, sheet: Sheet, tied: Sequence[int]) -> list[list[int]]:
        """The tied entrants in order, those still level together."""
        total = {who: sheet.total(self, who) for who in tied}
        ranked = sorted(tied, key=total.__getitem__, reverse=True)
        return [list(group) for _, group in groupby(ranked, key=total.__getitem__)]


def exact_sum(amounts: Sequence[int | Fraction]) -> int | Fraction:
    """The sum. Over one common denominator: adding fractions one by one is ten times slower."""
    common = lcm(*{amount.denominator for amount in amounts})
    if common == 1:
        return sum([amount.numerator for amount in amounts])
    return Fraction(sum([amount.numerator * (common // amount.denominator) for amount in amounts]), common)


def missed(sheet: Sheet, game: Game) -> bool:
    """Whether a virtual opponent stands in for this round. A free round of a round robin needs none."""
    return not game.others and not sheet.field.round_robin


def trimmed(lines: list[Line], games: Sequence[Game], lowest: int, highest: int = 0) -> list[Line]:
    """The lines with the rounds of the smallest (and largest) contributions marked as cut; chosen absences go first."""
    if not lowest and not highest:
        return lines
    sums: dict[int, int | Fraction] = {}
    for line in lines:
        sums[line.round] = sums.get(line.round, 0) + line.amount
    chosen = {game.round for game in games if game.kind in VOLUNTARY}
    ranked = sorted(sums, key=lambda number: (number not in chosen, sums[number], number))
    gone = set(ranked[:lowest])
    rest = sorted(ranked[lowest:], key=lambda number: (sums[number], number))
    gone.update(rest[len(rest) - highest :] if highest else ())
    return [line._replace(cut=True) if line.round in gone else line for line in lines]
