"""Every change is explained by a calculation that gives exactly the stored numbers."""

import re
from decimal import Decimal

import pytest
from django.test import Client

from leagues.elo.result_types import SCALE, SeatResult
from leagues.leaderboards import change_breakdown, number_format
from leagues.models import RatingChange, RatingPool
from leagues.ratings import ledger
from tests.leagues.leaderboards.conftest import GAUNTLET, RISING, SPLENDOR, rate, settle, write


def test_every_sum_comes_to_the_change(evenings) -> None:
    changes = list(RatingChange.objects.standing().select_related("pool", "user", "result"))
    assert len(changes) > 40
    for change in changes:
        opened = change_breakdown.change_breakdown(change)
        number, *other = opened.parts
        assert sum(met.meeting.points for met in opened.met) == number.sum.moved
        for part in opened.parts:
            assert part.before + part.moved == pytest.approx(part.after)
        # With roles the rating is the mean of the two, to the nearest thousandth.
        moved = [part.sum.moved for part in opened.parts]
        assert abs(sum(moved) / len(moved) - change.moved) <= 0.5
        assert len(other) == (change.pool.game == GAUNTLET)
        assert sum(term.points for term in opened.terms) == pytest.approx(change.moved / SCALE, abs=0.0006)
        assert all(term.label for term in opened.terms)


def test_the_first_table_of_two_in_numbers(alice, bob, client: Client) -> None:
    """Both at 1500 and new: half was expected, the line counts .786, K is 152.4; so the winner takes 59.9 points."""
    RatingPool.objects.create(game=SPLENDOR)
    rate(SPLENDOR, [alice, bob], [1, 2])
    change = RatingChange.objects.standing().get(user=alice)
    page = client.get(f"/leaderboards/changes/{change.pk}/").content.decode()
    (row,) = lines(page)
    assert row[1:] == ["1500.000 ± 350", "0.500", "1", "0.786", "+59.918"]
    assert "sat in seat 1 and came in on place 1 of 2" in page
    assert "152.382" in page
    head = re.search(r'<p class="sum-head">(.*?)</p>', page, re.DOTALL)
    assert head
    assert plain(head[1]) == "1500 ± 350 → to 1560 ± 325 +59.9"
    assert "without a game" not in page


def lines(page: str) -> list[list[str]]:
    """The cells of the table of opponents, as they are read."""
    table = re.search(r'<table class="[^"]*sum-lines">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    assert table
    rows = re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)
    return [[plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]


def plain(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", markup).split())


def test_the_first_thanos_in_numbers(alice, bob, charlie, client: Client) -> None:
    """Three at 1500 and new, no offset learned: expected 1/2; a hero's line counts half as much as Thanos's two."""
    RatingPool.objects.create(game=GAUNTLET)
    rate(GAUNTLET, [alice, bob, charlie], [2, 1, 1])
    shown = {}
    for handle in ("alice", "bob"):
        change = RatingChange.objects.standing().get(user__handle=handle)
        page = client.get(f"/leaderboards/changes/{change.pk}/").content.decode()
        shown[handle] = lines(page)
        assert "50 times out of a hundred" in page
        assert "The rating is the mean of the two roles" in page
    assert [row[2:5] for row in shown["alice"]] == [["0.500", "0", "0.406"]] * 2
    assert [row[2:5] for row in shown["bob"]] == [["0.500", "1", "0.406"]]


def test_a_long_absence_is_a_line_of_its_own(alice, bob, client: Client) -> None:
    for number in range(60):
        write(SPLENDOR, [alice, bob], [1, 2] if number % 2 else [2, 1], ago=121)
    rate(SPLENDOR, [alice, bob], [1, 2], ago=1)
    change = RatingChange.objects.standing().filter(user=alice).latest("at")
    page = client.get(f"/leaderboards/changes/{change.pk}/").content.decode()
    left, grown = round(2 * change.deviation_left), round(2 * change.deviation_before)
    assert grown > left + 30
    assert f"120 days without a game: ± {left} → ± {grown}." in page


def test_a_change_by_an_earlier_method_says_so_and_shows_no_sum(alice, bob, client: Client) -> None:
    rate(SPLENDOR, [alice, bob], [1, 2])
    RatingChange.objects.update(variance=0, variance_after=0, after=1_564_000)
    RatingPool.objects.update(method=1)
    old = RatingChange.objects.get(user=alice)
    address = f"/leaderboards/changes/{old.pk}/"
    assert "every result is being counted again" in client.get(address).content.decode()
    settle()
    page = client.get(address).content.decode()
    assert "The method of rating changed on" in page
    assert "sum-lines" not in page
    assert client.get(f"/api/v1/rating-changes/{old.pk}/").json()["met"] == []
    new = RatingChange.objects.standing().get(user=alice)
    assert "The method of rating changed" not in client.get(f"/leaderboards/changes/{new.pk}/").content.decode()


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
    assert "A result was corrected or came in later" in client.get(f"/leaderboards/changes/{old.pk}/").content.decode()
    new = RatingChange.objects.standing().get(user=alice)
    assert (
        "A result was corrected or came in later" not in client.get(f"/leaderboards/changes/{new.pk}/").content.decode()
    )


def test_what_a_sum_shows_adds_up(evenings, client: Client) -> None:
    """The lines add up to the change of the first number, before and change give after, and the badge is rounded."""
    for change in RatingChange.objects.standing().select_related("pool"):
        page = client.get(f"/leaderboards/changes/{change.pk}/", headers={"HX-Request": "true"}).content.decode()
        terms = [_number(cell) for cell in re.findall(r"<dd>([^<]+)</dd>", page)]
        befores, afters, gains = terms[1::4], terms[2::4], terms[3::4]
        assert [after - before for before, after in zip(befores, afters, strict=True)] == gains
        assert sum(_number(row[-1]) for row in lines(page)) == gains[0]
        badge = re.search(r'class="badge num[^>]*>(.*?)<', page)
        assert badge
        assert _number(badge[1]) == _number(number_format.signed(change.moved / SCALE))


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        (10.591, 1, "+10.6"),
        (0.2036, 3, "+0.204"),
        (-0.25, 1, "−0.2"),
        (0.35, 1, "+0.4"),
        (0.04, 1, "±0"),
        (-7, 1, "−7"),
    ],
)
def test_numbers_are_rounded_and_never_cut(number: float, places: int, text: str) -> None:
    assert number_format.signed(number, places) == text


def _number(shown: str) -> Decimal:
    return Decimal(shown.replace("−", "-").replace("±", "").strip())
