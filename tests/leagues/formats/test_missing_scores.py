"""Scores are optional: a missing score never counts as 0."""

from leagues.formats import duplicate, heats, order_rules
from leagues.formats.editions import Edition
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import standings
from leagues.formats.tiebreaks.registry import parse
from leagues.formats.values import History, Place, Round, Seat, Table, TableState
from tests.leagues.formats.random_events import cast


def table(number, *seats):
    """From (entrant, rank, score)."""
    return Table(
        number,
        tuple(Seat(who, at) for at, (who, _, _) in enumerate(seats, 1)),
        None,
        TableState.CONFIRMED,
        tuple(Place(rank, score) for _, rank, score in seats),
    )


def field(*tables, **how):
    return ScoreTable(History("scores", cast(6), (Round(1, tables),)), **how)


def both(first, second):
    """Two tables of three that end alike; 1 and 4 win, the scores are given."""
    return (
        table(1, *((who, rank, score) for who, rank, score in zip((1, 2, 3), (1, 2, 3), first))),
        table(2, *((who, rank, score) for who, rank, score in zip((4, 5, 6), (1, 2, 3), second))),
    )


def test_a_margin_that_is_not_given_beats_nobody():
    # 2 lost by three points; the table of 5 entered none. Before, "no margin" counted as 0 and put 5 ahead.
    tables = both((10, 7, 1), (None, None, None))
    rows = standings(field(*tables), parse(["margin"]))
    assert [(row.place, row.entrant) for row in rows] == [(1, 1), (1, 4), (3, 2), (3, 5), (5, 3), (5, 6)]
    assert {row.entrant: row.values[0] for row in rows} == {1: 3, 2: -3, 3: -9, 4: None, 5: None, 6: None}
    old = standings(field(*tables, edition=Edition.EARLIER), parse(["margin"]))
    assert [row.entrant for row in old] == [1, 4, 5, 2, 6, 3]


def test_a_share_that_is_not_given_is_no_share_of_nothing():
    rows = standings(field(*both((10, 7, 1), (None, None, None))), parse(["mean-share", "lot"]))
    assert {row.entrant for row in rows if row.values[0] is None} == {4, 5, 6}
    assert all(row.reason.code == "place.lot" for row in rows)


def test_a_share_is_the_mean_over_games_with_scores_and_a_margin_needs_them_all():
    rounds = (
        Round(1, (table(1, (1, 1, 10), (2, 2, 5), (3, 3, 2)),)),
        Round(2, (table(1, (1, 2, None), (2, 1, None), (3, 3, None)),)),
    )
    rows = standings(ScoreTable(History("two", cast(3), rounds)), parse(["mean-share", "margin"]))
    assert {row.entrant: row.values[0] for row in rows} == {
        1: 1,
        2: order_rules.Fraction(1, 2),
        3: order_rules.Fraction(1, 5),
    }
    assert {row.values[1] for row in rows} == {None}
    assert [row.reason["part"] for row in rows[:2]] == ["mean-share", "mean-share"]


def test_scores_that_are_all_given_decide_as_they_did():
    for codes in (["margin"], ["mean-share"]):
        tables = both((10, 7, 1), (10, 8, 1))
        now, before = (standings(field(*tables, edition=each), parse(codes)) for each in (*Edition,))
        assert [(row.entrant, row.values) for row in now] == [(row.entrant, row.values) for row in before]


def test_duplicate_compares_scores_only_where_both_have_one():
    # The same place in the same seat: 7 against nothing entered is level, not better.
    marks = {
        mark.entrant: mark.value
        for mark in order_rules.marks(field(*both((10, 7, 1), (9, None, 2))), {}, together=False)
    }
    half = order_rules.Fraction(1, 2)
    assert marks == {1: 1, 4: 0, 2: half, 5: half, 3: 0, 6: 1}
    team = duplicate.marks(1, [(1, "team", (1, 5)), (2, "team", (1,)), (3, "team", (0, 9))])
    assert [mark.value for mark in team] == [order_rules.Fraction(3, 4), order_rules.Fraction(3, 4), 0]


def test_heats_do_not_compare_a_score_with_a_missing_one():
    # 1 and 8 end level, only 8 has a score: seed 1 goes on. Before, the score that was not entered counted as 0.
    results = {
        (1, 1): {1: Place(1, None), 4: Place(3, 2), 5: Place(4, 1), 8: Place(1, 9)},
        (1, 2): {2: Place(1, 9), 3: Place(2, 8), 6: Place(3, 7), 7: Place(4, 1)},
    }
    drawn = heats.run(range(1, 9), results, heats.Rules(4, 1, fill=False))
    assert {each.entrant for each in drawn.through[0]} == {1, 2}
