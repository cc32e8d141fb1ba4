"""Leagues at tables of three and four in which every two meet equally often: block designs, else a search."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

from leagues.formats import table_swiss
from leagues.formats.balanced_plan import evened
from leagues.formats.errors import FormatError
from leagues.formats.lots import lot
from leagues.formats.reasons import Reason, reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.table_sizes import table_sizes
from leagues.formats.values import Entrant, History, Round, Seat, Table


@dataclass(frozen=True)
class Design:
    """`base` blocks are developed modulo `players`; `planes` are full rounds, given outright."""

    players: int
    seats: int
    games: int
    meetings: int
    base: tuple[tuple[int, ...], ...] = ()
    planes: tuple[tuple[tuple[int, ...], ...], ...] = ()


def affine_plane(
    order: int, add: tuple[tuple[int, ...], ...], times: tuple[tuple[int, ...], ...]
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Lines of the plane over a field of `order`, one parallel class a round. Point (x, y) is number x * order + y."""
    span = range(order)
    slopes = [tuple(tuple(x * order + add[times[slope][x]][shift] for x in span) for shift in span) for slope in span]
    vertical = tuple(tuple(x * order + y for y in span) for x in span)
    return (*slopes, vertical)


MOD3_ADD = tuple(tuple((a + b) % 3 for b in range(3)) for a in range(3))
MOD3_TIMES = tuple(tuple(a * b % 3 for b in range(3)) for a in range(3))
GF4_ADD = tuple(tuple(a ^ b for b in range(4)) for a in range(4))
GF4_TIMES = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))

DESIGNS: Mapping[tuple[int, int], Design] = MappingProxyType(
    {
        (each.players, each.seats): each
        for each in (
            Design(7, 4, games=4, meetings=2, base=((0, 3, 5, 6),)),
            Design(7, 3, games=3, meetings=1, base=((0, 1, 3),)),
            Design(13, 4, games=4, meetings=1, base=((0, 1, 3, 9),)),
            Design(13, 3, games=6, meetings=1, base=((0, 1, 4), (0, 2, 7))),
            Design(9, 3, games=4, meetings=1, planes=affine_plane(3, MOD3_ADD, MOD3_TIMES)),
            Design(16, 4, games=5, meetings=1, planes=affine_plane(4, GF4_ADD, GF4_TIMES)),
        )
    }
)


def league(entrants: tuple[Entrant, ...], seats: int, *, seed: str, games: int | None = None) -> tuple[Round, ...]:
    """A whole league at tables of `seats`: by the design for this size if there is one, else by a search.

    `games` is how many each entrant plays when the solver decides; by default as many as it takes to meet everybody.
    A developed design is one game a round (its players meet when they like); a plane is full rounds.
    """
    drawn = sorted(entrants, key=lambda entrant: lot(seed, "design", entrant.seed))
    design = DESIGNS.get((len(entrants), seats))
    if design is None or games not in (None, design.games):
        return _solved(tuple(entrants), seats, seed, games)
    why = reason("design", players=design.players, seats=seats, meetings=design.meetings)
    who = [entrant.id for entrant in drawn]
    if design.planes:
        return _full_rounds(design, who, why)
    blocks = [
        tuple((point + shift) % design.players for point in block)
        for block in design.base
        for shift in range(design.players)
    ]
    return tuple(
        Round(number, (_table(1, [who[point] for point in block], why),)) for number, block in enumerate(blocks, 1)
    )


def _full_rounds(design: Design, who: list[int], why: Reason) -> tuple[Round, ...]:
    """The planes decide who sits together; seats go to those who had them least, as in a Swiss round."""
    history = History("", tuple(Entrant(each, place) for place, each in enumerate(who, 1)))
    for lines in design.planes:
        field = ScoreTable(history)
        groups = [[who[point] for point in line] for line in lines]
        tables = tuple(table_swiss.table(field, at, group, (), why) for at, group in enumerate(groups, 1))
        history = replace(history, rounds=(*history.rounds, Round(history.next_round, tables)))
    return history.rounds


def _solved(entrants: tuple[Entrant, ...], seats: int, seed: str, games: int | None) -> tuple[Round, ...]:
    """Random rounds, then meetings evened out over the whole plan, then seats."""
    if len(entrants) < seats:
        raise FormatError("error.too-few", count=len(entrants), least=seats)
    wanted = games if games is not None else -(-(len(entrants) - 1) // (seats - 1))
    plan = table_swiss.Plan(seats, max(2, seats - 1))
    sizes, resting = table_sizes(len(entrants), plan.seats, plan.least)
    who = sorted(entrant.id for entrant in entrants)
    history, byes, rough = History(seed, entrants), [], []
    for _ in range(wanted):
        field = ScoreTable(history)
        byes.append(tuple(table_swiss.resting_byes(field, who, resting, plan)))
        free = {bye.entrant for bye in byes[-1]}
        sitting = table_swiss.ordered(field, [each for each in who if each not in free], level=True)
        rough.append([[who.index(each) for each in group] for group in table_swiss.cut(sitting, sizes)])
        history = replace(history, rounds=(*history.rounds, Round(history.next_round, byes=byes[-1])))
    history = History(seed, entrants)
    for groups, resting_here in zip(evened(rough, len(who), seed), byes):
        field = ScoreTable(history)
        tables = tuple(
            _solved_table(field, number, [who[at] for at in group]) for number, group in enumerate(groups, 1)
        )
        history = replace(history, rounds=(*history.rounds, Round(history.next_round, tables, resting_here)))
    return history.rounds


def _solved_table(field: ScoreTable, number: int, group: list[int]) -> Table:
    repeats = sum(other in field.company.met[one] for one, other in combinations(group, 2))
    return table_swiss.table(field, number, group, (), reason("design.solver", repeats=repeats))


def pod(entrants: tuple[Entrant, ...], solo_role: str, team_role: str) -> tuple[Round, ...]:
    """One against many in a group of k: k games, everybody alone exactly once and in every seat exactly once."""
    if len(entrants) < 2:
        raise FormatError("error.too-few", count=len(entrants), least=2)
    who = [entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed)]
    rounds = []
    for game in range(len(who)):
        turn = who[game:] + who[:game]
        seats = (Seat(turn[0], 1, solo_role), *(Seat(each, seat, team_role) for seat, each in enumerate(turn[1:], 2)))
        why = reason("pod", game=game + 1, solo=turn[0])
        rounds.append(Round(game + 1, (Table(1, seats, why),)))
    return tuple(rounds)


def _table(number: int, who: list[int], why: Reason) -> Table:
    return Table(number, tuple(Seat(each, seat) for seat, each in enumerate(who, 1)), why)
