"""Title odds come true as often as they say, in simulated clubs of known strengths. `bench odds` plays many more."""

import random
from itertools import combinations
from math import sqrt

import pytest

from deploy.bench import odds as bench
from leagues.odds.values import Estimates, margin
from leagues.ratings.kinds import START


def test_a_season_of_known_strengths_agrees_with_one_that_is_counted_by_hand():
    """The bench's truth beside plain coin tosses and points, which know nothing of formats."""
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
    said = [bench.Said(club, 0.35, 0.3 + 0.1 * (club % 2), 0.4, True) for club in range(100)]
    found = bench.compared(said)
    assert (found.count, found.given, found.came_true) == (100, pytest.approx(0.35), pytest.approx(0.4))
    assert found.off == pytest.approx(-0.05)
    assert found.error == pytest.approx(0.05 / sqrt(100))
    row = bench._row("favourite", found, bench.FAVOURITE)
    assert (row.value, row.reached) == (5.0, row.value <= row.reach)
    far = bench._row("favourite", bench.Compared(1000, 0.44, 0.31, 0.01), bench.FAVOURITE)
    assert far.reached is False, "what was measured before strengths were drawn"


@pytest.mark.parametrize(("spread", "games"), [(100, 10), (150, 3), (250, 30)])
def test_odds_come_true_as_often_as_they_say(spread, games):
    """A sample of the bench with a fixed seed: an error of ten points, as there was, cannot hide in it."""
    said = list(bench.setting(spread, games, 40))
    favourite = bench.compared([each for each in said if each.favourite])
    assert favourite.error < 0.045
    assert abs(favourite.off) < 0.04 + 2 * favourite.error
    for low, high in ((0.0, 0.15), (0.15, 0.35), (0.35, 1.0)):
        alike = bench.compared([each for each in said if low <= each.first < high])
        assert abs(alike.off) < 0.05 + 2 * alike.error


def test_a_favourite_of_few_games_is_given_less_than_the_ratings_alone_would_say():
    """The mistake this is about: ratings taken for strengths make favourites of luck."""
    drawn, taken = [], []
    for club in range(25):
        rng = random.Random(club)
        true = {who: START + round(rng.gauss(0, 150) * 1000) for who in range(1, bench.CLUB + 1)}
        estimates = bench.estimated(bench.rated(rng, true, 10))
        drawn.append(max(bench.titles(bench.season(estimates), "x", 0, 100).values()))
        certain = (Estimates(estimates[-1].rating),)
        taken.append(max(bench.titles(bench.season(certain), "x", 0, 100).values()))
    assert sum(drawn) / 25 < sum(taken) / 25 - 0.05
