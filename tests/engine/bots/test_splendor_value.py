"""The fitted value of positions of Splendor: Marvel: chances, the same for the same side of the table in any seat."""

import random

import numpy as np
import pytest

import engine
from engine.bots.splendor_marvel import fit_value
from engine.bots.splendor_marvel.fitted_value import HIDDEN, INPUTS, WEIGHTS, FittedValue
from engine.bots.splendor_marvel.policies import FittedPlay
from engine.bots.splendor_marvel.self_play import noted_positions
from engine.bots.splendor_marvel.weights import FITTED
from engine.rng import stream
from engine.splendor_marvel.legal_moves import PAY
from tests.engine.random_play import walk
from tests.engine.splendor_marvel.positions import Position
from tests.engine.splendor_marvel.test_tiles_and_end import SIXTEEN

every_table = pytest.mark.parametrize("players", [2, 3, 4])


def chances(state):
    value = FittedValue(FITTED)
    value.evaluate(state.clone())
    return [value.chances[seat] for seat in range(state.players)]


def test_there_are_weights_for_every_number_of_players():
    assert [len(weights) for weights in FITTED] == [WEIGHTS] * 3
    assert all(any(weights) for weights in FITTED)


@every_table
def test_chances_are_parts_of_one_from_the_deal_to_the_end(players):
    match = engine.game("splendor-marvel").start(players, f"parts {players}")
    for _ in walk(match, f"parts {players}"):
        before = match.state.ints()
        worth = chances(match.state)
        assert all(0 <= chance <= 1 for chance in worth)
        assert sum(worth) == pytest.approx(1)
        assert match.state.ints() == before
    assert worth == [match.state.reward(seat) for seat in range(players)]


@pytest.mark.parametrize(
    ("players", "to_act", "alike"), [(3, 0, (1, 2)), (3, 2, (0, 1)), (4, 1, (2, 3)), (4, 3, (0, 2))]
)
def test_two_who_wait_for_the_same_turn_may_change_places(players, to_act, alike):
    """Their chances go with what they have: which seat it is decides nothing but who plays next."""
    match, compared = engine.game("splendor-marvel").start(players, "places"), 0
    for _ in walk(match, "places"):
        state = match.state
        if state.seat != to_act or state.phase == PAY or match.to_act is None:
            continue
        one, other = alike
        twin = state.clone()
        twin.teams[one], twin.teams[other] = twin.teams[other], twin.teams[one]
        twin.owner = {one: other, other: one}.get(state.owner, state.owner)
        here, there = chances(state), chances(twin)
        there[one], there[other] = there[other], there[one]
        assert there == pytest.approx(here)
        compared += here[one] != here[other]
    assert compared > 10


def test_who_has_all_but_one_card_that_can_be_paid_for_is_well_ahead():
    *mine, last = SIXTEEN
    at = Position().recruits(0, *mine).market(last).tokens(0, red=3, blue=3, yellow=2, purple=1, orange=1)
    assert chances(at.state)[0] > 0.9
    assert chances(at.to_act(1).state)[1] < 0.3


# -- how it is fitted


def test_numpy_and_the_engine_compute_the_same_chances():
    rng = random.Random(1)
    weights = [[rng.gauss(0, 0.3) for _ in range(WEIGHTS)]] * 3
    value = FittedValue(weights)
    rows = noted_positions(3, value, FittedPlay(value), 0, 0.3, stream("numpy", "fit"))
    inputs, _ = fit_value.as_arrays([rows], 3)
    expected, hidden = fit_value.chances_of(np.array(weights[1]), inputs)
    assert hidden.shape == (len(rows), 3, HIDDEN)
    match = engine.game("splendor-marvel").start(3, "numpy")
    value.evaluate(match.state)
    value.describe(match.state)
    seats = []
    for seat in range(3):
        value.gather(match.state, seat)
        seats.append([value.input[k] for k in range(INPUTS)])
    here = fit_value.chances_of(np.array(weights[1]), np.array([seats]))[0][0]
    assert [value.chances[seat] for seat in range(3)] == pytest.approx(list(here))
    assert np.allclose(expected.sum(axis=1), 1)


def test_the_slope_is_the_change_of_the_loss():
    rng = np.random.default_rng(1)
    weights, inputs = rng.normal(0, 0.3, WEIGHTS), rng.normal(0, 1, (5, 3, INPUTS))
    rewards = np.eye(3)[rng.integers(0, 3, 5)]

    def loss(at):
        return -np.mean(np.sum(rewards * np.log(fit_value.chances_of(at, inputs)[0]), axis=1))

    slope = fit_value.gradient(weights, inputs, rewards)
    for place in rng.integers(0, WEIGHTS, 40):
        step = np.zeros(WEIGHTS)
        step[place] = 1e-6
        assert slope[place] == pytest.approx((loss(weights + step) - loss(weights - step)) / 2e-6, abs=1e-5)


def test_the_same_seed_gives_the_same_weights_and_they_learn():
    asked = fit_value.parsed(["--matches", "12", "--generations", "2", "--seed", "tiny"])
    first = fit_value.fit(2, asked)
    assert first == fit_value.fit(2, asked)
    assert len(first) == WEIGHTS
