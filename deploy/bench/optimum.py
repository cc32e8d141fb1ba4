"""The best possible tables, proved by CP-SAT: draws of small events are compared with them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from ortools.sat.python import cp_model

from leagues.formats.score_table import ScoreTable
from leagues.formats.values import History, Round

MAX_TABLES = 60_000
"""With more possible tables than this, nothing is proved in reasonable time."""
LIMIT = 60.0
"""Limit of one proof, in CP-SAT's deterministic seconds."""

Groups = Sequence[Sequence[int]]
Cost = tuple[int, int]
"""Squared repeats, then squared gaps in score."""


class Event:
    """Who met whom how often, and everybody's score."""

    def __init__(self, history: History, field: ScoreTable) -> None:
        self.met: dict[int, dict[int, int]] = {who: {} for who in field.entrants}
        for each in history.rounds:
            for table in each.tables:
                for one, other in combinations(table.entrants, 2):
                    self.met[one][other] = self.met[other][one] = self.met[one].get(other, 0) + 1
        self.score = field.score

    def cost(self, groups: Groups) -> Cost:
        pairs = [pair for group in groups for pair in combinations(group, 2)]
        repeats = sum(self.met[one].get(other, 0) ** 2 for one, other in pairs)
        return repeats, sum((self.score[one] - self.score[other]) ** 2 for one, other in pairs)


def drawn_groups(drawn: Round) -> list[tuple[int, ...]]:
    return [table.entrants for table in drawn.tables]


def min_cost(event: Event, groups: Groups, alone: frozenset[int] = frozenset()) -> Cost | None:
    """The lowest cost of tables of the same sizes for the same players; None if that takes too long to prove.

    Each player of `alone` has a table of their own. The given groups prune the search: a table that costs more than
    all of them cannot be part of a better solution.
    """
    repeats, gaps = event.cost(groups)
    try:
        tables = list(_tables(event, groups, alone, repeats))
        if repeats:
            proved = _solve(groups, [(group, cost[0], 0) for group, cost in tables], None)
            if proved is None:
                return None
            ceiling = gaps if proved == repeats else None
            repeats = proved
        else:
            ceiling = gaps
        fitting = [
            (group, cost[1], cost[0])
            for group, cost in tables
            if cost[0] <= repeats and (ceiling is None or cost[1] <= ceiling)
        ]
        proved = _solve(groups, fitting, repeats)
    except OverflowError:
        return None
    return None if proved is None else (repeats, proved)


def _tables(
    event: Event, groups: Groups, alone: frozenset[int], repeats: int
) -> Iterator[tuple[tuple[int, ...], Cost]]:
    """Every table that has no more repeats than all the given ones together."""
    players = sorted(who for group in groups for who in group)
    sizes = {len(group) for group in groups}

    def grow(group: tuple[int, ...], start: int, cost: Cost) -> Iterator[tuple[tuple[int, ...], Cost]]:
        if len(group) in sizes and (not alone or len(alone.intersection(group)) == 1):
            yield group, cost
        if len(group) == max(sizes):
            return
        for at in range(start, len(players)):
            who = players[at]
            if who in alone and not alone.isdisjoint(group):
                continue
            met = cost[0] + sum(event.met[who].get(other, 0) ** 2 for other in group)
            if met <= repeats:
                gaps = cost[1] + sum((event.score[who] - event.score[other]) ** 2 for other in group)
                yield from grow((*group, who), at + 1, (met, gaps))

    for count, each in enumerate(grow((), 0, (0, 0)), 1):
        if count > MAX_TABLES:
            raise OverflowError
        yield each


def _solve(groups: Groups, tables: list[tuple[tuple[int, ...], int, int]], exactly: int | None) -> int | None:
    """The lowest total cost of tables of the right sizes that seat everybody; None if that is not proved.

    The third number of the chosen tables sums to `exactly`, if that is given.
    """
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in tables]
    seats: dict[int, list[cp_model.IntVar]] = {who: [] for group in groups for who in group}
    of_size: dict[int, list[cp_model.IntVar]] = {len(group): [] for group in groups}
    for (group, _, _), taken in zip(tables, chosen):
        of_size[len(group)].append(taken)
        for who in group:
            seats[who].append(taken)
    for ways in seats.values():
        model.add_exactly_one(ways)
    for size, number in Counter(map(len, groups)).items():
        model.add(sum(of_size[size]) == number)
    if exactly is not None:
        model.add(sum(other * taken for (_, _, other), taken in zip(tables, chosen)) == exactly)
    model.minimize(sum(cost * taken for (_, cost, _), taken in zip(tables, chosen)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = LIMIT
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None
