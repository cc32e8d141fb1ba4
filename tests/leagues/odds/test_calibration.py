"""Title odds are calibrated, in simulated clubs of known strengths. `bench odds` simulates many more."""

import random
from itertools import combinations
from math import sqrt

import pytest

from deploy.bench import odds as bench
from leagues.elo.result_types import START
from leagues.odds.simulation.values import Estimates, margin


def test_a_season_of_known_strengths_agrees_with_one_that_is_counted_by_hand():
    """The benchmark's true odds compared with plain coin tosses and points, without the format code."""
    points = {who: 60 * (4 - who) for who in range(1, bench.FIELD + 1)}
    known = Estimates({who: START + 1000 * each for who, each in points.items()})
    ours = bench.titles(bench.season((known,)), "by hand", 0, 1500)
    rng, theirs = random.Random(1), dict.fromkeys(points, 0.0)
    for _ in range(4000):
        score = dict.fromkeys(points, 0)
        for one, other in combinations(points, 2):
            score[one if rng.random() < 1 / (1 + 10 ** ((points[other] - points[one]) / 400)) else other] += 1
        first = [who for who in score if score[who] == max(score.values())]
        for who in first:
            theirs[who] += 1 / len(first) / 4000
    assert ours == pytest.approx(theirs, abs=2 * margin(1500, exact=False))
    assert sum(ours.values()) == pytest.approx(1)


def test_what_is_compared_is_given_and_come_true_with_the_clubs_own_error():
    predictions = [bench.Prediction(club, 0.35, 0.3 + 0.1 * (club % 2), 0.4, True) for club in range(100)]
    found = bench.calibration(predictions)
    assert (found.count, found.given, found.came_true) == (100, pytest.approx(0.35), pytest.approx(0.4))
    assert found.bias == pytest.approx(-0.05)
    assert found.error == pytest.approx(0.05 / sqrt(100))
    row = bench._row("favourite", found, bench.FAVOURITE)
    assert (row.value, row.reached) == (5.0, row.value <= row.target)
    far = bench._row("favourite", bench.Calibration(1000, 0.44, 0.31, 0.01), bench.FAVOURITE)
    assert far.reached is False, "what was measured before strengths were drawn"


@pytest.mark.parametrize(("spread", "games"), [(100, 10), (150, 3), (250, 30)])
def test_odds_come_true_as_often_as_they_say(spread, games):
    """A sample of the benchmark with a fixed seed.

    If ratings are taken as exact strengths, favourites of the second and third setting get 9 and 6 points too much.
    """
    predictions = list(bench.setting(spread, games, 40))
    favourite = bench.calibration([each for each in predictions if each.favourite])
    assert favourite.error < 0.045
    assert abs(favourite.bias) < 0.04
    for low, high in ((0.0, 0.15), (0.15, 0.35), (0.35, 1.0)):
        alike = bench.calibration([each for each in predictions if low <= each.first < high])
        assert abs(alike.bias) < 0.05 + 2 * alike.error


def test_a_favourite_of_few_games_is_given_less_than_the_ratings_alone_would_say():
    """If ratings are taken as exact strengths, lucky players become favourites."""
    drawn, taken = [], []
    for club in range(25):
        rng = random.Random(club)
        true = {who: START + round(rng.gauss(0, 150) * 1000) for who in range(1, bench.CLUB + 1)}
        estimates = bench.estimated(bench.rated(rng, true, 10))
        drawn.append(max(bench.titles(bench.season(estimates), "x", 0, 100).values()))
        certain = (Estimates(estimates[-1].rating),)
        taken.append(max(bench.titles(bench.season(certain), "x", 0, 100).values()))
    assert sum(drawn) / 25 < sum(taken) / 25 - 0.05
