"""Bots act one turn at a time where a person plays, at the table's pace; alone they are as fast as they can be."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from games import engine_match, sweep
from games.models import Match
from games.play import bot_turns, pace
from games.tables import leaving
from games.tables.setup import Clock
from games.tables.tempo import set_tempo
from tests.factories import fresh, play_one_move, play_turn, started_match

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def time(settings, clean_match_cache, sent_tasks):
    settings.BOT_PACE = 100
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def later(monkeypatch) -> list[tuple[int, float]]:
    sent: list[tuple[int, float]] = []
    monkeypatch.setattr("games.play.dispatch.enqueue_bot_turn_later", lambda pk, wait: sent.append((pk, wait)))
    return sent


def wait_of(match: Match) -> float:
    due = fresh(match).bot_due
    assert due is not None
    return (due - datetime.now(UTC)).total_seconds()


def test_each_turn_of_a_bot_waits_until_the_one_before_was_seen(alice, time, later, django_capture_on_commit_callbacks):
    match = started_match(alice, bots=2, tempo="normal")
    with django_capture_on_commit_callbacks(execute=True):
        match = play_turn(match)
    assert match.to_act == 1
    first = wait_of(match)
    assert 0.5 < first < 3
    assert later == [(match.pk, pytest.approx(first))]
    assert bot_turns.take_bot_turns(match_id=match.pk) == 0, "too early"
    time.shift(first)
    assert bot_turns.take_bot_turns(match_id=match.pk) > 0
    assert fresh(match).to_act == 2, "one turn and no more"
    assert wait_of(match) > 0.5
    assert bot_turns.take_bot_turns(match_id=match.pk) == 0
    time.shift(wait_of(match))
    bot_turns.take_bot_turns(match_id=match.pk)
    assert fresh(match).to_act == 0


def test_the_tempo_of_the_table_sets_how_long(alice):
    waits = []
    for tempo in ("quick", "normal", "slow"):
        match = started_match(alice, bots=1, tempo=tempo)
        match = fresh(match)
        played, seats = engine_match.load(match), list(match.seats.all())
        played.play("take red")
        waits.append(pace.pause_after(match, seats, played, 0).total_seconds())
    assert waits == [pytest.approx(waits[1] * 0.5), waits[1], pytest.approx(waits[1] * 1.6)]


@pytest.mark.parametrize("case", ["bots alone", "by correspondence", "the person has left"])
def test_where_nobody_looks_on_bots_do_not_wait(alice, case):
    clock = Clock("days", days=3) if case == "by correspondence" else None
    match = started_match(alice, bots=2, clock=clock)
    match = play_one_move(match)
    if case != "by correspondence":
        leaving.resign(person=alice, match=match)
    else:
        match = play_turn(match)
    turns = set()
    while fresh(match).bot_due and len(turns) < 2:
        assert wait_of(match) == 0
        turns.add(fresh(match).to_act)
        bot_turns.take_bot_turns(match_id=match.pk)
    assert fresh(match).ply > match.ply


def test_a_persons_clock_starts_when_the_bots_turn_was_shown(alice, time):
    match = started_match(alice, bots=1, clock=Clock("live", bank=60))
    match = play_turn(match)
    time.shift(wait_of(match))
    bot_turns.take_bot_turns(match_id=match.pk)
    match = fresh(match)
    starts_in = match.turn_since - datetime.now(UTC)
    assert timedelta(seconds=0.5) < starts_in < timedelta(seconds=5)
    assert match.deadline == match.turn_since + timedelta(milliseconds=match.seats.get(index=0).bank_left)
    bank = match.seats.get(index=0).bank_left
    time.shift(starts_in.total_seconds() + 2)
    play_one_move(match)
    assert match.seats.get(index=0).bank_left == bank - 2000


def test_a_turn_that_was_lost_is_played_after_all(alice, time, sent_tasks):
    match = play_turn(started_match(alice, bots=1))
    time.shift(wait_of(match) + 1)
    assert sweep.revive_bots() == 0
    time.shift(1.5)
    assert sweep.revive_bots() == 1
    assert bot_turns.take_bot_turns(match_id=match.pk) > 0


def test_the_host_or_the_only_person_sets_the_tempo(alice, bob, charlie):
    match = started_match(alice, bob, bots=1)
    set_tempo(person=alice, match=match, tempo="slow")
    assert fresh(match).tempo == "slow"
    with pytest.raises(Refused, match="host"):
        set_tempo(person=bob, match=match, tempo="quick")
    with pytest.raises(NotAllowed):
        set_tempo(person=charlie, match=match, tempo="quick")
    with pytest.raises(Refused, match="quick, normal or slow"):
        set_tempo(person=alice, match=match, tempo="warp")
    assert fresh(match).tempo == "slow"
