"""Random play, as fast as the rules go: the loop that simulation, search and the benchmarks share.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import vec
from mypy_extensions import i64

from engine.rng import Rng
from engine.state import MOST_ACTIONS, GameState


def buffer() -> vec[i64]:
    """Room for the legal actions of one decision."""
    return vec[i64]([0] * MOST_ACTIONS)


def answers(state: GameState, seat: i64) -> list[int]:
    """The legal actions of a seat, in turn or aside, as a list.

    For the slow side, which should not hand buffers in: compiled, a buffer that comes from interpreted code is never
    given back.
    """
    acts = buffer()
    count = state.legal(acts) if seat == state.seat else state.legal_aside(seat, acts)
    return [int(acts[i]) for i in range(count)]


def playout(state: GameState, rng: Rng, acts: vec[i64]) -> i64:
    """Play uniformly random legal actions to the end; how many there were."""
    moves: i64 = 0
    while not state.over:
        state.apply(acts[rng.below(state.legal(acts))])
        moves += 1
    return moves
