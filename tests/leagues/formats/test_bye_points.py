"""What a bye pays, in every points list at every size of table."""

from fractions import Fraction

import pytest

from leagues.formats.editions import CURRENT
from leagues.formats.points import SCHEMES, points, scheme_of, unplayed
from leagues.formats.score_table import ScoreTable
from leagues.formats.values import Bye, History, Kind, Place, Round, Seat, Table, TableState
from tests.leagues.formats.random_events import cast

EVERY = [
    (name, seats)
    for name, scheme in SCHEMES.items()
    for seats in ([len(row) for row in scheme.ladder] if scheme.ladder else range(2, 7))
]


def average(scheme, seats):
    """The mean of a seat over tables that end without a tie; of two sides each wins once."""
    ends = [tuple(range(1, seats + 1))]
    if scheme.sides:
        ends = [(1,) + (2,) * (seats - 1), (2,) + (1,) * (seats - 1)]
    paid = [worth for ranks in ends for worth in points(scheme, ranks)]
    return Fraction(sum(paid), len(paid))


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_a_bye_pays_no_more_than_the_average_table(name, seats):
    scheme = scheme_of(name, CURRENT, seats)
    half, given = unplayed(scheme, Kind.HPB), unplayed(scheme, Kind.PAB)
    for smaller in (each for other, each in EVERY if other == name and each <= seats):
        drawn = points(scheme, (1,) * smaller)[0]
        assert 0 < half <= min(average(scheme, smaller), drawn)
        # Where two meet, the regulations make a bye that the draw gives a win.
        assert given == scheme.top if seats == 2 else half <= given <= average(scheme, smaller)
    assert unplayed(scheme, Kind.FPB) == unplayed(scheme, Kind.FW) == scheme.top
    assert not any(unplayed(scheme, kind) for kind in (Kind.ZPB, Kind.FL, Kind.NP, Kind.WD))


def test_a_commander_table_and_two_who_miss_it():
    seats = tuple(Seat(who, who) for who in range(1, 5))
    table = Table(1, seats, None, TableState.CONFIRMED, tuple(Place(rank) for rank in (1, 2, 3, 4)))
    history = History("four", cast(6), (Round(1, (table,), (Bye(5, Kind.HPB), Bye(6, Kind.PAB))),))
    score = ScoreTable(history, scheme_of("commander", CURRENT, 4)).score
    # The table pays 5, 0, 0 and 0: 1.25 on average. A draw pays 1, and so does half a bye.
    assert [score[who] / 120 for who in range(1, 7)] == [5, 0, 0, 0, 1, 1.25]


@pytest.mark.parametrize("name", SCHEMES)
def test_a_bye_pays_the_same_while_tables_are_open(name):
    seats = tuple(Seat(who, who) for who in range(1, 5))
    scheme, byes = scheme_of(name, CURRENT, 4), (Bye(5, Kind.HPB), Bye(6, Kind.PAB))
    for tables in ((Table(1, seats),), ()):
        score = ScoreTable(History("open", cast(6), (Round(1, tables, byes),)), scheme).score
        assert (score[5], score[6]) == (unplayed(scheme, Kind.HPB), unplayed(scheme, Kind.PAB))
