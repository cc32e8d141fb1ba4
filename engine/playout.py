"""Random play, as fast as the rules go: the loop that simulation, search and the benchmarks share.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import vec
from mypy_extensions import i64

from engine.rng import Rng
from engine.state import MAX_ACTIONS, GameState


def buffer() -> vec[i64]:
    """An array large enough for the legal actions of one decision."""
    return vec[i64]([0] * MAX_ACTIONS)


def answers(state: GameState, seat: i64) -> list[int]:
    """The legal actions of a seat, in turn or aside, as a list.

    Interpreted callers use this instead of passing a buffer: a buffer that interpreted code passes to compiled code is
    never freed.
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
