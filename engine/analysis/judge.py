"""What each answer of one decision is worth, by what the seat that decided could know.

Every answer is tried in the same worlds with the same random numbers, and none is dropped: a search for the best move
may ignore bad ones, a judge may not. The worlds are dealt in turn to two halves. The best answer by one half is
measured on the other, so that a lucky draw of worlds does not make a loss of nothing.

Compiled by mypyc; see `engine.build`.
"""

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.analysis.futures import Future
from engine.bots.tree_search import Sampler
from engine.rng import Rng

LEAVE: Final = -1
"""The answer of a seat that may act out of turn and does not."""

SAME: Final = 1e-12


class Table:
    """Answers against worlds. `actions` are the answers of the sampler's seat, `LEAVE` among them out of turn."""

    def __init__(self, sampler: Sampler, future: Future, rng: Rng, actions: list[int]) -> None:
        self.sampler = sampler
        self.future = future
        self.rng = rng
        self.actions = vec[i64](actions)
        self.count: i64 = len(actions)
        self.aside: bool = sampler.imagined.seat != sampler.seat
        self.worlds: i64 = 0
        self.value = vec[float]([0.0] * int(self.count))
        # total[half * count + i]; squared_gaps[half * count * count + i * count + j], i < j
        self.total = vec[float]([0.0] * int(2 * self.count))
        self.squared_gaps = vec[float]([0.0] * int(2 * self.count * self.count))

    def run(self, worlds: i64) -> None:
        """Try all answers in more worlds, until there are so many."""
        while self.worlds < worlds:
            self.try_world()

    def try_world(self) -> None:
        world = self.sampler.draw(self.rng)
        luck = self.rng.fork(self.worlds)
        self.future.begin(world)
        i: i64 = 0
        while i < self.count:
            state = world.clone()
            if not self.aside:
                state.apply(self.actions[i])
            elif self.actions[i] != LEAVE:
                state.apply_aside(self.sampler.seat, self.actions[i])
            self.future.play(state, luck.clone())
            self.value[i] = self.future.chance(state, self.sampler.seat)
            i += 1
        half: i64 = self.worlds % 2
        i = 0
        while i < self.count:
            self.total[half * self.count + i] += self.value[i]
            j: i64 = i + 1
            while j < self.count:
                gap = self.value[i] - self.value[j]
                self.squared_gaps[(half * self.count + i) * self.count + j] += gap * gap
                j += 1
            i += 1
        self.worlds += 1

    # -- what it says

    def worlds_of(self, half: i64) -> float:
        return float((self.worlds + 1 - half) // 2)

    def mean(self, i: i64) -> float:
        """The chance to win after an answer."""
        return (self.total[i] + self.total[self.count + i]) / float(self.worlds)

    def best(self) -> i64:
        """The place of the best answer by all worlds; of several, the first."""
        best: i64 = 0
        i: i64 = 1
        while i < self.count:
            if self.mean(i) > self.mean(best):
                best = i
            i += 1
        return best

    def best_of(self, half: i64) -> i64:
        best: i64 = 0
        i: i64 = 1
        while i < self.count:
            if self.total[half * self.count + i] > self.total[half * self.count + best]:
                best = i
            i += 1
        return best

    def gap(self, half: i64, better: i64, i: i64) -> float:
        """How much better one answer is than another in the worlds of a half."""
        return (self.total[half * self.count + better] - self.total[half * self.count + i]) / self.worlds_of(half)

    def loss(self, i: i64) -> float:
        """What an answer gives away: the best by each half, measured on the other. It may come out below 0."""
        return (self.gap(0, self.best_of(1), i) + self.gap(1, self.best_of(0), i)) / 2.0

    def error(self, i: i64) -> float:
        """The standard error of `loss`."""
        return sqrt(self.variance(0, self.best_of(1), i) + self.variance(1, self.best_of(0), i)) / 2.0

    def variance(self, half: i64, i: i64, j: i64) -> float:
        """Of the mean difference of two answers in the worlds of a half."""
        worlds = self.worlds_of(half)
        if i == j or worlds < 2.0:
            return 0.0
        gap = self.gap(half, i, j)
        spread = self.squares(half, i, j) - gap * gap * worlds
        return spread / (worlds * (worlds - 1.0)) if spread > 0.0 else 0.0

    def squares(self, half: i64, i: i64, j: i64) -> float:
        if i > j:
            return self.squared_gaps[(half * self.count + j) * self.count + i]
        return self.squared_gaps[(half * self.count + i) * self.count + j]

    def largest_loss(self, i: i64) -> float:
        """The plain difference to the best by all worlds: too high where several answers are alike."""
        return self.mean(self.best()) - self.mean(i)

    def stake(self) -> float:
        """How much better the best answer is than one drawn by lot, answers of equal value counted once."""
        both = 0.0
        half: i64 = 0
        while half < 2:
            total = 0.0
            kept: i64 = 0
            i: i64 = 0
            while i < self.count:
                if self.is_first_of_its_value(i):
                    total += self.total[half * self.count + i]
                    kept += 1
                i += 1
            best: i64 = self.best_of(1 - half)
            both += (self.total[half * self.count + best] - total / float(kept)) / self.worlds_of(half)
            half += 1
        return both / 2.0

    def is_first_of_its_value(self, i: i64) -> bool:
        """Whether no answer before it came to the same in every world."""
        j: i64 = 0
        while j < i:
            if self.squares(0, j, i) + self.squares(1, j, i) < SAME:
                return False
            j += 1
        return True
