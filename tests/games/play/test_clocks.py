"""Clocks: who is charged, when they fall, and what happens then. Time is the test's own."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.infra.errors import Refused
from accounts.models import Notice
from games import sweep
from games.models import Seat
from games.play import clocks
from games.play.moves import play_as
from games.tables import leaving
from games.tables.setup import Clock
from tests.factories import finished_match, fresh, play_one_move, started_match, two_turns_each

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
LIVE = Clock("live", bank=60, increment=5)


@pytest.fixture
def time():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def bank(match, user) -> float:
    left = Seat.objects.get(match=match, user=user).bank_left
    assert left is not None
    return left / 1000


def test_the_clock_of_the_first_player_runs_from_the_start(alice, bob, time):
    match = started_match(alice, bob, clock=LIVE)
    assert match.deadline == NOON + timedelta(seconds=60)
    assert bank(match, alice) == bank(match, bob) == 60


def test_thinking_is_charged_and_a_turn_is_rewarded_once(alice, bob, time):
    match = started_match(alice, bob, clock=LIVE)
    time.shift(10)
    match = play_as(person=alice, match=match, ply=0, move="take red").match
    assert bank(match, alice) == 50
    time.shift(3)
    match = play_as(person=alice, match=match, ply=1, move="take blue").match
    match = play_as(person=alice, match=match, ply=2, move="take orange").match
    assert match.to_act == 1
    assert bank(match, alice) == 52
    assert bank(match, bob) == 60
    assert match.deadline == NOON + timedelta(seconds=13 + 60)
    assert match.moves.get(ply=0).spent == 10_000


def test_a_bot_takes_the_seat_of_whoever_is_out_of_time(alice, bob, time):
    match = started_match(alice, bob, clock=LIVE)
    time.shift(60)
    assert sweep.sweep() == 0
    time.shift(1.1)
    assert sweep.sweep() == 1
    match = fresh(match)
    seat = match.seats.get(user=alice)
    assert (seat.left, seat.bot_level, seat.bank_left) == ("away", "regular", 0)
    assert match.is_playing
    assert match.bot_due is not None
    assert match.deadline is None
    assert Notice.objects.filter(user=alice, kind="games.out-of-time").count() == 1
    assert sweep.expire_clocks() == 0


def test_whoever_comes_back_has_the_seat_and_a_moment(alice, bob, time):
    match = started_match(alice, bob, clock=LIVE)
    time.shift(62)
    sweep.sweep()
    leaving.come_back(person=alice, match=fresh(match))
    match = fresh(match)
    assert match.seats.get(user=alice).is_played_by_person
    assert match.deadline == NOON + timedelta(seconds=62 + 30)
    assert match.bot_due is None
    play_one_move(match)


def test_whoever_stays_away_ranks_last(alice, bob, charlie, time):
    match = started_match(alice, bob, charlie, clock=LIVE)
    time.shift(62)
    sweep.sweep()
    Seat.objects.filter(match=match).exclude(user=alice).update(bank_left=10_000_000)
    match = finished_match(match)
    assert match.seats.get(user=alice).rank == 3


def test_a_forfeit_against_one_rival_ends_the_match(alice, bob, time):
    match = two_turns_each(started_match(alice, bob, clock=Clock("live", bank=30, on_timeout="forfeit")))
    time.shift(32)
    sweep.sweep()
    match = fresh(match)
    assert (match.status, match.cause, match.reason) == ("finished", "timeout", "timeout")
    assert [seat.won for seat in match.seats.order_by("index")] == [False, True]


def test_a_forfeit_at_a_larger_table_cannot_be_taken_back(alice, bob, charlie, time):
    match = started_match(alice, bob, charlie, clock=Clock("live", bank=30, on_timeout="forfeit"))
    time.shift(32)
    sweep.sweep()
    assert fresh(match).is_playing
    with pytest.raises(Refused):
        leaving.come_back(person=alice, match=fresh(match))


def test_a_move_after_the_fall_is_too_late_even_before_the_sweep(alice, bob, time):
    match = started_match(alice, bob, clock=LIVE)
    time.shift(60.5)
    play_as(person=alice, match=fresh(match), ply=0, move="take red")
    time.shift(5)
    with pytest.raises(Refused, match="time is up"):
        play_as(person=alice, match=fresh(match), ply=1, move="take blue")
    assert match.seats.get(user=alice).left == "away"


def test_by_correspondence_every_turn_has_its_days_and_a_notice(alice, bob, time):
    match = started_match(alice, bob, clock=Clock("days", days=3))
    assert match.deadline == NOON + timedelta(days=3)
    time.shift(86_400)
    match = play_as(person=alice, match=match, ply=0, move="take red").match
    assert match.deadline == NOON + timedelta(days=3)
    match = play_as(person=alice, match=match, ply=1, move="take blue").match
    match = play_as(person=alice, match=match, ply=2, move="take orange").match
    assert match.deadline == NOON + timedelta(days=4)
    assert Notice.objects.filter(user=bob, kind="games.your-turn", read_at=None).count() == 1
    for ply, move in enumerate(("take red", "take blue", "take orange"), 3):
        match = play_as(person=bob, match=match, ply=ply, move=move).match
    assert not Notice.objects.filter(user=bob, kind="games.your-turn", read_at=None).exists()
    assert Notice.objects.filter(user=alice, kind="games.your-turn", read_at=None).count() == 1


def test_a_bots_turn_has_no_deadline(alice, time):
    match = started_match(alice, bots=1, clock=LIVE)
    while fresh(match).to_act == 0:
        play_one_move(match)
    assert fresh(match).deadline is None


def test_two_sweeps_let_a_clock_fall_once(alice, bob, time):
    match = started_match(alice, bob, clock=LIVE)
    time.shift(70)
    assert clocks.expire_clock(match_id=match.pk) is True
    assert clocks.expire_clock(match_id=match.pk) is False


def test_a_lost_bot_turn_is_sent_for_again(alice, time, sent_tasks):
    match = started_match(alice, bots=1)
    while fresh(match).to_act == 0:
        play_one_move(match)
    sent_tasks.clear()
    time.shift(1)
    assert sweep.revive_bots() == 0
    time.shift(1.1)
    assert sweep.revive_bots() == 1
    assert sweep.revive_bots() == 0
    assert sent_tasks == [match.pk]
    time.shift(6)
    assert sweep.revive_bots() == 1
