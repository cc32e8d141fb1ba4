"""Sources of randomness: drawn from a seed, or enumerating every possibility."""

from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import TypeVar

from engine.rng import stream

WORD = 1.0 / (1 << 32)
NORMAL = NormalDist()

T = TypeVar("T")


class TooMany(Exception):
    """There are more possibilities than allowed."""


class RandomSource:
    """Where a simulation gets its random choices.

    `weighs` says that all possibilities are enumerated, so that continuous values such as strengths cannot be drawn.
    """

    weighs = False

    def choose(self, weights: Sequence[float]) -> int:
        """An index, with probability proportional to its weight."""
        raise NotImplementedError

    def normal(self) -> float:
        """A number of the standard normal distribution."""
        raise NotImplementedError


class SeededSource(RandomSource):
    """One run of a simulation, with its own stream of the seed, so that any run can be repeated alone."""

    __slots__ = ("rng",)

    def __init__(self, seed: str, run: int) -> None:
        self.rng = stream(seed, f"odds:{run}")

    def choose(self, weights: Sequence[float]) -> int:
        left = int(self.rng.word()) * WORD * sum(weights)
        for at, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return at
        # Rounding may leave a remainder: the last with a positive weight.
        return max(at for at, weight in enumerate(weights) if weight)

    def normal(self) -> float:
        return NORMAL.inv_cdf((int(self.rng.word()) + 0.5) * WORD)


class EnumeratingSource(RandomSource):
    """One path through the tree of all possibilities; `advance` moves to the next one."""

    __slots__ = ("asked", "at", "chance")
    weighs = True

    def __init__(self) -> None:
        self.asked: list[tuple[int, Sequence[float]]] = []
        self.restart()

    def restart(self) -> None:
        self.at = 0
        self.chance = 1.0

    def choose(self, weights: Sequence[float]) -> int:
        if self.at == len(self.asked):
            self.asked.append((_next(weights, 0), weights))
        index = self.asked[self.at][0]
        self.at += 1
        self.chance *= weights[index] / sum(weights)
        return index

    def advance(self) -> bool:
        """Move to the next path; False if there is none."""
        while self.asked:
            index, weights = self.asked.pop()
            following = _next(weights, index + 1)
            if following < len(weights):
                self.asked.append((following, weights))
                self.restart()
                return True
        return False

    @property
    def ways(self) -> int:
        """The number of paths, if each has as many choices as this one."""
        count = 1
        for _, weights in self.asked:
            count *= sum(weight > 0 for weight in weights)
        return count


def _next(weights: Sequence[float], index: int) -> int:
    """The first index from here on with a positive weight."""
    while index < len(weights) and weights[index] <= 0:
        index += 1
    return index


def every(act: Callable[[RandomSource], T], most: int | None = None) -> Iterator[tuple[float, T]]:
    """All outcomes with their probabilities. TooMany, as early as possible, if there are more than `most`."""
    path = EnumeratingSource()
    going, count = True, 0
    while going:
        outcome = act(path)
        count += 1
        if most is not None and (path.ways > most or count > most):
            raise TooMany
        yield path.chance, outcome
        going = path.advance()
