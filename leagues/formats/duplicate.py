"""Duplicate: every table of a round plays the same deal, seats rotate, and entrants are compared seat by seat.

People in the same seat on the same deal do not play each other; their results are compared. So the seats are assigned
first, in turn, and then each table gets one player of each seat.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

from leagues.formats.errors import FormatError
from leagues.formats.lots import lot
from leagues.formats.reasons import Reason, reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.table_swiss import Costs, Plan, improve_tables, resting_byes
from leagues.formats.values import History, Round, Seat, Table


def deal(secret: str, number: int) -> str:
    """The seed of all tables of round `number`. `secret` stays on the server: all later deals follow from it."""
    return hashlib.blake2b(f"{secret}\x00deal\x00{number}".encode(), digest_size=16).hexdigest()


def same_deal(drawn: Round, secret: str) -> Round:
    """A drawn round, for example of cooperative teams, with one deal for all its tables."""
    shared = deal(secret, drawn.number)
    why = reason("duplicate", round=drawn.number)
    return replace(drawn, tables=tuple(replace(table, deal=shared, reason=why) for table in drawn.tables))


def draw(history: History, seats: int, secret: str, roles: Sequence[str] = (), *, quick: bool = False) -> Round:
    """The next round at tables of exactly `seats`: everybody in the seat that is due, with new opponents.

    `quick` is as in table Swiss.
    """
    field = ScoreTable(history)
    present = [entrant.id for entrant in history.present()]
    if len(present) < seats:
        raise FormatError("error.too-few", count=len(present), least=seats)
    byes = resting_byes(field, present, len(present) % seats, Plan(seats, seats))
    resting = {bye.entrant for bye in byes}
    columns = _columns(field, [who for who in present if who not in resting], seats)
    kin = {who: seat for seat, column in enumerate(columns) for who in column}
    start = [list(row) for row in zip(*columns)]
    groups = improve_tables(start, Costs(field, dict.fromkeys(kin, 0), kin=kin), seats=False, quick=quick)
    drawn = tuple(
        Table(
            number,
            tuple(
                Seat(who, kin[who] + 1, roles[kin[who]] if roles else "") for who in sorted(group, key=kin.__getitem__)
            ),
        )
        for number, group in enumerate(groups, 1)
    )
    return same_deal(Round(history.next_round, drawn, (*history.absences(), *byes)), secret)


def _columns(field: ScoreTable, sitting: list[int], seats: int) -> list[list[int]]:
    """Who takes which seat: the one they had least, then the next after their last; equally many in each."""
    room = len(sitting) // seats
    seed, number = field.history.seed, field.history.next_round

    def wishes(who: int) -> list[int]:
        had, last = field.company.seats[who], field.company.last_seat.get(who, 0)
        return sorted(range(seats), key=lambda seat: (had.get(seat + 1, 0), (seat - last) % seats))

    columns: list[list[int]] = [[] for _ in range(seats)]
    # Those who had one seat most often choose first, so that they do not get it again.
    unevenness = {who: max(field.company.seats[who].values(), default=0) for who in sitting}
    first = not field.history.rounds
    for at, who in enumerate(sorted(sitting, key=lambda who: (-unevenness[who], lot(seed, number, who)))):
        choice = [(at + shift) % seats for shift in range(seats)] if first else wishes(who)
        seat = next(seat for seat in choice if len(columns[seat]) < room)
        columns[seat].append(who)
    return _exchanged(field, columns)


def _exchanged(field: ScoreTable, columns: list[list[int]]) -> list[list[int]]:
    """Exchange the seats of two players while that lowers their total cost."""
    while exchange := next(_exchanges(field, columns), None):
        one, at, other, to = exchange
        columns[one][at], columns[other][to] = columns[other][to], columns[one][at]
    return columns


def _exchanges(field: ScoreTable, columns: list[list[int]]) -> Iterator[tuple[int, int, int, int]]:
    def cost(who: int, seat: int) -> int:
        had = field.company.seats[who]
        return (had.get(seat + 1, 0) - min(had.get(each + 1, 0) for each in range(len(columns)))) ** 2

    for one, other in permutations(range(len(columns)), 2):
        for at, who in enumerate(columns[one]):
            if not cost(who, one):
                continue
            for to, partner in enumerate(columns[other]):
                if cost(who, other) + cost(partner, one) < cost(who, one) + cost(partner, other):
                    yield one, at, other, to


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a seat on a deal: the share of those in the same seat who did worse, level ones counting half."""

    entrant: int
    round: int
    value: Fraction
    reason: Reason


Grade = tuple[int, ...]
"""How well a seat did on the deal, first number first; more is better (won, difficulty, turns left)."""


def marks(number: int, grades: Sequence[tuple[int, int | str, Grade]]) -> tuple[Mark, ...]:
    """Marks for one round from (entrant, seat or role or team, grade) of its confirmed tables."""
    marks_given = []
    for who, chair, grade in grades:
        others = [other for rival, where, other in grades if where == chair and rival != who]
        beaten, better = sum(_worse(other, grade) for other in others), sum(_worse(grade, other) for other in others)
        equal = len(others) - beaten - better
        value = Fraction(2 * beaten + equal, 2 * len(others)) if others else Fraction(1, 2)
        why = reason("duplicate.match", beaten=beaten, equal=equal, others=len(others))
        marks_given.append(Mark(who, number, value, why))
    return tuple(marks_given)


def _worse(one: Grade, other: Grade) -> bool:
    """Compare by what both have: a missing score does not count as 0."""
    both = min(len(one), len(other))
    return one[:both] < other[:both]


def ranking(given: Iterable[Mark], seed: str = "") -> tuple[tuple[int, Fraction], ...]:
    """(entrant, sum of marks), best first; level ones by their best single mark, then by lot."""
    sums: dict[int, list[Fraction]] = {}
    for mark in given:
        sums.setdefault(mark.entrant, []).append(mark.value)
    order = sorted(sums, key=lambda who: (-sum(sums[who]), -max(sums[who]), lot(seed, "duplicate", who)))
    return tuple((who, sum(sums[who], Fraction(0))) for who in order)
