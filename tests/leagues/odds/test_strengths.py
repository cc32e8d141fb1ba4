"""Odds with estimated strengths, compared with independent integrals over all strengths."""

from dataclasses import replace
from itertools import permutations, product
from math import exp, log, sqrt

import numpy
import pytest

from leagues.elo.result_types import FIRST_VARIANCE, START, RatingKind
from leagues.odds.simulation import pool_spreads
from leagues.odds.simulation.monte_carlo import odds
from leagues.odds.simulation.outcome_model import OutcomeModel
from leagues.odds.simulation.random_source import SeededSource
from leagues.odds.simulation.values import margin
from tests.leagues.odds import season_factories
from tests.leagues.odds.season_factories import best_wins, drawn, rest, strengths

NODES, WEIGHTS = numpy.polynomial.hermite_e.hermegauss(20)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
RUNS = 6000


def curve(points: float) -> float:
    return 1 / (1 + exp(-points * log(10) / 400))


def integral(means, deviations, of):
    """The mean of `of(strengths in points)` over independent normal strengths."""
    total = 0.0
    for at in product(range(len(NODES)), repeat=len(means)):
        weight = 1.0
        for each in at:
            weight *= WEIGHTS[each]
        if weight > 1e-9:
            total += weight * of([m + d * NODES[each] for m, d, each in zip(means, deviations, at)])
    return total


def title(found, who: int) -> float:
    return next(row.title for row in found.rows if row.entrant == who)


def test_three_who_all_meet_keep_their_strength_from_game_to_game():
    """A player who is better than estimated is so in both games: the title is likelier than with independent games."""
    deviation = 200
    season = rest(
        season_factories.ROUND_ROBIN, 3, tie_breaks="round-robin", strengths=strengths(3, deviation=deviation)
    )
    # Without the lot, three who beat each other in a circle share the title.
    season = replace(season, tie_breaks=("head-to-head",))
    found = odds(season, seed="three", runs=RUNS)
    assert not found.exact
    means = [120.0, 60.0, 0.0]

    def wins(who: int):
        one, other = (each for each in range(3) if each != who)

        def chance(s) -> float:
            both = curve(s[who] - s[one]) * curve(s[who] - s[other])
            beats = [[curve(a - b) for b in s] for a in s]
            circle = beats[0][1] * beats[1][2] * beats[2][0] + beats[0][2] * beats[2][1] * beats[1][0]
            return both + circle / 3

        return chance

    for who in range(3):
        truth = integral(means, [deviation] * 3, wins(who))
        assert title(found, who + 1) == pytest.approx(truth, abs=2 * margin(RUNS, exact=False))
    apart = odds(replace(season, strengths=strengths(3)), seed="x")
    assert apart.exact, "where strengths are known, every end is weighed"
    assert title(apart, 3) < title(found, 3) - margin(RUNS, exact=False)


@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_the_last_game_of_two_is_the_integral_over_their_difference(draws):
    season = rest(season_factories.ROUND_ROBIN, 2, strengths=strengths(2, deviation=150, draws=draws))
    found = odds(replace(season, tie_breaks=("head-to-head",)), seed="x")
    assert found.exact
    spread = sqrt(2) * 150
    truth = integral([60.0], [spread], lambda s: curve(s[0]))
    # A game that ends level is half of a title for each: the expected score stays.
    assert title(found, 1) == pytest.approx(truth, abs=1e-6)
    assert truth < curve(60) - 0.005


def test_a_table_of_three_is_the_integral_over_all_three():
    deviation = 150
    season = rest(season_factories.BLOCKS, 3, tie_breaks="season", strengths=strengths(3, deviation=deviation))
    found = odds(season, seed="x")
    assert found.exact
    assert found.runs == 6
    truth = dict.fromkeys(permutations(range(3)), 0.0)
    for order in truth:

        def first_second_third(s, order=order) -> float:
            strong = [10 ** (each / 400) for each in s]
            return strong[order[0]] / sum(strong) * strong[order[1]] / (strong[order[1]] + strong[order[2]])

        truth[order] = integral([120.0, 60.0, 0.0], [deviation] * 3, first_second_third)
    for row in found.rows:
        for place in range(3):
            expected = sum(chance for order, chance in truth.items() if order[place] == row.entrant - 1)
            assert row.places[place] == pytest.approx(expected, abs=2e-4)


LAST = {
    "tables of three": rest(season_factories.BLOCKS, 9, tie_breaks="season", strengths=strengths(9, deviation=120)),
    "a final": rest(season_factories.KNOCK_OUT, 2, strengths=strengths(2, deviation=120)),
    "a heat": rest(season_factories.HEATS, 3, strengths=strengths(3, deviation=120)),
    "one against three": rest(
        replace(season_factories.ONE_VS_MANY, planned=1),
        4,
        kind=RatingKind.ONE_VS_MANY,
        tie_breaks="one-against-many",
        strengths=strengths(
            4, RatingKind.ONE_VS_MANY, deviation=120, offset_variance={(4, ""): 75**2 * 1000}, offsets={(4, ""): 0}
        ),
    ),
}


def after_two_rounds():
    season = rest(season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin")
    played = [best_wins(drawn(season, number)) for number in (1, 2)]
    return rest(
        season_factories.ROUND_ROBIN, 4, played, tie_breaks="round-robin", strengths=strengths(4, deviation=120)
    )


@pytest.mark.parametrize("name", [*LAST, "a last round"])
def test_weighing_and_playing_agree_where_everybody_plays_once_more(name):
    season = LAST[name] if name in LAST else after_two_rounds()
    truth = odds(season, seed="any")
    assert truth.exact
    played = odds(season, seed="a seed", runs=1500, weigh=False)
    for row in played.rows:
        known = next(each for each in truth.rows if each.entrant == row.entrant)
        assert row.places == pytest.approx(known.places, abs=2 * margin(1500, exact=False))


@pytest.mark.parametrize(
    "season",
    [
        rest(season_factories.ROUND_ROBIN, 3, tie_breaks="round-robin", strengths=strengths(3, deviation=50)),
        rest(season_factories.KNOCK_OUT, 4, strengths=strengths(4, deviation=50)),
        rest(
            season_factories.POD,
            4,
            kind=RatingKind.ONE_VS_MANY,
            strengths=strengths(4, RatingKind.ONE_VS_MANY, deviation=50),
        ),
        rest(
            season_factories.ROTATING,
            4,
            kind=RatingKind.COOPERATIVE,
            strengths=strengths(4, RatingKind.COOPERATIVE, deviation=50),
        ),
    ],
)
def test_who_plays_again_is_played_and_not_weighed(season):
    assert not odds(season, seed="x", runs=50).exact


def test_two_tables_that_share_an_unsure_offset_are_played_and_not_weighed():
    rules = replace(season_factories.ONE_VS_MANY, planned=1)
    sure = strengths(8, RatingKind.ONE_VS_MANY, deviation=50, offsets={(4, ""): 0})
    season = rest(rules, 8, kind=RatingKind.ONE_VS_MANY, tie_breaks="one-against-many", strengths=sure)
    assert odds(season, seed="x", runs=50).exact
    unsure = replace(sure, offset_variance={(4, ""): 75**2 * 1000})
    assert not odds(replace(season, strengths=unsure), seed="x", runs=50).exact


def test_one_against_many_is_the_integral_over_both_sides_and_the_offset():
    """Each role has its own variance; a mean of three has less; the offset has one as well."""
    season = LAST["one against three"]
    found = odds(season, seed="x")
    table = season.stage.rules.draw(
        season_factories.adapters.DrawInput(
            season.stage.history, season.stage.rules.settings, season.scheme, season.roles
        )
    ).round.tables[0]
    points = {who: rating / 1000 for who, rating in season.strengths.estimates[0].rating.items()}
    alone = next(seat.entrant for seat in table.seats if seat.role == "thanos")
    many = [seat.entrant for seat in table.seats if seat.entrant != alone]
    ahead = points[alone] - sum(points[who] for who in many) / 3
    truth = integral([ahead], [sqrt(120**2 + 120**2 / 3 + 75**2)], lambda s: curve(s[0]))
    row = next(row for row in found.rows if row.entrant == alone)
    assert row.places[0] == pytest.approx(truth, abs=1e-6)


def test_the_two_roles_of_a_person_are_drawn_together_and_a_scenario_once_a_season():
    known = strengths(2, RatingKind.ONE_VS_MANY, deviation=100)
    model = OutcomeModel(known, season_factories.roles)
    pairs = []
    for run in range(4000):
        model.begin(SeededSource("x", run))
        pairs.append((model.alone[1] / 1000, model.among[1] / 1000))
    covariance = numpy.cov(numpy.array(pairs).T)
    assert covariance[0, 0] == pytest.approx(100**2, rel=0.08)
    assert covariance[1, 1] == pytest.approx(100**2, rel=0.08)
    assert covariance[0, 1] == pytest.approx(100**2 / 2, rel=0.15)
    hard = {(4, "endgame"): 1_600_000}
    together = replace(
        strengths(8, RatingKind.COOPERATIVE, deviation=50),
        offsets=hard,
        offset_variance={(4, "endgame"): 200**2 * 1000},
        scenario="endgame",
    )
    model = OutcomeModel(together, season_factories.roles)
    drawn_at = []
    for run in range(2000):
        model.begin(SeededSource("x", run))
        drawn_at.append(model.offsets[4, "endgame"] / 1000)
    assert numpy.mean(drawn_at) == pytest.approx(1600, abs=4 * 200 / sqrt(2000))
    assert numpy.std(drawn_at) == pytest.approx(200, rel=0.08)


def test_several_estimates_count_by_their_weight():
    one = replace(strengths(2, deviation=50).estimates[0], weight=0.25)
    other = replace(strengths(2, deviation=300).estimates[0], weight=0.75)
    season = rest(season_factories.ROUND_ROBIN, 2, tie_breaks="round-robin")

    def odds_with(*estimates, **how):
        return odds(replace(season, strengths=replace(season.strengths, estimates=estimates)), seed="x", **how)

    both = odds_with(one, other)
    assert both.exact
    assert both.runs == 2, "there are two ways to end, however many estimates there are"
    apart = 0.25 * title(odds_with(one), 1) + 0.75 * title(odds_with(other), 1)
    assert title(both, 1) == pytest.approx(apart)
    played = odds_with(one, other, runs=3000, weigh=False)
    assert title(played, 1) == pytest.approx(apart, abs=2 * margin(3000, exact=False))


def test_a_pool_says_by_how_much_its_people_spread():
    """With many games, similar ratings make a small spread likely, and different ones a large spread."""
    rng = numpy.random.default_rng(1)
    settled = 60**2 * 1000

    def likely(points: float):
        people = [(START + round(1000 * each), settled) for each in rng.normal(0, points, 200)]
        return pool_spreads.likely(people, START)

    narrow, wide = likely(100), likely(260)
    assert narrow[0].points == 100
    assert narrow[0].weight > 0.9
    assert sum(each.weight for each in wide if each.points >= 220) > 0.9
    nobody = pool_spreads.likely([], START)
    assert sum(each.weight for each in nobody) == pytest.approx(1, abs=1e-5)
    assert [each.centre for each in nobody] == [START] * len(nobody)
    assert pool_spreads.likely([(START, FIRST_VARIANCE)], START) == nobody, "who has not played says nothing"


def test_the_same_rating_says_more_where_people_differ_more():
    narrow, wide = (pool_spreads.Spread(points, 1.0, START) for points in (100, 250))
    good = START + 150_000
    in_narrow, in_wide = (pool_spreads.estimate(good, 110**2 * 1000, 0, each, START) for each in (narrow, wide))
    assert START < in_narrow[0] < good < in_wide[0]
    assert in_narrow[1] < in_wide[1]
    assert pool_spreads.estimate(good, 110**2 * 1000, 10**9, narrow, START)[1] == 100**2 * 1000, (
        "never less than a newcomer"
    )
