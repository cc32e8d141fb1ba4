"""Chance, in two ways: drawn from a seed, or gone through from end to end."""

from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import TypeVar

from engine.rng import stream

WORD = 1.0 / (1 << 32)
NORMAL = NormalDist()

T = TypeVar("T")


class TooMany(Exception):
    """There are more ways than anybody wants to go."""


class Luck:
    """Whoever plays a season asks here, one question after another.

    `weighs` says that every way is gone through, so that nothing without end, like a strength, can be drawn.
    """

    weighs = False

    def choose(self, weights: Sequence[float]) -> int:
        """One of them, each as likely as it weighs."""
        raise NotImplementedError

    def normal(self) -> float:
        """A number of the standard normal distribution."""
        raise NotImplementedError


class Dice(Luck):
    """One run of a simulation: its own stream of the seed, so that any run can be played again alone."""

    __slots__ = ("rng",)

    def __init__(self, seed: str, run: int) -> None:
        self.rng = stream(seed, f"odds:{run}")

    def choose(self, weights: Sequence[float]) -> int:
        left = int(self.rng.word()) * WORD * sum(weights)
        for at, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return at
        # Rounding may leave a crumb at the very end: the last that can happen at all.
        return max(at for at, weight in enumerate(weights) if weight)

    def normal(self) -> float:
        return NORMAL.inv_cdf((int(self.rng.word()) + 0.5) * WORD)


class Path(Luck):
    """One way through all that could happen; `advance` turns it into the next one."""

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
        """Whether there is another way."""
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
        """How many there are, if every way asks as many questions as this one did."""
        count = 1
        for _, weights in self.asked:
            count *= sum(weight > 0 for weight in weights)
        return count


def _next(weights: Sequence[float], index: int) -> int:
    """The first from here on that can happen at all."""
    while index < len(weights) and weights[index] <= 0:
        index += 1
    return index


def every(act: Callable[[Luck], T], most: int | None = None) -> Iterator[tuple[float, T]]:
    """All that can come of it, each with its chance. TooMany, as early as can be seen, if that is more than `most`."""
    path = Path()
    going, count = True, 0
    while going:
        outcome = act(path)
        count += 1
        if most is not None and (path.ways > most or count > most):
            raise TooMany
        yield path.chance, outcome
        going = path.advance()
