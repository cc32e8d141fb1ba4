"""The standings: by points, then by a list of tie-breaks in order, each place explained."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from leagues.formats.reasons import Reason, reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.tiebreaks.base import Contribution, TieBreak, TieBreakInput
from leagues.formats.tiebreaks.head_to_head import HeadToHead, crosstable
from leagues.formats.values import POINT, Kind


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the standings. `values` are in the order of the tie-breaks; None where one was not used.

    `shared` counts those on this place. `played` counts games at a table.
    """

    place: int
    entrant: int
    score: int
    played: int
    values: tuple[Fraction | None, ...]
    shared: int
    reason: Reason

    @property
    def points(self) -> Fraction:
        return Fraction(self.score, POINT)


def standings(field: ScoreTable, parts: Sequence[TieBreak], sheet: TieBreakInput | None = None) -> tuple[Row, ...]:
    """Everybody who has entered, in order. Those level in all tie-breaks share a place."""
    sheet = sheet or TieBreakInput(field)
    direct: dict[tuple[str, int], Fraction] = {}
    groups, deciding = levels(sheet, parts, direct)
    return _rows(field, sheet, parts, groups, deciding, direct)


def levels(
    sheet: TieBreakInput, parts: Sequence[TieBreak], direct: dict[tuple[str, int], Fraction] | None = None
) -> tuple[list[list[int]], list[str]]:
    """The order alone: groups of those level in all tie-breaks, and what separates each group from the one above.

    That is the code of the first tie-break on which the two differ; nothing for the first group, and where points
    decide. `direct` collects the head-to-head results among the tied.
    """
    field = sheet.field
    ranked = sorted(entered(field), key=lambda who: (-field.score[who], field.entrants[who].seed))
    groups = [list(group) for _, group in groupby(ranked, key=lambda who: field.score[who])]
    deciding = [""] * len(groups)
    for part in parts:
        split: list[list[int]] = []
        codes: list[str] = []
        for group, code in zip(groups, deciding):
            if len(group) == 1:
                split.append(group)
                codes.append(code)
                continue
            if direct is not None and isinstance(part, HeadToHead):
                taken, _ = crosstable(sheet, group)
                direct |= {(part.code, who): Fraction(halves, 2) for who, halves in taken.items()}
            subgroups = part.split(sheet, group)
            split += subgroups
            # The first part keeps the group's position; this tie-break puts the others below it.
            codes += [code, *[part.code] * (len(subgroups) - 1)]
        groups, deciding = split, codes
    return groups, deciding


def entered(field: ScoreTable) -> Iterable[int]:
    """Those who have been in the event; entrants of a later round are not ranked yet."""
    latest = len(field.history.rounds) or 1
    for who, entrant in field.entrants.items():
        if entrant.absence(latest) is not Kind.NP or any(game.kind is not Kind.NP for game in field.games[who]):
            yield who


def _rows(
    field: ScoreTable,
    sheet: TieBreakInput,
    parts: Sequence[TieBreak],
    groups: list[list[int]],
    deciding: list[str],
    direct: dict[tuple[str, int], Fraction],
) -> tuple[Row, ...]:
    rows: list[Row] = []
    for group, above, below in zip(groups, deciding, [*deciding[1:], ""]):
        place = len(rows) + 1
        for who in group:
            values = tuple(_value(sheet, part, who, direct) for part in parts)
            played = sum(game.kind is Kind.PLAYED for game in field.games[who])
            why = _why(field.score[who], len(group), above or below)
            rows.append(Row(place, who, field.score[who], played, values, len(group), why))
    return tuple(rows)


def _value(sheet: TieBreakInput, part: TieBreak, who: int, direct: dict[tuple[str, int], Fraction]) -> Fraction | None:
    if isinstance(part, HeadToHead):
        return direct.get((part.code, who))
    return sheet.value(part, who) if part.is_given(sheet, who) else None


def _why(score: int, shared: int, code: str) -> Reason:
    """The reason of a place: the tie-break that separates them from the one above, or else from the one below."""
    if shared > 1:
        return reason("place.shared")
    if not code:
        return reason("place.sole", points=Fraction(score, POINT))
    return reason("place.lot") if code == "lot" else reason("place.tie-break", part=code)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A value and every contribution to it, in units of 1/`unit`."""

    part: str
    entrant: int
    value: Fraction
    unit: int
    lines: tuple[Contribution, ...]


def breakdown(sheet: TieBreakInput, part: TieBreak, who: int, tied: Sequence[int] | None = None) -> Breakdown:
    """The contributions to a value. For head-to-head, `tied` are those who are compared."""
    lines = part.lines(sheet, who)
    if tied is not None:
        lines = [line for line in lines if line.opponent in set(tied)]
    return Breakdown(part.code, who, Fraction(part.total(sheet, who, lines), part.unit), part.unit, tuple(lines))
