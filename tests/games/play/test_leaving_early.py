"""Leaving before everyone has had two turns: nothing is won or lost by it, and nothing is rated."""

import pytest

from games import engine_match, minimum_play
from games.models import Seat
from games.tables import leaving
from games.tables.setup import Clock
from leagues.models import RatingChange
from tests.factories import GAME, finished_match, fresh, logged_in, play_one_move, started_match, two_turns_each
from tests.games.user_bots.test_user_bots import fallen
from tests.leagues.results.test_from_matches import taken_up


def until_turns(match, turns):
    """On until the seats have had so many turns."""
    match = fresh(match)
    while engine_match.load(match).turns != turns:
        match = play_one_move(match)
    return match


@pytest.mark.parametrize("turns", [(0, 0), (1, 0), (1, 1), (2, 1)])
@pytest.mark.parametrize("leaver", [0, 1])
def test_resigned_early_a_match_of_two_is_called_off_and_unrated(alice, bob, turns, leaver):
    match = until_turns(started_match(alice, bob, rated=True), turns)
    leaving.resign(person=(alice, bob)[leaver], match=match)
    match = fresh(match)
    assert (match.status, match.cause, match.reason) == ("finished", "resigned", "called-off")
    assert [(seat.rank, seat.score, seat.won) for seat in match.seats.order_by("index")] == [(None, None, False)] * 2
    assert match.seats.get(index=leaver).left == "resigned"
    assert taken_up(match)
    assert not RatingChange.objects.exists()


def test_with_two_turns_each_it_counts(alice, bob):
    match = until_turns(started_match(alice, bob, rated=True), (2, 2))
    leaving.resign(person=bob, match=match)
    assert fresh(match).reason == "resigned"
    assert taken_up(match)
    assert [seat.won for seat in match.seats.order_by("index")] == [True, False]
    assert {change.user.handle: change.moved > 0 for change in RatingChange.objects.all()} == {
        "alice": True, "bob": False,
    }  # fmt: skip


def test_out_of_time_early_is_the_same(alice, bob):
    match = started_match(alice, bob, rated=True, clock=Clock("live", bank=30, on_timeout="forfeit"))
    fallen(match)
    match = fresh(match)
    assert (match.cause, match.reason) == ("timeout", "called-off")
    assert taken_up(match)
    assert not RatingChange.objects.exists()


@pytest.mark.parametrize(("game", "people"), [(GAME, 3), ("infinity-gauntlet", 3), ("thanos-rising", 2)])
def test_where_the_others_play_on_their_match_is_not_rated_any_more(alice, bob, charlie, game, people):
    match = started_match(*[alice, bob, charlie][:people], game=game, rated=True)
    leaving.resign(person=bob, match=match)
    assert fresh(match).is_playing
    assert not fresh(match).rated


def test_with_two_turns_each_the_others_play_on_rated(alice, bob, charlie):
    match = two_turns_each(started_match(alice, bob, charlie, rated=True))
    leaving.resign(person=bob, match=match)
    assert fresh(match).is_playing
    assert fresh(match).rated


def test_a_seat_kept_to_the_end_for_somebody_who_hardly_played_is_not_rated(alice, bob):
    match = started_match(alice, bob, rated=True, clock=Clock("live", bank=30))
    fallen(match)
    assert fresh(match).rated  # they may still come back
    Seat.objects.filter(match=match).update(bank_left=10_000_000)
    assert not finished_match(match).rated


def test_whoever_comes_back_and_plays_is_rated(alice, bob):
    match = started_match(alice, bob, rated=True, clock=Clock("live", bank=30))
    fallen(match)
    leaving.come_back(person=alice, match=fresh(match))
    match = two_turns_each(match)
    fallen(match)  # away again, but they have played
    match = fresh(match)
    assert not minimum_play.hardly_played(match, list(match.seats.all()))


def test_page_and_api_say_so_before_and_after(alice, bob):
    match = started_match(alice, bob, rated=True)
    client = logged_in(alice)
    assert "called off and not rated" in client.get(f"/play/{match.key}/").content.decode()
    leaving.resign(person=bob, match=match)
    page = client.get(f"/play/{match.key}/").content.decode()
    assert "Called off" in page
    assert "A player left before everyone had had two turns" in page
    result = client.get(f"/api/v1/matches/{match.key}/").json()["result"]
    assert (result["cause"], result["reason"], result["ranks"], result["winners"]) == (
        "resigned", "called-off", [None, None], [],
    )  # fmt: skip
