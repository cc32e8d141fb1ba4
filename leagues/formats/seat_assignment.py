"""Assigns seats and roles at a table to those who had them least, at minimum cost."""

from collections.abc import Sequence
from functools import lru_cache

from leagues.formats.score_table import ScoreTable

SEAT = 4
"""The cost of a seat for each time somebody had it more often than another; the seat of the last game costs one."""
ROLE = 16

Layouts = tuple[tuple[str, ...], ...]
"""The role of each seat, one row a table size."""


def wishes(field: ScoreTable, who: int, size: int, roles: Sequence[str] = ()) -> tuple[int, ...]:
    """The cost of each seat of a table of `size` for this entrant; 0 for a seat that is due."""
    had = [field.company.seats[who].get(seat, 0) for seat in range(1, size + 1)]
    fewest, last = min(had), field.company.last_seat.get(who)
    costs = [SEAT * (times - fewest) ** 2 + (seat == last) for seat, times in enumerate(had, 1)]
    if roles:
        shares = [field.company.roles[who].get(role, 0) * size // roles.count(role) for role in roles]
        fewest = min(shares)
        costs = [cost + ROLE * (share - fewest) ** 2 for cost, share in zip(costs, shares)]
    return tuple(costs)


@lru_cache(maxsize=65536)
def assign(costs: tuple[tuple[int, ...], ...]) -> tuple[int, tuple[int, ...]]:
    """The cheapest assignment: its cost, and each one's seat number.

    A table has at most six seats, so trying all sets of seats taken so far is exact and quick.
    """
    size = len(costs)
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for row in costs:
        step: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, seats) in best.items():
            for seat in range(size):
                if taken >> seat & 1:
                    continue
                here = taken | 1 << seat
                total = cost + row[seat]
                if here not in step or total < step[here][0]:
                    step[here] = (total, (*seats, seat + 1))
        best = step
    return best[(1 << size) - 1]


def roles_for(size: int, layouts: Layouts) -> tuple[str, ...]:
    return next((layout for layout in layouts if len(layout) == size), ())
