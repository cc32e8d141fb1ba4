"""Tie-breaks compared with events computed by hand; the arithmetic is beside each number."""

from fractions import Fraction as F

import pytest

from leagues.formats.editions import Edition
from leagues.formats.errors import FormatError
from leagues.formats.points import SIDES
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import breakdown, standings
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.head_to_head import HeadToHead
from leagues.formats.tiebreaks.own_games import SeatAdjusted
from leagues.formats.tiebreaks.registry import PARTS, parse
from leagues.formats.values import Bye, Entrant, History, Kind, Place, Round, Seat, Step, Table, TableState
from tests.leagues.formats.random_events import cast


def game(number, *seats, kinds=None, roles=None):
    """A confirmed table from (entrant, rank) or (entrant, rank, score)."""
    return Table(
        number,
        tuple(Seat(seat[0], at, roles[at - 1] if roles else "") for at, seat in enumerate(seats, 1)),
        None,
        TableState.CONFIRMED,
        tuple(
            Place(seat[1], seat[2] if len(seat) > 2 else None, kinds[at] if kinds else Kind.PLAYED)
            for at, seat in enumerate(seats)
        ),
    )


def win(number, winner, loser):
    return game(number, (winner, 1), (loser, 2))


def draw(number, one, other):
    return game(number, (one, 1), (other, 1))


def values(field, code):
    sheet = TieBreakInput(field)
    return {who: sheet.value(PARTS[code], who) for who in field.entrants}


@pytest.fixture
def four():
    """1-4, 2-3; 1=3, 4-2; 2-1, 3-4. Scores: 1 has 1.5, 2 has 2, 3 has 1.5, 4 has 1."""
    entrants = tuple(Entrant(who, who, rating=1900 - 100 * who) for who in range(1, 5))
    rounds = (
        Round(1, (win(1, 1, 4), win(2, 2, 3))),
        Round(2, (draw(1, 1, 3), win(2, 4, 2))),
        Round(3, (win(1, 2, 1), win(2, 3, 4))),
    )
    return ScoreTable(History("four", entrants, rounds, planned=3))


@pytest.fixture
def gaps():
    """Five in a Swiss: 5 rests in round 1; 4 asks for half a point in round 2 and leaves before round 3.

    1-2, 3-4, 5 PAB; 1-3, 5=2, 4 HPB; 1-5, 3-2, 4 WD. Scores: 1 has 3, 2 has 0.5, 3 has 2, 4 has 0.5, 5 has 1.5.
    """
    entrants = tuple(
        Entrant(who, who, steps=((1, Step.ENTER), (3, Step.LEAVE)) if who == 4 else ()) for who in range(1, 6)
    )
    rounds = (
        Round(1, (win(1, 1, 2), win(2, 3, 4)), (Bye(5, Kind.PAB),)),
        Round(2, (win(1, 1, 3), draw(2, 5, 2)), (Bye(4, Kind.HPB),)),
        Round(3, (win(1, 1, 5), win(2, 3, 2))),
    )
    return ScoreTable(History("gaps", entrants, rounds, planned=3))


@pytest.fixture
def table():
    """One table of four: ranks 1 2 3 4 give 1, 2/3, 1/3 and 0 points; scores 15, 12, 9, 0."""
    rounds = (Round(1, (game(1, (1, 1, 15), (2, 2, 12), (3, 3, 9), (4, 4, 0)),)),)
    return ScoreTable(History("table", cast(4), rounds))


def test_scores(four, gaps, table):
    assert [four.score[who] for who in range(1, 5)] == [180, 240, 180, 120]
    assert [gaps.score[who] for who in range(1, 6)] == [360, 60, 240, 60, 180]
    assert [table.score[who] for who in range(1, 5)] == [120, 80, 40, 0]


def test_buchholz_when_everybody_met(four):
    # The others' scores: 6 in all, less the own.
    assert values(four, "buchholz") == {1: F(9, 2), 2: 4, 3: F(9, 2), 4: 5}


def test_buchholz_with_rounds_missed(gaps):
    assert values(gaps, "buchholz") == {
        1: 4,  # 2: 0.5, 3: 2, 5: 1.5
        2: F(13, 2),  # 1: 3, 5: 1.5, 3: 2
        3: F(9, 2),  # 4: 1 (0 + two rounds by choice after the last game, as draws), 1: 3, 2: 0.5
        4: 3,  # 3: 2, then twice a virtual opponent with the own 0.5
        5: 5,  # virtual opponent with the own 1.5, 2: 0.5, 1: 3
    }


def test_buchholz_cuts(four, gaps):
    # 1 met 4 (1), 3 (1.5), 2 (2): without the lowest 3.5, without lowest and highest 1.5.
    assert values(four, "buchholz-cut-1")[1] == F(7, 2)
    assert values(four, "buchholz-median-1")[1] == F(3, 2)
    assert values(four, "buchholz-cut-2")[1] == 2
    # 5's bye was not by choice: the lowest goes, 2's 0.5. 4's missed rounds go first: one 0.5.
    assert values(gaps, "buchholz-cut-1")[5] == F(9, 2)
    assert values(gaps, "buchholz-cut-1")[4] == F(5, 2)


def test_a_round_missed_by_choice_is_cut_before_a_lower_one():
    # 1 beats 2 and 3, then asks for half a point: 2.5. Contributions 2: 0.5, 3: 0.5, and for the last round the own
    # score, but no more than three draws: 1.5, which is cut.
    rounds = (
        Round(1, (win(1, 1, 2),), (Bye(3, Kind.ZPB),)),
        Round(2, (win(1, 1, 3),), (Bye(2, Kind.ZPB),)),
        Round(3, (draw(1, 2, 3),), (Bye(1, Kind.HPB),)),
    )
    field = ScoreTable(History("choice", cast(3), rounds))
    assert values(field, "buchholz")[1] == F(5, 2)
    assert values(field, "buchholz-cut-1")[1] == 1
    # Before March 2026 nothing capped it.
    earlier = ScoreTable(field.history, edition=Edition.EARLIER)
    assert values(earlier, "buchholz")[1] == F(7, 2)
    lines = breakdown(TieBreakInput(field), PARTS["buchholz-cut-1"], 1).lines
    assert [(line.round, line.opponent, line.cut, line.note) for line in lines] == [
        (1, 2, False, ""),
        (2, 3, False, ""),
        (3, None, True, "as-draws"),
    ]


def test_fore_buchholz(four, gaps):
    # Last round as drawn: 1 has 2, 2 has 1.5, 3 has 1, 4 has 1.5.
    assert values(four, "fore-buchholz") == {1: 4, 2: F(9, 2), 3: 5, 4: F(9, 2)}
    # Without 1's lowest, 3's 1.
    assert values(four, "fore-buchholz-cut-1")[1] == 3
    undeclared = ScoreTable(History("open", gaps.history.entrants, gaps.history.rounds))
    with pytest.raises(FormatError, match="must be declared"):
        values(undeclared, "fore-buchholz")


def test_opponents_buchholz(four):
    # 1 met 4 (5), 3 (4.5) and 2 (4): 13.5 / 3. 2 met 3, 4 and 1: 14 / 3.
    assert values(four, "opponents-buchholz")[1] == F(9, 2)
    assert values(four, "opponents-buchholz")[2] == F(14, 3)


def test_sonneborn_berger(four, gaps):
    assert values(four, "sonneborn-berger") == {
        1: F(7, 4),  # beat 4: 1, drew with 3: 0.75
        2: 3,  # beat 3: 1.5 and 1: 1.5
        3: F(7, 4),  # drew with 1: 0.75, beat 4: 1
        4: 2,  # beat 2
    }
    # 5: bye 1 x 1.5, draw 0.5 x 0.5, loss 0.
    assert values(gaps, "sonneborn-berger")[5] == F(7, 4)
    # 3: beat 4, whose score counts 1, and 2 with 0.5.
    assert values(gaps, "sonneborn-berger")[3] == F(3, 2)


def test_koya(four):
    # At least 1.5 of 3: 1, 2 and 3. Against these: 1 drew with 3, 2 beat both, 3 drew with 1, 4 beat 2.
    assert values(four, "koya") == {1: F(1, 2), 2: 2, 3: F(1, 2), 4: 1}


def test_progressive(four):
    # 1: 1 + 1.5 + 1.5; 2: 1 + 1 + 2; 3: 0 + 0.5 + 1.5; 4: 0 + 1 + 1.
    assert values(four, "progressive") == {1: 4, 2: 4, 3: 2, 4: 2}
    assert values(four, "progressive-cut-1") == {1: 3, 2: 3, 3: 2, 4: 2}
    assert values(four, "progressive-cut-2")[2] == 2


def test_ratings(four):
    # 1 met 1500, 1600, 1700. 2 met 1600, 1500, 1800.
    assert values(four, "average-rating")[1] == 1600
    assert values(four, "average-rating-cut-1")[1] == 1650
    assert values(four, "average-rating")[2] == F(4900, 3)
    # 1 took half: plus 0. 2 took 2 of 3, 67 per cent: plus 125.
    assert values(four, "performance")[1] == 1600
    assert values(four, "performance")[2] == F(4900, 3) + 125
    # 4 took 1 of 3, 33 per cent: minus 125, from 1800, 1700, 1600.
    assert values(four, "performance")[4] == 1700 - 125
    # 1: 1500 + 500, 1600, 1700 - 500. 2: 1600 + 500, 1500 - 500, 1800 + 500.
    assert values(four, "linear-performance")[1] == 1600
    assert values(four, "linear-performance")[2] == 1800


def test_an_opponent_without_a_rating_does_not_count():
    entrants = (Entrant(1, 1, rating=1500), Entrant(2, 2), Entrant(3, 3, rating=1700))
    rounds = (Round(1, (win(1, 1, 2),)), Round(2, (win(1, 1, 3),)))
    field = ScoreTable(History("unrated", entrants, rounds))
    assert values(field, "average-rating")[1] == 1700
    assert values(field, "performance")[1] == 2500
    assert values(field, "performance")[2] == 1500 - 800
    assert [line.note for line in breakdown(TieBreakInput(field), PARTS["average-rating"], 1).lines] == ["unrated", ""]


def test_opponents_share(four, gaps):
    # Shares 1/2, 2/3, 1/2, 1/3. 1 met 4, 3, 2: (1/3 + 1/2 + 2/3) / 3.
    assert values(four, "opponents-share")[1] == F(1, 2)
    # 1 met 2 (0.5 of 3, counts a third), 3 (2 of 3), 5 (0.5 of 2 games played, counts a third).
    assert values(gaps, "opponents-share")[1] == (F(1, 3) + F(2, 3) + F(1, 3)) / 3
    # 5 met 2 (a third) and 1 (all); the bye is ignored.
    assert values(gaps, "opponents-share")[5] == F(2, 3)


def test_wins(gaps):
    assert values(gaps, "wins") == {1: 3, 2: 0, 3: 2, 4: 0, 5: 1}
    assert values(gaps, "games-won") == {1: 3, 2: 0, 3: 2, 4: 0, 5: 0}


def test_a_table_of_four(table):
    # Mean of the other three: 1: (2/3 + 1/3 + 0) / 3; 2: (1 + 1/3 + 0) / 3; 4: (1 + 2/3 + 1/3) / 3.
    assert values(table, "buchholz") == {1: F(1, 3), 2: F(4, 9), 3: F(5, 9), 4: F(2, 3)}
    # Those placed behind, over three: 1: (2/3 + 1/3 + 0) / 3; 2: (1/3 + 0) / 3.
    assert values(table, "sonneborn-berger") == {1: F(1, 3), 2: F(1, 9), 3: 0, 4: 0}
    assert values(table, "mean-share") == {1: 1, 2: F(4, 5), 3: F(3, 5), 4: 0}
    assert values(table, "margin") == {1: 3, 2: -3, 3: -6, 4: -15}
    assert values(table, "firsts") == {1: 1, 2: 0, 3: 0, 4: 0}
    assert values(table, "seconds") == {1: 0, 2: 1, 3: 0, 4: 0}


def test_size_of_table_does_not_matter():
    # Whoever wins a table of three or of four gets the mean of the others' scores, not their sum.
    rounds = (
        Round(1, (game(1, (1, 1), (3, 2), (4, 3)), game(2, (2, 1), (5, 2), (6, 3), (7, 4)))),
        Round(2, (game(1, (3, 2), (4, 1)), game(2, (5, 3), (6, 1), (7, 1)))),
    )
    field = ScoreTable(History("sizes", cast(7), rounds))
    # 3 and 4: 0.5 + 0 and 0 + 1, mean 0.75. 5: 2/3 + 0, 6: 1/3 + 3/4, 7: 0 + 3/4; mean 2.5 / 3.
    assert values(field, "buchholz")[1] == F(3, 4)
    assert values(field, "buchholz")[2] == (F(2, 3) + F(13, 12) + F(3, 4)) / 3


def test_seat_adjusted():
    # Seat 1 won both games, so it is worth a point: winning there gains nothing, losing in seat 2 costs nothing.
    rounds = (Round(1, (win(1, 1, 2), win(2, 3, 4))), Round(2, (win(1, 3, 1), game(2, (2, 2), (4, 1)))))
    field = ScoreTable(History("seats", cast(4), rounds))
    # Seat 1: 1, 1, 1, 0 = 3/4 on average; seat 2: 1/4.
    # 1: 1 - 3/4 + 0 - 1/4 = 0. 2: 0 - 1/4 + 0 - 3/4 = -1. 3: 1/4 + 1/4. 4: 0 - 1/4 + 1 - 1/4.
    assert values(field, "seat-adjusted") == {1: 0, 2: -1, 3: F(1, 2), 4: F(1, 2)}
    known = SeatAdjusted("seat-adjusted", expected=(((2, 1), 90), ((2, 2), 30)))
    assert TieBreakInput(field).value(known, 4) == F(1, 2)


def split(field, tied):
    return HeadToHead("head-to-head").split(TieBreakInput(field), tied)


def test_head_to_head():
    one = ScoreTable(History("two", cast(2), (Round(1, (win(1, 2, 1),)),)))
    assert split(one, [1, 2]) == [[2], [1]]
    # A circle stays level.
    circle = (Round(1, (win(1, 1, 2),)), Round(2, (win(1, 2, 3),)), Round(3, (win(1, 3, 1),)))
    assert split(ScoreTable(History("circle", cast(3), circle)), [1, 2, 3]) == [[1, 2, 3]]
    # 1 beat both others, who never met: with 2 - 0 nobody can catch up. The other two stay level.
    star = (Round(1, (win(1, 1, 2),)), Round(2, (win(1, 1, 3),)))
    assert split(ScoreTable(History("star", cast(3), star)), [2, 3, 1]) == [[1], [2, 3]]
    # 1 beat 2 only and has not met 3: 3 could still reach more than 1 has.
    part = (Round(1, (win(1, 1, 2),)),)
    assert split(ScoreTable(History("part", cast(3), part)), [1, 2, 3]) == [[1, 2, 3]]
    assert split(ScoreTable(History("none", cast(3), ())), [1, 2, 3]) == [[1, 2, 3]]
    # 1 beat 2 and drew with 3: 3 could still draw level by beating 2.
    even = (Round(1, (win(1, 1, 2),)), Round(2, (draw(1, 1, 3),)))
    assert split(ScoreTable(History("even", cast(3), even)), [1, 2, 3]) == [[1, 2, 3]]


def test_head_to_head_is_asked_again_inside_the_rest():
    # Four who all met: 1-2, 3-4; 1-3, 2-4; 4-1, 2-3. 1 and 2 took 2, 3 and 4 took 1; 1 beat 2, and 3 beat 4.
    rounds = (
        Round(1, (win(1, 1, 2), win(2, 3, 4))),
        Round(2, (win(1, 1, 3), win(2, 2, 4))),
        Round(3, (win(1, 4, 1), win(2, 2, 3))),
    )
    field = ScoreTable(History("again", cast(4), rounds))
    assert split(field, [4, 3, 2, 1]) == [[1], [2], [3], [4]]


def test_forfeits_count_as_played_in_a_round_robin_only():
    forfeit = game(1, (1, 1), (2, 2), kinds=(Kind.FW, Kind.FL))
    history = History("forfeit", cast(2), (Round(1, (forfeit,)),))
    assert split(ScoreTable(history), [1, 2]) == [[1, 2]]
    assert split(ScoreTable(history, round_robin=True), [1, 2]) == [[1], [2]]
    assert ScoreTable(history).games[1][0].kind is Kind.FW


def test_the_free_round_of_a_round_robin_gives_nothing():
    history = History("free", cast(3), (Round(1, (win(1, 2, 3),), (Bye(1, Kind.PAB),)),))
    assert ScoreTable(history, round_robin=True).score == {1: 0, 2: 120, 3: 0}
    assert ScoreTable(history).score == {1: 120, 2: 120, 3: 0}


def test_an_absentee_at_a_table_is_nobodys_opponent():
    seats = game(1, (1, 1), (2, 2), (3, 3), kinds=(Kind.PLAYED, Kind.PLAYED, Kind.FL))
    field = ScoreTable(History("absent", cast(3), (Round(1, (seats,)),)))
    assert field.games[1][0].others == (2,)
    assert field.games[3][0].kind is Kind.FL
    assert field.score == {1: 120, 2: 60, 3: 0}


def test_places_and_reasons(four):
    rows = standings(four, parse(["head-to-head", "sonneborn-berger", "progressive", "lot"]))
    # 2 leads; 1 and 3 drew and have the same Sonneborn-Berger; 1 scored earlier, 4 to 2.
    assert [(row.place, row.entrant, row.reason.code) for row in rows] == [
        (1, 2, "place.sole"),
        (2, 1, "place.tie-break"),
        (3, 3, "place.tie-break"),
        (4, 4, "place.sole"),
    ]
    assert rows[1].reason["part"] == "progressive"
    assert rows[1].values[:3] == (F(1, 2), F(7, 4), 4)
    assert rows[0].values[0] is None
    shared = standings(four, parse(["sonneborn-berger"]))
    assert [(row.place, row.shared) for row in shared] == [(1, 1), (2, 2), (2, 2), (4, 1)]
    assert shared[1].reason.code == "place.shared"


def test_sides_count_only_the_other_side():
    roles = ("thanos", "hero", "hero")
    rounds = (
        Round(1, (game(1, (1, 1), (2, 2), (3, 2), roles=roles),)),
        Round(2, (game(1, (2, 2), (1, 1), (3, 1), roles=roles),)),
    )
    field = ScoreTable(History("sides", cast(3), rounds), SIDES)
    assert field.score == {1: 240, 2: 0, 3: 120}
    # 1 faced 2 and 3 alone (mean 0.5), then with 3 against 2 (0).
    assert values(field, "buchholz")[1] == F(1, 2)
