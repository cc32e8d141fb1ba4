"""Matches that the fitted value learns from.

Up to a random moment each seat plays with a carelessness of its own, so that positions of all kinds come up; from then
on all play as well as they can, and positions are noted with the result.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bots.splendor_marvel.fitted_value import INPUTS, FittedValue
from engine.bots.tree_search import Policy, Sampler, Search
from engine.playout import buffer
from engine.rng import Rng
from engine.splendor_marvel.legal_moves import PAY
from engine.splendor_marvel.state import SplendorState, deal

CARELESS: Final = vec[i64]([0, 0, 5, 15, 40, 100])
"""Out of a hundred moves, so many are drawn by lot."""

DECISIONS: Final = 40
"""How many each seat takes in a match, about."""

APART: Final = 8
"""Decisions between two noted positions, on average."""

GOAL: Final = 16
STALL_ROUNDS: Final = 15


def noted_positions(
    players: i64, value: FittedValue, policy: Policy, iterations: i64, explore: float, rng: Rng
) -> list[list[float]]:
    """One match: for each noted position the inputs of every seat, then its reward at the end.

    From the random moment on the policy chooses, or a search with so many iterations.
    """
    goal: i64 = GOAL if rng.below(6) > 0 else 10 + rng.below(15)
    state = deal(players, goal, STALL_ROUNDS, rng.fork(rng.word()))
    careful_from: i64 = rng.below(DECISIONS * players)
    careless = vec[i64]([0] * int(players))
    seat: i64 = 0
    while seat < players:
        careless[seat] = CARELESS[rng.below(6)]
        seat += 1
    acts = buffer()
    rows: list[list[float]] = []
    decision: i64 = 0
    while not state.over:
        count: i64 = state.legal(acts)
        if state.phase != PAY and decision >= careful_from and (decision == careful_from or rng.below(APART) == 0):
            rows.append(inputs(state, value))
        if decision < careful_from and rng.below(100) < careless[state.seat]:
            action: i64 = acts[rng.below(count)]
        elif iterations > 0 and count > 1 and decision >= careful_from:
            search = Search(Sampler(state, state.seat), policy, rng, explore)
            search.run(iterations, 0.0)
            action = search.best()
        else:
            world = state.clone()
            world.determinise(state.seat, rng)
            action = policy.choose(world, rng, acts)
        state.apply(action)
        decision += 1
    for row in rows:
        seat = 0
        while seat < players:
            row.append(state.reward(seat))
            seat += 1
    return rows


def inputs(state: SplendorState, value: FittedValue) -> list[float]:
    """What the network looks at, for every seat."""
    value.describe(state)
    row: list[float] = []
    seat: i64 = 0
    while seat < state.players:
        value.gather(state, seat)
        k: i64 = 0
        while k < INPUTS:
            row.append(value.input[k])
            k += 1
        seat += 1
    return row
