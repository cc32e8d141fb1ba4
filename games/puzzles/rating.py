"""The rating of puzzles and of those who try them, a duel each time.

Ratings belong to the leagues, a layer above, which names the arithmetic.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Standing:
    """A rating and its variance in thousandths, from so many games, the last of them on this day (as an ordinal)."""

    rating: int
    variance: int
    games: int = 0
    day: int = 0

    @property
    def points(self) -> int:
        return round(self.rating / 1000)

    @property
    def deviation(self) -> int:
        """How unsure the rating is, in points."""
        return round(sqrt(self.variance / 1000))


@dataclass(frozen=True)
class Arithmetic:
    """Where everybody starts, and how two standings change by a duel on a day: the person's, then the puzzle's."""

    first: Standing
    duel: Callable[[Standing, Standing, bool, int], tuple[Standing, Standing]]


_named: list[Arithmetic] = []


def use(arithmetic: Arithmetic) -> None:
    """Called from an app's `ready`."""
    _named[:] = [arithmetic]


def first() -> Standing:
    return _named[0].first


def duel(person: Standing, puzzle: Standing, *, solved: bool, day: int) -> tuple[Standing, Standing]:
    return _named[0].duel(person, puzzle, solved, day)
