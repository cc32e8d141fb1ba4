"""What a bye pays, in every points list at every size of table."""

from fractions import Fraction

import pytest

from leagues.formats.field import Field
from leagues.formats.points import SCHEMES, points, unplayed
from leagues.formats.values import Bye, History, Kind, Place, Round, Seat, Table, TableState
from tests.leagues.formats.events import cast

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
    scheme = SCHEMES[name]
    drawn = points(scheme, (1,) * seats)[0]
    half, given = unplayed(scheme, Kind.HPB, {seats}), unplayed(scheme, Kind.PAB, {seats})
    assert 0 < half <= min(average(scheme, seats), drawn)
    if seats == 2:
        # Where two meet, the regulations make a bye that the draw gives a win.
        assert given == scheme.top
    else:
        assert half <= given <= average(scheme, seats)
    assert unplayed(scheme, Kind.FPB, {seats}) == unplayed(scheme, Kind.FW, {seats}) == scheme.top
    assert not any(unplayed(scheme, kind, {seats}) for kind in (Kind.ZPB, Kind.FL, Kind.NP, Kind.WD))


@pytest.mark.parametrize("name", SCHEMES)
def test_where_tables_differ_in_size_the_least_average_counts(name):
    scheme = SCHEMES[name]
    sizes = {seats for other, seats in EVERY if other == name}
    for kind in (Kind.HPB, Kind.PAB):
        assert unplayed(scheme, kind, sizes) == min(unplayed(scheme, kind, {each}) for each in sizes)


def test_a_commander_table_and_two_who_miss_it():
    seats = tuple(Seat(who, who) for who in range(1, 5))
    table = Table(1, seats, None, TableState.CONFIRMED, tuple(Place(rank) for rank in (1, 2, 3, 4)))
    history = History("four", cast(6), (Round(1, (table,), (Bye(5, Kind.HPB), Bye(6, Kind.PAB))),))
    score = Field(history, SCHEMES["commander"]).score
    # The table pays 5, 0, 0 and 0: 1.25 on average. A draw pays 1, and so does half a bye.
    assert [score[who] / 120 for who in range(1, 7)] == [5, 0, 0, 0, 1, 1.25]
