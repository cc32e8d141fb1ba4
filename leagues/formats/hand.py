"""A draw changed by hand: what is questionable about it, and what it costs beside the machine's.

All formats that draw by score are compared by the same few numbers, which an organiser can count: pairs that should be
kept apart, second byes, repeated meetings, distances in score, and seats that somebody has too often.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from leagues.formats.errors import FormatError
from leagues.formats.score_table import ScoreTable
from leagues.formats.values import Kind, Table


class Concern(StrEnum):
    """What may be wrong with a table or a bye."""

    APART = "apart"
    REPEAT = "repeat"
    SEAT = "seat"
    FAR = "far"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class DrawWarning:
    """One concern about a table, or about a bye (table 0). `entrants` are those concerned.

    `amount` is how often: the meeting, the seat or the bye this would be; for scores, their distance.
    """

    concern: Concern
    table: int
    entrants: tuple[int, ...]
    amount: int = 0


@dataclass(frozen=True, slots=True, order=True)
class DrawCost:
    """The cost of a draw; the first number that differs decides which of two is better.

    `apart` counts pairs, `byes` second byes, `repeats` earlier meetings of all who share a table, `distance` sums the
    distances in score from first to last of each table, `seats` counts people who have a seat too often.
    """

    apart: int = 0
    byes: int = 0
    repeats: int = 0
    distance: int = 0
    seats: int = 0


@dataclass(frozen=True, slots=True)
class Assessment:
    cost: DrawCost
    warnings: tuple[DrawWarning, ...]


def assess(field: ScoreTable, tables: Sequence[Table], byes: Collection[int], *, level: bool = False) -> Assessment:
    """Warnings and cost of a draw. `field` is the score table before the round; `byes` have one that was allocated.

    `level` ignores the scores, in formats that do.
    """
    apart, met = field.history.separated_now(), field.company.met
    far = 3 * field.scheme.top // 2
    found: list[DrawWarning] = []
    repeats = distance = 0
    for table in tables:
        for one, other in combinations(table.entrants, 2):
            if frozenset((one, other)) in apart:
                found.append(DrawWarning(Concern.APART, table.number, (one, other)))
            if times := met[one].get(other, 0):
                repeats += times
                found.append(DrawWarning(Concern.REPEAT, table.number, (one, other), times + 1))
        for seat in table.seats:
            if _has_too_often(field, seat.entrant, seat.number, len(table.seats)):
                had = field.company.seats[seat.entrant].get(seat.number, 0)
                found.append(DrawWarning(Concern.SEAT, table.number, (seat.entrant,), had + 1))
        if level:
            continue
        ordered = sorted(table.entrants, key=lambda who: (field.score[who], who))
        gap = field.score[ordered[-1]] - field.score[ordered[0]]
        distance += gap
        if gap >= far:
            found.append(DrawWarning(Concern.FAR, table.number, (ordered[-1], ordered[0]), gap))
    again = [who for who in sorted(byes) if field.had(who, (Kind.PAB, Kind.FW))]
    found += [DrawWarning(Concern.BYE, 0, (who,), 2) for who in again]
    count = {concern: sum(each.concern is concern for each in found) for concern in Concern}
    cost = DrawCost(count[Concern.APART], len(again), repeats, distance, count[Concern.SEAT])
    return Assessment(cost, tuple(found))


def _has_too_often(field: ScoreTable, who: int, seat: int, size: int) -> bool:
    """Whether this would be the third time in a row, or the third and two more than the seat they had least."""
    seats = field.company.seats[who]
    had = seats.get(seat, 0)
    in_a_row = field.company.last_seat.get(who) == seat and field.company.seat_streak.get(who, 0) >= 2
    fewest = min(seats.get(each, 0) for each in range(1, size + 1))
    return in_a_row or (had >= 2 and had - fewest >= 2)


def exchange(
    tables: Sequence[Table], byes: Collection[int], one: int, other: int
) -> tuple[tuple[Table, ...], frozenset[int]]:
    """The draw with two people in each other's places: at tables, or one of them with the bye of the other."""
    swap = {one: other, other: one}
    drawn = {who for table in tables for who in table.entrants} | set(byes)
    for who in (one, other):
        if who not in drawn:
            raise FormatError("error.not-drawn", entrant=who)
    changed = tuple(
        replace(table, seats=tuple(replace(seat, entrant=swap.get(seat.entrant, seat.entrant)) for seat in table.seats))
        for table in tables
    )
    return changed, frozenset(swap.get(who, who) for who in byes)
