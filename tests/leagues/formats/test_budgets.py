"""Time budgets by size, in CPU seconds with room to spare: a cubic step would burst them at once."""

import pytest

from deploy.bench import formats


@pytest.mark.parametrize("count", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_two_seat_swiss(count):
    row = formats.two_seat_swiss(count, reach=500 * count / 500, with_peer=False)
    assert row.reached


def test_table_swiss():
    spent, repeats = formats.table_swiss_rows(1000, reach=500)
    assert spent.reached
    assert repeats.value == 0 < repeats.peer_value


@pytest.mark.parametrize(
    ("draw", "codes"),
    [
        (formats.swiss.draw, formats.TWO_SEATS),
        (lambda h: formats.table_swiss.draw(h, formats.PLAN), formats.FOUR_SEATS),
    ],
)
def test_standings(draw, codes):
    assert formats.standings_row(500, 9, draw, codes, "any", reach=150).reached
