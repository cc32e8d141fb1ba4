"""Tables that nobody plays on: closed by their player all at once, and by the site after a day."""

from datetime import UTC, datetime

import pytest
import time_machine

from games import engine_match
from games.models import Match
from games.tables import closing
from games.tables.setup import Clock
from tests.factories import fresh, logged_in, open_table_with, play_one_move, started_match

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def time(clean_match_cache, sent_tasks):
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def moved(match: Match) -> Match:
    return play_one_move(match)


def test_an_abandoned_match_against_bots_is_called_off_after_a_day(alice, bob, time):
    idle = moved(started_match(alice, bots=1))
    untouched = started_match(alice, bots=1)
    with_bob = moved(started_match(alice, bob, bots=1))
    by_clock = moved(started_match(alice, bots=1, clock=Clock("live", bank=600)))
    by_mail = moved(started_match(alice, bots=1, clock=Clock("days", days=7)))
    of_a_league = moved(started_match(alice, bots=1))
    Match.objects.filter(pk=of_a_league.pk).update(host=None)
    time.shift(86_000)
    assert closing.close_abandoned() == 0
    time.shift(1_000)
    assert closing.close_abandoned() == 2
    assert (fresh(idle).status, fresh(idle).cause, fresh(idle).reason) == ("finished", "timeout", "called-off")
    assert fresh(untouched).status == "aborted"
    assert all(fresh(other).is_playing for other in (with_bob, by_clock, by_mail, of_a_league))
    assert closing.close_abandoned() == 0


def test_an_abandoned_rated_match_is_lost_as_on_time(alice, time):
    match = started_match(alice, bots=1, rated=True)
    while min(engine_match.load(fresh(match)).turns) < 2:
        moved(match)
    time.shift(90_000)
    assert closing.close_abandoned() == 1
    match = fresh(match)
    assert (match.status, match.cause) == ("finished", "timeout")
    assert [seat.won for seat in match.seats.order_by("index")] == [False, True]


def test_close_all_leaves_what_concerns_others_and_what_counts(alice, bob):
    against_bots = moved(started_match(alice, bots=2))
    waiting = open_table_with(alice, bots=1)
    shared_table = open_table_with(alice, bob)
    shared_match = moved(started_match(alice, bob))
    rated = moved(started_match(alice, bots=1, rated=True))
    of_bob = moved(started_match(bob, bots=1))
    answer = logged_in(alice).post("/play/close-all/", follow=True)
    assert "2 tables closed." in answer.content.decode()
    assert (fresh(against_bots).status, fresh(against_bots).reason) == ("finished", "called-off")
    assert fresh(waiting).status == "aborted"
    assert fresh(shared_table).is_open
    assert all(fresh(other).is_playing for other in (shared_match, rated, of_bob))
    assert closing.close_own(person=alice) == 0
