"""Every change opens to a sum that comes to exactly what was written down."""

import re
from decimal import Decimal

import pytest
from django.test import Client

from leagues.boards import sums, words
from leagues.models import RatingChange, RatingPool
from leagues.ratings import ledger
from leagues.ratings.kinds import SCALE, SeatResult
from tests.leagues.boards.conftest import GAUNTLET, RISING, SPLENDOR, rate, settle


def test_every_sum_comes_to_the_change(evenings) -> None:
    changes = list(RatingChange.objects.standing().select_related("pool", "user", "result"))
    assert len(changes) > 40
    for change in changes:
        opened = sums.opened(change)
        for part in opened.parts:
            assert round(part.sum.exact * SCALE) == part.sum.moved
            assert part.k_base * part.newcomer == pytest.approx(part.sum.k)
            assert part.before + part.moved == pytest.approx(part.after)


def test_the_first_table_of_two_in_numbers(alice, bob, client: Client) -> None:
    """Both at 1500 and new: K = 32 x 4 = 128, expected 1/2, so the winner takes 64 points."""
    RatingPool.objects.create(game=SPLENDOR)
    rate(SPLENDOR, [alice, bob], [1, 2])
    change = RatingChange.objects.standing().get(user=alice)
    page = client.get(f"/leaderboards/changes/{change.pk}/").content.decode()
    line = re.search(r'<p class="sum-line num">(.*?)</p>', page, re.DOTALL)
    assert line
    assert re.sub(r"<[^>]+>", "", line[1]) == "128.000 × (1 − 0.500) = +64.000"
    assert "sat in seat 1 and came in on place 1 of 2" in page
    assert "32 × 4.000, after 0 games" in page


def test_the_first_thanos_in_numbers(alice, bob, charlie, client: Client) -> None:
    """Three at 1500 and new, no offset learned: K = 16 x 4 = 64, expected 1/2; a hero's part is half of it."""
    RatingPool.objects.create(game=GAUNTLET)
    rate(GAUNTLET, [alice, bob, charlie], [2, 1, 1])
    expected = {"alice": "64.000 × (0 − 0.500) = −32.000", "bob": "64.000 ÷ 2 × (1 − 0.500) = +16.000"}
    for handle, line in expected.items():
        change = RatingChange.objects.standing().get(user__handle=handle)
        page = client.get(f"/leaderboards/changes/{change.pk}/").content.decode()
        found = [re.sub(r"<[^>]+>", "", each) for each in re.findall(r'sum-line num">(.*?)</p>', page, re.DOTALL)]
        assert found == [line, line]
        assert "What the role adds" in page
        assert "50 times out of a hundred" in page


def test_the_scenario_is_told(alice, bob, client: Client) -> None:
    rate(RISING, [alice, bob], [1, 1], scenario="infinity")
    change = RatingChange.objects.standing().get(user=alice)
    page = client.get(f"/leaderboards/changes/{change.pk}/").content.decode()
    assert "stood against the scenario Infinity for 2" in page
    assert "It won." in page
    folded = client.get(f"/leaderboards/changes/{change.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in folded
    assert "It won." in folded


def test_a_sum_that_was_made_again_says_so(alice, bob, client: Client) -> None:
    result = rate(SPLENDOR, [alice, bob], [1, 2])
    old = RatingChange.objects.get(user=alice)
    seats = [SeatResult(0, 2, user_id=alice.pk), SeatResult(1, 1, user_id=bob.pk)]
    ledger.correct(source=result.source, seats=seats)
    settle()
    assert "A result was corrected later" in client.get(f"/leaderboards/changes/{old.pk}/").content.decode()
    new = RatingChange.objects.standing().get(user=alice)
    assert "A result was corrected later" not in client.get(f"/leaderboards/changes/{new.pk}/").content.decode()


def test_what_a_sum_shows_adds_up(evenings, client: Client) -> None:
    """Before and what the formula gives make after; an opponent's row is actual less expected; the badge rounds."""
    for change in RatingChange.objects.standing().select_related("pool"):
        page = client.get(f"/leaderboards/changes/{change.pk}/", headers={"HX-Request": "true"}).content.decode()
        terms = [_number(found) for found in re.findall(r"<dd>([^<]+)</dd>", page)]
        gains = [_number(found) for found in re.findall(r"= <strong>(.*?)</strong>", page)]
        befores, afters = terms[3::5], terms[4::5]
        assert [after - before for before, after in zip(befores, afters, strict=True)] == gains
        badge = re.search(r'class="badge num[^>]*>(.*?)<', page)
        assert badge
        assert _number(badge[1]) == round(gains[0], 1)
        for row in re.findall(r'<td class="end">([\d.]+)</td><td class="end">([\d.]+)</td><td class="end trend', page):
            assert f">{words.signed(float(_number(row[1]) - _number(row[0])), 3)}</td>" in page


@pytest.mark.parametrize(
    ("number", "places", "told"),
    [
        (10.591, 1, "+10.6"),
        (0.2036, 3, "+0.204"),
        (-0.25, 1, "−0.2"),
        (0.35, 1, "+0.4"),
        (0.04, 1, "±0"),
        (-7, 1, "−7"),
    ],
)
def test_numbers_are_rounded_and_never_cut(number: float, places: int, told: str) -> None:
    assert words.signed(number, places) == told


def _number(shown: str) -> Decimal:
    return Decimal(shown.replace("−", "-").replace("±", "").strip())
