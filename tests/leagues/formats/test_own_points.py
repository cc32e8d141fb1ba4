"""Own point lists and the best rounds, compared with a count that shares no code with ours."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from leagues.formats import order_rules, table_swiss
from leagues.formats.editions import CURRENT
from leagues.formats.errors import FormatError
from leagues.formats.points import own_scheme, points, scheme_of, unplayed
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import standings
from leagues.formats.swiss_preferences import Floats, floats
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.registry import parse
from leagues.formats.values import POINT, History, Kind, Place, Round, Seat, Table, TableState
from tests.leagues.formats.random_events import cast, run

PLAN = table_swiss.Plan(seats=4, least=3)


def shared_worth(by_place, ranks, seat):
    """The mean over all orders in which the tied could have finished."""
    orders = [
        order for order in permutations(range(len(ranks))) if list(map(ranks.__getitem__, order)) == sorted(ranks)
    ]
    taken = [dict(enumerate(by_place)).get(order.index(seat), 0) for order in orders]
    return Fraction(sum(taken), len(taken))


@pytest.mark.parametrize("by_place", [[5, 3, 2, 1], [10, 6], [1], [3, 2, 2, 2, 1, 0]])
def test_a_table_pays_by_place_and_ties_share(by_place):
    rng = random.Random(str(by_place))
    for _ in range(60):
        seats = rng.randint(2, 6)
        ranks = tuple(rng.randint(1, seats) for _ in range(seats))
        paid = points(own_scheme(by_place), ranks)
        assert [Fraction(each, POINT) for each in paid] == [shared_worth(by_place, ranks, at) for at in range(seats)]


@pytest.mark.parametrize("seed", range(8))
def test_the_best_rounds_of_a_random_season_count(seed):
    best = 1 + seed % 4
    scheme = replace(own_scheme([5, 3, 2, 1]), best=best, table=4)
    for history, _drawn in run(lambda past: table_swiss.draw(past, PLAN, scheme), 9 + seed, 6, seed, forfeits=0.05):
        field = ScoreTable(history, scheme)
        grown = ScoreTable(replace(history, rounds=()), scheme)
        for each in history.rounds:
            grown = grown.followed_by(each)
        assert grown.score == field.score
        for who, games in field.games.items():
            worth = [game.points for game in games]
            # The best sum of any `best` rounds, tried one by one.
            expected = max(sum(chosen) for chosen in combinations(worth, min(best, len(worth))))
            assert field.score[who] == expected
            dropped = field.dropped_rounds(who)
            assert len(dropped) == max(0, len(worth) - best)
            assert sum(game.points for game in games if game.round not in dropped) == expected
        rows = standings(field, parse(["buchholz", "wins", "lot"]))
        assert [row.score for row in rows] == sorted(field.score[row.entrant] for row in rows)[::-1]
        sheet = TieBreakInput(field)
        for row in rows:
            met = [game for game in field.games[row.entrant] if game.others]
            if all(game.others for game in field.games[row.entrant]):
                # Opponents count with the points that count for them.
                mean = [Fraction(sum(sheet.adjusted[o] for o in game.others), len(game.others)) for game in met]
                assert row.values[0] == sum(mean, Fraction(0)) / POINT


def test_who_was_drawn_down_follows_from_the_points_that_count():
    def duel(number, one, other):
        return Table(number, (Seat(one, 1), Seat(other, 2)), None, TableState.CONFIRMED, (Place(1), Place(2)))

    rounds = (
        Round(1, (duel(1, 1, 2), duel(2, 3, 4))),
        Round(2, (duel(1, 1, 3), duel(2, 2, 4))),
        Round(3, (duel(1, 1, 2), duel(2, 3, 4))),
    )
    history = History("floats", cast(4), rounds)
    every, best = (floats(ScoreTable(history, scheme_of("normal", CURRENT, best=best))) for best in (0, 1))
    # Before round 3 they had 2, 1, 1 and 0 points; of the best round alone the first three had 1.
    assert every == {1: Floats(down=2), 2: Floats(up=2), 3: Floats(down=2), 4: Floats(up=2)}
    assert best == {3: Floats(down=2), 4: Floats(up=2)}


def test_marks_count_by_the_best_rounds():
    seats = (Seat(1, 1), Seat(2, 2))
    rounds = tuple(
        Round(number, (Table(1, seats, None, TableState.CONFIRMED, (Place(1), Place(2))),)) for number in (1, 2, 3)
    )
    for best in (0, 2):
        field = ScoreTable(History("marks", cast(2), rounds), scheme_of("normal", CURRENT, best=best))
        given = order_rules.marks(field, {}, together=False)
        for row in order_rules.by_marks(field, {}, together=False):
            own = [mark.value for mark in given if mark.entrant == row.entrant]
            counted = max(sum(chosen) for chosen in combinations(own, best or len(own)))
            assert row.points == counted


@pytest.mark.parametrize(
    ("by_place", "code"),
    [
        ([], "error.own-points-length"),
        ([9] * 13, "error.own-points-length"),
        ([5, -1], "error.own-points-range"),
        ([1001, 5], "error.own-points-range"),
        ([5, True], "error.own-points-range"),
        (["5", 3], "error.own-points-range"),
        ([3, 5], "error.own-points-order"),
        ([3, 3, 1], "error.own-points-win"),
        ([0], "error.own-points-win"),
    ],
)
def test_a_list_that_cannot_be_played_is_refused(by_place, code):
    with pytest.raises(FormatError) as caught:
        own_scheme(by_place)
    assert caught.value.reason.code == code


def test_rounds_without_a_game_pay_less_than_the_average_seat():
    for seats in (3, 4, 6):
        scheme = scheme_of("own", CURRENT, seats, [5, 3, 2, 1])
        average = Fraction(sum((5, 3, 2, 1, 0, 0)[:seats]) * POINT, seats)
        assert 0 < unplayed(scheme, Kind.HPB) <= unplayed(scheme, Kind.PAB) <= average
