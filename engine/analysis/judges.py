"""How each game is analysed: which worlds its judge draws, how they go on, and how much is spent on a match."""

from collections.abc import Callable
from dataclasses import dataclass

from engine import build
from engine.analysis.futures import Future, GauntletFuture, SplendorFuture, ThanosFuture
from engine.analysis.splendor_future import FittedSplendorFuture
from engine.bots.infinity_gauntlet import UNCERTAINTY, last_plays
from engine.bots.infinity_gauntlet.search import Beliefs
from engine.bots.protocol import Situation
from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.splendor_marvel.weights import FITTED
from engine.bots.tree_search import Sampler

VERSION = 3
"""Grows when the same record would be judged differently, or a report says more: numbers of two versions are not
compared."""

PUZZLE_VERSION = 4
"""Grows when the same record would give other puzzles, by another judge or another sieve. Up to 3 it was `VERSION`."""

TURNS_AHEAD = 3
"""How many turns of Thanos Rising a judged answer is played on."""

ROUNDS_AHEAD = 1
"""How many rounds of Splendor: Marvel a judged answer is played on."""

CLEARLY = 2.0
"""Standard errors between two levels, for an accuracy."""

STEADY = 95.0
"""Percent of choices with the same class in a second run, for an accuracy."""


@dataclass(frozen=True)
class Budget:
    """Worlds for each answer, up to so many near a threshold, and playouts for each position of the curve."""

    worlds: int
    most_worlds: int
    playouts: int


@dataclass(frozen=True)
class Gate:
    """What was measured of a judge at the standard budget, and whether it is good enough to rate players by.

    Rookie gives away more than Regular and Regular more than Expert over 60 mixed matches, in standard errors; and so
    many percent of the choices, of which an accuracy is made, have the same class in a second run. See
    docs/analysis.md.
    """

    rookie_over_regular: float
    regular_over_expert: float
    same_class: float

    @property
    def is_passed(self) -> bool:
        return min(self.rookie_over_regular, self.regular_over_expert) >= CLEARLY and self.same_class >= STEADY


@dataclass(frozen=True)
class Method:
    """One game's way. Without `worlds_of` no answer is judged: the game has a curve and luck only."""

    future: Callable[[], Future]
    standard: Budget
    small: Budget
    worlds_of: Callable[[Situation], Sampler] | None = None
    judged_future: Callable[[], Future] | None = None
    gate: Gate | None = None

    @property
    def ranks_players(self) -> bool:
        """Whether its judge has passed the gate: only then is there an accuracy."""
        return self.gate is not None and self.gate.is_passed


def likely_worlds(seen: Situation) -> Sampler:
    """Worlds in which the others' last plays make sense come up more often."""
    return Beliefs(seen.imagined.state, seen.seat, last_plays(seen), UNCERTAINTY)


def possible_worlds(seen: Situation) -> Sampler:
    return seen.sampler


METHODS = {
    "infinity-gauntlet": Method(
        GauntletFuture,
        standard=Budget(worlds=128, most_worlds=1024, playouts=200),
        small=Budget(worlds=40, most_worlds=40, playouts=20),
        worlds_of=likely_worlds,
        judged_future=GauntletFuture,
        gate=Gate(rookie_over_regular=6.7, regular_over_expert=3.2, same_class=96.6),
    ),
    "splendor-marvel": Method(
        SplendorFuture,
        standard=Budget(worlds=16, most_worlds=64, playouts=60),
        small=Budget(worlds=4, most_worlds=4, playouts=4),
        worlds_of=possible_worlds,
        judged_future=lambda: FittedSplendorFuture(FittedValue(FITTED), ROUNDS_AHEAD),
        gate=Gate(rookie_over_regular=7.8, regular_over_expert=14.6, same_class=99.6),
    ),
    "thanos-rising": Method(
        lambda: ThanosFuture(1),
        standard=Budget(worlds=24, most_worlds=96, playouts=96),
        small=Budget(worlds=8, most_worlds=8, playouts=8),
        worlds_of=possible_worlds,
        judged_future=lambda: ThanosFuture(TURNS_AHEAD),
        gate=Gate(rookie_over_regular=12.8, regular_over_expert=8.1, same_class=99.2),
    ),
}


STANDARD = "standard"
SMALL = "small"


def budget_here(method: Method) -> tuple[str, Budget]:
    """The budget and its name: a small one where the engine is interpreted, which takes fifty times as long."""
    if build.name() == "compiled":
        return STANDARD, method.standard
    return SMALL, method.small
