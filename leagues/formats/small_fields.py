"""Tables for a small field: a bounded search for the fewest repeated meetings, then the closest scores.

It is a tabu search. Each step compares all exchanges of two players and makes the best one, even if the tables get
worse; a player who left a table may not return to it for a few steps. In between it restarts from the best tables so
far, with some players exchanged at random or with cheaper repeats for a while.

Work is counted in steps, all numbers are whole, and chance is a hash: every machine draws the same tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leagues.formats.lots import Chances

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[np.int64]]

MOST = 64
"""The largest field that is searched like this."""
MOST_WORK = 20_000_000
"""Exchanges that one search may compare; each step counts as STEP more."""
STEP = 1000
LEG = 60
"""Steps before a restart."""
TENURES = (3, 5)
"""A player who left a table may not return for at least so many steps, and for less than twice as many."""
SOFTENED = (2, 8, 32)
"""With cheaper repeats, one costs the largest squared gap divided by one of these."""
FORBIDDEN = 1 << 60
"""More than any exchange may cost."""
ROOM = 1 << 57


@dataclass(frozen=True)
class Problem:
    """Players are 0, 1, ... with their `scores`; `repeats` is the cost of each two who met before.

    Only players of the same kind are exchanged. `places` is the cost of a player at a table, independent of the others,
    in squared gaps. `floor` is a lower bound of the squared gaps: if it is reached without a repeat, the search ends.
    """

    scores: Sequence[int]
    repeats: Sequence[Sequence[int]]
    tables: int
    kinds: Sequence[int] | None = None
    places: Sequence[Sequence[int]] | None = None
    floor: int = 0


def full_steps(count: int) -> int:
    """The number of steps for a field of `count`; small fields have few possibilities."""
    return min(MOST_WORK // (count * count + STEP), max(300, 7 * count * count))


def quick_steps(count: int) -> int:
    """The number of steps in simulations, which draw thousands of rounds."""
    return max(16, 3 * count // 2)


def find_tables(problem: Problem, start: Sequence[int], steps: int, seed: str) -> list[int]:
    """The best tables found from `start`, which names each player's table."""
    search = _Search(problem, start)
    chances = Chances(seed)
    leg = 0
    while search.steps < steps and not search.is_perfect:
        tenure = TENURES[leg % 2]
        search.walk(min(LEG, steps - search.steps), tenure, chances)
        leg += 1
        if leg % 2:
            if leg % 4 == 1:
                search.go_back()
            search.weigh(search.largest_gap // SOFTENED[leg // 2 % len(SOFTENED)] or 1)
            search.walk(min(LEG // 3, steps - search.steps), tenure, chances)
        else:
            search.go_back(2 + leg % 5, chances)
        search.weigh()
    search.go_back()
    search.descend()
    return [int(table) for table in search.best]


class Prices:
    """What each exchange of two players would change: repeats and gaps separately."""

    def __init__(self, problem: Problem, tables: Sequence[int]) -> None:
        import numpy as np

        seated = np.array(tables, dtype=np.int64)
        at = (seated == np.arange(problem.tables)[:, None]).astype(np.int64)
        self.repeats = _changes(np.array(problem.repeats, dtype=np.int64), at, seated).tolist()
        self.gaps = _changes(_squared_gaps(problem.scores), at, seated).tolist()
        self.allowed = seated[:, None] != seated
        if problem.kinds is not None:
            kinds = np.array(problem.kinds)
            self.allowed &= kinds[:, None] == kinds
        self.allowed = self.allowed.tolist()


def _squared_gaps(scores: Sequence[int]) -> "Numbers":
    import numpy as np

    each = np.array(scores, dtype=np.int64)
    gaps: Numbers = (each[:, None] - each) ** 2
    return gaps


def _changes(cost: "Numbers", at: "Numbers", seated: "Numbers") -> "Numbers":
    moving = (at @ cost)[seated]
    moving = moving - moving.diagonal()
    changes: Numbers = moving + moving.T - 2 * cost
    return changes


class _Search:
    def __init__(self, problem: Problem, start: Sequence[int]) -> None:
        # Imported here, because most programs that import the formats never draw a table.
        import numpy as np

        self.np = np
        self.count = count = len(start)
        self.names = np.arange(problem.tables)[:, None]
        self.repeats = np.array(problem.repeats, dtype=np.int64)
        self.gaps = _squared_gaps(problem.scores)
        self.floor = problem.floor
        places = np.zeros((problem.tables, count), dtype=np.int64)
        self.places = places if problem.places is None else np.array(problem.places, dtype=np.int64)
        self.kinds_differ = None
        if problem.kinds is not None:
            kinds = np.array(problem.kinds)
            self.kinds_differ = kinds[:, None] != kinds
        # A repeat costs more than all gaps together. If that needs too large numbers, gaps lose their last digits.
        while (weight := 1 + int(self.gaps.sum()) + int(self.places.sum())) * (2 + int(self.repeats.sum())) > ROOM:
            self.gaps >>= 1
            self.places >>= 1
            self.floor >>= 1
        self.largest_gap = int(self.gaps.max())
        self.weight = weight
        self.exact = self.repeats * weight + self.gaps
        self.seated = np.array(start, dtype=np.int64)
        self.steps = 0
        self.weigh()
        at = self._at()
        self.cost = int((at * (at @ self.exact)).sum()) // 2 + int((at * self.places).sum())
        self.best, self.least = self.seated.copy(), self.cost
        self.moving = np.empty((count, count), dtype=np.int64)
        self.changes = np.empty((count, count), dtype=np.int64)
        self.barred = np.empty((count, count), dtype=bool)

    @property
    def is_perfect(self) -> bool:
        return self.least <= self.floor

    def _at(self) -> "Numbers":
        at: Numbers = (self.seated == self.names).astype(self.np.int64)
        return at

    def weigh(self, repeat: int = 0) -> None:
        """Set the cost of a repeat; by default the real one."""
        at = self._at()
        self.pair = self.repeats * repeat + self.gaps if repeat else self.exact
        self.twice = 2 * self.pair
        self.tolls = at @ self.pair + self.places
        self.exact_tolls = at @ self.exact + self.places if repeat else self.tolls

    def go_back(self, exchanges: int = 0, chances: Chances | None = None) -> None:
        """Return to the best tables so far, with some random exchanges."""
        self.seated = self.best.copy()
        self.cost = self.least
        self.weigh()
        if chances is None:
            return
        for _ in range(exchanges):
            one, other = chances.below(self.count), chances.below(self.count)
            if self.seated[one] != self.seated[other] and (
                self.kinds_differ is None or not self.kinds_differ[one, other]
            ):
                self._exchange(one, other)

    def walk(self, steps: int, tenure: int, chances: Chances) -> None:
        """Make the best exchange that is allowed, so many times."""
        leaving: dict[int, list[tuple[int, int]]] = {}
        for step in range(steps):
            for table, who in leaving.pop(step, ()):
                self.tolls[table, who] -= FORBIDDEN
            one, other, change = self._best_exchange()
            if change >= FORBIDDEN // 2:
                continue
            for who, table in ((one, int(self.seated[one])), (other, int(self.seated[other]))):
                leaving.setdefault(step + tenure + chances.below(tenure), []).append((table, who))
            self._exchange(one, other)
            for table, who in ((self.seated[other], one), (self.seated[one], other)):
                self.tolls[table, who] += FORBIDDEN
            if self.cost < self.least:
                self.best, self.least = self.seated.copy(), self.cost
                if self.is_perfect:
                    break
        self.steps += steps

    def descend(self) -> None:
        """Make every exchange that helps, until none does."""
        while True:
            one, other, change = self._best_exchange()
            if change >= 0:
                break
            self._exchange(one, other)
        self.best, self.least = self.seated.copy(), self.cost

    def _best_exchange(self) -> tuple[int, int, int]:
        np, moving, changes, barred = self.np, self.moving, self.changes, self.barred
        self.tolls.take(self.seated, axis=0, out=moving)
        np.subtract(moving, moving.diagonal(), out=moving)
        np.add(moving, moving.T, out=changes)
        changes -= self.twice
        np.equal(self.seated[:, None], self.seated, out=barred)
        if self.kinds_differ is not None:
            barred |= self.kinds_differ
        np.putmask(changes, barred, FORBIDDEN)
        one, other = divmod(int(changes.argmin()), self.count)
        return one, other, int(changes[one, other])

    def _exchange(self, one: int, other: int) -> None:
        here, there = int(self.seated[one]), int(self.seated[other])
        tolls = self.exact_tolls
        self.cost += int(tolls[there, one]) - int(tolls[here, one]) + int(tolls[here, other]) - int(tolls[there, other])
        self.cost -= 2 * int(self.exact[one, other])
        change = self.exact[other] - self.exact[one]
        tolls[here] += change
        tolls[there] -= change
        if self.tolls is not tolls:
            change = self.pair[other] - self.pair[one]
            self.tolls[here] += change
            self.tolls[there] -= change
        self.seated[one], self.seated[other] = there, here
