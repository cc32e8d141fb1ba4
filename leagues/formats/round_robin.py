"""Everybody meets everybody: Berger tables, single and double."""

from leagues.formats.errors import FormatError
from leagues.formats.reasons import reason
from leagues.formats.values import Bye, Entrant, Kind, Round, Seat, Table


def berger(size: int) -> list[list[tuple[int, int]]]:
    """The Berger table for an even `size`: for each round, pairs of numbers 1 to `size`, first seat first."""
    cycle = size - 1
    rounds = []
    for number in range(1, size):
        leader = (number - 1) * (size // 2) % cycle + 1
        pairs = [(leader, size) if number % 2 else (size, leader)]
        for step in range(1, size // 2):
            pairs.append(((leader - 1 + step) % cycle + 1, (leader - 1 - step) % cycle + 1))
        rounds.append(pairs)
    return rounds


def berger_double(size: int) -> list[list[tuple[int, int]]]:
    """Twice, seats exchanged. Two rounds of the first cycle are swapped, so that nobody keeps a seat three times."""
    first = berger(size)
    second = [[(away, home) for home, away in pairs] for pairs in first]
    if len(first) > 1:
        first[-2:] = first[:-3:-1]
    return first + second


def schedule(entrants: tuple[Entrant, ...], *, double: bool = False) -> tuple[Round, ...]:
    """All rounds. Entrants take the table's numbers in order of seed; with an odd number, each is free once in turn."""
    if len(entrants) < 2:
        raise FormatError("error.too-few", count=len(entrants), least=2)
    drawn = [entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed)]
    size = len(drawn) + len(drawn) % 2
    plan = berger_double(size) if double else berger(size)
    return tuple(_round(number, pairs, drawn, size) for number, pairs in enumerate(plan, 1))


def _round(number: int, pairs: list[tuple[int, int]], drawn: list[int], size: int) -> Round:
    why = reason("berger" if number < size else "berger.second", size=size, round=number)
    tables: list[Table] = []
    byes: list[Bye] = []
    for pair in pairs:
        sitting = [drawn[place - 1] for place in pair if place <= len(drawn)]
        if len(sitting) == 2:
            seats = tuple(Seat(who, seat) for seat, who in enumerate(sitting, 1))
            tables.append(Table(len(tables) + 1, seats, why))
        else:
            byes.append(Bye(sitting[0], Kind.PAB, reason("bye.round-robin", entrant=sitting[0], round=number)))
    return Round(number, tuple(tables), tuple(byes))
