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

TURNS_AHEAD = 3
"""How many turns of Thanos Rising a judged answer is played on."""

ROUNDS_AHEAD = 1
"""How many rounds of Splendor: Marvel a judged answer is played on."""


@dataclass(frozen=True)
class Budget:
    """Worlds for each answer, up to so many near a threshold, and playouts for each position of the curve."""

    worlds: int
    most_worlds: int
    playouts: int


@dataclass(frozen=True)
class Method:
    """One game's way. Without `worlds_of` no answer is judged: the game has a curve and luck only."""

    future: Callable[[], Future]
    standard: Budget
    small: Budget
    worlds_of: Callable[[Situation], Sampler] | None = None
    judged_future: Callable[[], Future] | None = None
    # Whether its judge, at the standard budget, has ranked bots of known strength: only then is there an accuracy. The
    # gate is Rookie below Regular below Expert, each by two standard errors over 60 mixed matches; see
    # docs/analysis.md.
    ranks_players: bool = False


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
        ranks_players=True,
    ),
    "splendor-marvel": Method(
        SplendorFuture,
        standard=Budget(worlds=16, most_worlds=64, playouts=60),
        small=Budget(worlds=4, most_worlds=4, playouts=4),
        worlds_of=possible_worlds,
        judged_future=lambda: FittedSplendorFuture(FittedValue(FITTED), ROUNDS_AHEAD),
        ranks_players=True,
    ),
    "thanos-rising": Method(
        lambda: ThanosFuture(1),
        standard=Budget(worlds=24, most_worlds=96, playouts=96),
        small=Budget(worlds=8, most_worlds=8, playouts=8),
        worlds_of=possible_worlds,
        judged_future=lambda: ThanosFuture(TURNS_AHEAD),
        ranks_players=True,
    ),
}


STANDARD = "standard"
SMALL = "small"


def budget_here(method: Method) -> tuple[str, Budget]:
    """The budget and its name: a small one where the engine is interpreted, which takes fifty times as long."""
    if build.name() == "compiled":
        return STANDARD, method.standard
    return SMALL, method.small
