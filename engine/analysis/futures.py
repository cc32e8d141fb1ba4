"""How a position goes on in an imagined world: played by the habits of club players, then valued by side.

The judge and the luck both rest on these. A world must be redrawn before it is played on: the habits of Splendor:
Marvel look at the next card of the world they are in.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from mypy_extensions import i64

from engine.bots.infinity_gauntlet.policies import ClubPlay as GauntletHabits
from engine.bots.splendor_marvel.policies import ValuePlay
from engine.bots.thanos_rising.policies import ClubPlay as ThanosHabits
from engine.bots.thanos_rising.search import Trial, play_on, win_probability
from engine.bots.tree_search import Policy, Sampler
from engine.playout import buffer
from engine.rng import Rng
from engine.state import GameState
from engine.thanos_rising.state import ThanosState

RANDOM_MARGIN: Final = 0.05
"""In Infinity Gauntlet a random choice is made between answers whose values differ by less, in lives of the heroes."""


SEARCHED_TURNS: Final = 1
"""In Thanos Rising a search for the rest of a turn plays on for so many turns: it is run very often."""


class Future:
    """Plays a world to its end by a policy; the chance to win is then 1, 0, or a share."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.acts = buffer()

    def begin(self, world: GameState) -> None:
        """Take note of a world before its answers are tried: all of them are played on to the same moment."""

    def play(self, state: GameState, rng: Rng) -> None:
        while not state.over:
            state.apply(self.policy.choose(state, rng, self.acts))

    def chance(self, state: GameState, seat: i64) -> float:
        """The chance of a seat to win, once the world was played on."""
        return state.reward(seat)

    def first_answer(self, state: GameState, rng: Rng) -> i64:
        """What `play` would answer first, where that depends on nothing that is still to be drawn; else -1."""
        return -1


class GauntletFuture(Future):
    """Infinity Gauntlet, to the end."""

    def __init__(self) -> None:
        super().__init__(GauntletHabits(RANDOM_MARGIN))

    def first_answer(self, state: GameState, rng: Rng) -> i64:
        return self.policy.choose(state, rng, self.acts)


class SplendorFuture(Future):
    """Splendor: Marvel, to the end."""

    def __init__(self) -> None:
        super().__init__(ValuePlay())


class ThanosFuture(Future):
    """Thanos Rising, for some turns with everyone's tokens; then the fitted probability to win."""

    def __init__(self, turns: i64) -> None:
        habits = ThanosHabits()
        super().__init__(habits)
        self.habits = habits
        self.turns: i64 = turns

    def play(self, state: GameState, rng: Rng) -> None:
        assert isinstance(state, ThanosState)
        play_on(state, self.habits, rng, self.acts, self.turns)

    def chance(self, state: GameState, seat: i64) -> float:
        assert isinstance(state, ThanosState)
        if state.over:
            return state.reward(seat)
        return win_probability(state, self.habits)


class ThanosTurnFuture(ThanosFuture):
    """Thanos Rising, with the rest of a seat's turn played well: what can still be done later in it is not lost.

    Each of its answers is searched for with so many playouts, by what the seat knows in that world. Then some turns of
    everybody by the habits.
    """

    def __init__(self, seat: i64, turn: i64, turns: i64, playouts: i64) -> None:
        super().__init__(turns)
        self.seat: i64 = seat
        self.turn: i64 = turn
        self.playouts: i64 = playouts

    def play(self, state: GameState, rng: Rng) -> None:
        assert isinstance(state, ThanosState)
        while not state.over and state.turn == self.turn and state.seat == self.seat:
            if state.legal(self.acts) == 1:
                state.apply(self.acts[0])
            else:
                trial = Trial(Sampler(state, self.seat), self.habits, rng, SEARCHED_TURNS)
                trial.run(self.playouts, 0.0, 3.0)
                state.apply(trial.best())
        super().play(state, rng)
