"""How a position of Splendor: Marvel goes on for its judges: a few turns by the fitted value, and then that value; or
to the end of the match, played by strong players.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64

from engine.analysis.futures import Future
from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.splendor_marvel.policies import FittedPlay
from engine.bots.tree_search import Sampler, Search
from engine.rng import Rng
from engine.splendor_marvel.state import SplendorState
from engine.state import GameState


class FittedSplendorFuture(Future):
    """Until the seat that was asked is to act again, so many rounds later; all choose what the value likes best."""

    def __init__(self, value: FittedValue, rounds: i64) -> None:
        super().__init__(FittedPlay(value))
        self.value = value
        self.rounds: i64 = rounds
        self.until: i64 = 0

    def begin(self, world: GameState) -> None:
        assert isinstance(world, SplendorState)
        self.until = turn_of(world) + self.rounds * world.players

    def play(self, state: GameState, rng: Rng) -> None:
        assert isinstance(state, SplendorState)
        while not state.over and turn_of(state) < self.until:
            state.apply(self.policy.choose(state, rng, self.acts))

    def chance(self, state: GameState, seat: i64) -> float:
        assert isinstance(state, SplendorState)
        self.value.evaluate(state)
        return self.value.chances[seat]


class SearchedSplendorFuture(Future):
    """To the end: everyone searches for every answer, by what the seat knows in that world. Only the result counts."""

    def __init__(self, value: FittedValue, iterations: i64, explore: float) -> None:
        super().__init__(FittedPlay(value))
        self.iterations: i64 = iterations
        self.explore: float = explore

    def play(self, state: GameState, rng: Rng) -> None:
        while not state.over:
            if state.legal(self.acts) == 1:
                state.apply(self.acts[0])
            else:
                search = Search(Sampler(state, state.seat), self.policy, rng, self.explore)
                search.run(self.iterations, 0.0)
                state.apply(search.best())


def turn_of(state: SplendorState) -> i64:
    """Turns since the deal."""
    return state.rounds * state.players + state.seat
