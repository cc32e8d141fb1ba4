"""Elimination at tables of more than two: the best m of each heat go on, wild cards fill up, down to one final table.

As with brackets, all rounds follow from the seeds and the results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from leagues.formats.errors import FormatError
from leagues.formats.points import NORMAL, points
from leagues.formats.reasons import Reason, reason
from leagues.formats.table_sizes import table_sizes
from leagues.formats.values import POINT, Bye, Kind, Place, Round, Seat, Table, TableState


@dataclass(frozen=True)
class Rules:
    """Heats of `seats` (or one fewer), `advance` of each go on. `fill` lets wild cards fill the next heats."""

    seats: int
    advance: int
    fill: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.advance < self.smallest:
            raise FormatError("error.advance", advance=self.advance, seats=self.smallest)

    @property
    def smallest(self) -> int:
        return max(2, self.seats - 1)


@dataclass(frozen=True, slots=True)
class Through:
    """An entrant who goes on, and why."""

    entrant: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Heats:
    """Every round drawn so far; who goes on from each finished one; the final's order once it is decided.

    `orphans` are results that fit no heat any more, kept and explained.
    """

    rounds: tuple[Round, ...]
    through: tuple[tuple[Through, ...], ...]
    final: tuple[int, ...] = ()
    orphans: tuple[Reason, ...] = ()


Results = Mapping[tuple[int, int], Mapping[int, Place]]
"""Places by round, heat and entrant, so that after a correction they cannot count for other people."""


def run(seeds: Sequence[int], results: Results, rules: Rules) -> Heats:
    """`seeds` strongest first; `results` are the confirmed ones."""
    if len(seeds) < 2 or len(set(seeds)) != len(seeds):
        raise FormatError("error.too-few", count=len(set(seeds)), least=2)
    rounds: list[Round] = []
    through: list[tuple[Through, ...]] = []
    standing = list(seeds)
    while True:
        drawn = _with_results(_draw(len(rounds) + 1, standing, rules), results)
        rounds.append(drawn)
        if not all(table.counts for table in drawn.tables):
            return Heats(tuple(rounds), tuple(through), (), _orphans(rounds, results))
        if len(drawn.tables) == 1 and not drawn.byes:
            return Heats(tuple(rounds), tuple(through), _finish(drawn.tables[0]), _orphans(rounds, results))
        passed = _through(drawn, rules)
        through.append(passed)
        standing = [each.entrant for each in passed]


def _draw(number: int, standing: Sequence[int], rules: Rules) -> Round:
    """Heats by snake, so that they are equally strong; if the number does not fill heats, the best get a bye."""
    if len(standing) <= rules.seats:
        why = reason("heat.final")
        return Round(number, (Table(1, tuple(Seat(who, at) for at, who in enumerate(standing, 1)), why),))
    sizes, resting = table_sizes(len(standing), rules.seats, rules.smallest)
    byes = tuple(Bye(who, Kind.PAB, reason("heat.bye", entrant=who, round=number + 1)) for who in standing[:resting])
    tables = []
    for heat, group in enumerate(snake(standing[resting:], len(sizes)), 1):
        why = reason("heat", heat=heat, round=number, advance=rules.advance)
        tables.append(Table(heat, tuple(Seat(who, at) for at, who in enumerate(group, 1)), why))
    return Round(number, tuple(tables), byes)


def snake(standing: Sequence[int], groups: int) -> list[list[int]]:
    """Dealt out 1 to g, then g to 1, and so on."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for at, who in enumerate(standing):
        lap, place = divmod(at, groups)
        dealt[place if lap % 2 == 0 else groups - 1 - place].append(who)
    return dealt


def _with_results(drawn: Round, results: Results) -> Round:
    tables = []
    for table in drawn.tables:
        places = results.get((drawn.number, table.number), {})
        if places.keys() == set(table.entrants):
            listed = tuple(places[who] for who in table.entrants)
            table = replace(table, state=TableState.CONFIRMED, places=listed)
        tables.append(table)
    return replace(drawn, tables=tuple(tables))


def _orphans(rounds: Sequence[Round], results: Results) -> tuple[Reason, ...]:
    used = {(each.number, table.number) for each in rounds for table in each.tables if table.counts}
    return tuple(
        reason("heat.orphan", heat=heat, round=number) for number, heat in sorted(results) if (number, heat) not in used
    )


@dataclass(frozen=True, slots=True)
class _Finish:
    entrant: int
    heat: int
    order: int
    rank: int
    points: int
    share: Fraction | None


def _finishes(table: Table) -> list[_Finish]:
    """Everybody at a heat from first to last; ties by share of the winner's score, then by seed.

    If one of those tied has no score, their scores are not compared.
    """
    worth = points(NORMAL, tuple(place.rank for place in table.places))
    best = max((place.score for place in table.places if place.rank == 1 and place.score is not None), default=0)
    shares = [Fraction(place.score, best) if best > 0 and place.score is not None else None for place in table.places]
    unknown = {place.rank for place, share in zip(table.places, shares) if share is None}
    rows = [
        (place.rank, Fraction(0) if share is None or place.rank in unknown else -share, at)
        for at, (place, share) in enumerate(zip(table.places, shares))
    ]
    return [
        _Finish(table.seats[at].entrant, table.number, order, rank, worth[at], None if rank in unknown else -share)
        for order, (rank, share, at) in enumerate(sorted(rows), 1)
    ]


def final_places(table: Table, number: int) -> list[tuple[int, list[int], Reason]]:
    """The places of the final, round `number`: (place, who has it, why). Those level in place and score share one."""
    listed: list[tuple[int, list[int], Reason]] = []
    finishes = _finishes(table)
    for (rank, _share), level in groupby(finishes, key=lambda each: (each.rank, each.share)):
        those = [each.entrant for each in level]
        alike = sum(each.rank == rank for each in finishes)
        if len(those) > 1:
            why = reason("place.final-shared")
        else:
            why = reason("place.final-share") if alike > 1 else reason("place.heat", round=number)
        listed.append((1 + sum(len(earlier) for _, earlier, _ in listed), those, why))
    return listed


def _finish(table: Table) -> tuple[int, ...]:
    return tuple(each.entrant for each in _finishes(table))


def _through(drawn: Round, rules: Rules) -> tuple[Through, ...]:
    """Who goes on, in the seed order of the next round: byes, then by place, then wild cards."""
    everybody = [each for table in drawn.tables for each in _finishes(table)]
    placed = sorted((each for each in everybody if each.order <= rules.advance), key=_merit)
    others = sorted((each for each in everybody if each.order > rules.advance), key=_merit)
    going = [Through(bye.entrant, bye.reason or reason("heat.final")) for bye in drawn.byes]
    going += [
        Through(each.entrant, reason("heat.through", entrant=each.entrant, rank=each.rank, heat=each.heat))
        for each in placed
    ]
    for card, each in enumerate(others[: wild_cards(len(going), len(others), rules)], 1):
        worth = Fraction(each.points, POINT)
        if each.share is None:
            why = reason("heat.wild-points", entrant=each.entrant, card=card, points=worth)
        else:
            why = reason("heat.wild", entrant=each.entrant, card=card, points=worth, share=each.share)
        going.append(Through(each.entrant, why))
    return tuple(going)


def _merit(each: _Finish) -> tuple[int, Fraction, int, int]:
    return -each.points, -(each.share or Fraction(0)), each.order, each.heat


def wild_cards(going: int, others: int, rules: Rules) -> int:
    """As many as fill the next round's heats, but always so few that somebody is out."""
    if not rules.fill:
        return 0
    short = -going % rules.seats
    return short if short < others else 0
