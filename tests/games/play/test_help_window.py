"""The response window of Thanos Rising: who can help is asked before a roll or the end of a turn; nobody else waits."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from engine.rng import stream
from games import engine_match, help_state, presence, sweep, topics
from games.models import Match, Move
from games.play import bot_turns, help_window
from games.play.moves import commit, play_as
from games.realtime import frames
from games.tables import leaving
from games.tables.setup import Clock
from tests.factories import fresh, started_match

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
CLOSING = ("roll", "stop")


@pytest.fixture(autouse=True)
def time(clean_match_cache, sent_tasks):
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


class UnsuitableDeal(Exception):
    """Random play of this deal never comes to a position that fits."""


def walked_until(match: Match, wanted) -> Match:
    """Random play, written at once, up to a position that fits."""
    match = fresh(match)
    current, rng = engine_match.load(match), stream(match.secret, "walk")
    turn, before = help_state.turn_of(current), current.to_act
    for _ in range(3000):
        if wanted(current):
            return commit(match=match, played=current, by=Move.By.BOT, turn=turn, before=before).match
        legal = current.legal()
        current.play(legal[int(rng.below(len(legal)))])
        if current.outcome:
            break
    raise UnsuitableDeal


def can_close(current, active: int, helper: int) -> bool:
    moves = [current.notation(action) for action in current.legal()]
    return current.to_act == active and helper in current.helpers() and any(move in CLOSING for move in moves)


def asked_match(*people, active=0, helper=1, **setting) -> Match:
    """A match in which one seat may roll or stop, and another holds a token that could be played."""
    for _ in range(20):
        match = started_match(*people, game="thanos-rising", options={"preset": "recruit"}, **setting)
        try:
            match = walked_until(match, lambda current: can_close(current, active, helper))
        except UnsuitableDeal:
            # A person has few tables with bots at once; one that was left long ago does not count.
            Match.objects.filter(pk=match.pk).update(turn_since=timezone.now() - timedelta(days=2))
            continue
        for seat in match.seats.all():
            if not seat.bot_level:
                presence.record(match, seat.index, True)
        return fresh(match)
    raise AssertionError("no deal of twenty gives a token that fits")


def closing_move(match: Match) -> str:
    current = engine_match.load(match)
    return next(move for action in current.legal() if (move := current.notation(action)) in CLOSING)


def token_move(match: Match, seat: int) -> str:
    current = engine_match.load(match)
    return current.notation(current.legal(seat)[0], seat)


def shown(match: Match) -> dict:
    match = fresh(match)
    return frames.surroundings(match, list(match.seats.select_related("user")), engine_match.load(match))


def test_a_roll_waits_for_who_can_help_and_goes_on_when_they_pass(alice, bob):
    match = asked_match(alice, bob)
    ply, act = match.ply, closing_move(match)
    answer = play_as(person=alice, match=match, ply=ply, move=act)
    assert answer.waits
    assert fresh(match).ply == ply
    seen = shown(match)["help"]
    assert (seen["active"], seen["can"], seen["passing"]) == (0, [1], {})
    assert seen["window"] == {"act": act, "waiting": [1], "ends_in": 8000, "total": 8000, "held": False}
    help_window.pass_on(person=bob, match=match, choice="turn")
    assert fresh(match).ply == ply + 1
    move = Move.objects.get(match=match, ply=ply)
    assert (move.notation, move.seat, move.by) == (act, 0, "person")
    assert "window" not in fresh(match).responses


def test_who_passes_a_turn_is_not_asked_again_in_it(alice, bob):
    match = asked_match(alice, bob)
    help_window.pass_on(person=bob, match=match, choice="turn")
    assert shown(match)["help"]["passing"] == {"1": "turn"}
    assert not play_as(person=alice, match=fresh(match), ply=match.ply, move=closing_move(match)).waits


def test_who_passes_until_they_say_is_asked_again_when_they_say(alice, bob):
    match = asked_match(alice, bob)
    help_window.pass_on(person=bob, match=match, choice="match")
    assert shown(match)["help"]["passing"] == {"1": "match"}
    help_window.pass_on(person=bob, match=match, choice="off")
    assert shown(match)["help"]["passing"] == {}
    assert play_as(person=alice, match=fresh(match), ply=match.ply, move=closing_move(match)).waits


def test_nobody_waits_for_who_has_no_token_or_no_page_open(alice, bob):
    match = asked_match(alice, bob)
    presence.record(match, 1, False)
    assert not play_as(person=alice, match=match, ply=match.ply, move=closing_move(match)).waits
    empty = started_match(alice, bob, game="thanos-rising")
    empty = walked_until(
        empty,
        lambda current: (
            current.to_act == 0
            and not current.helpers()
            and any(current.notation(action) in CLOSING for action in current.legal())
        ),
    )
    presence.record(empty, 1, True)
    assert not play_as(person=alice, match=fresh(empty), ply=empty.ply, move=closing_move(fresh(empty))).waits


def test_a_token_ends_the_window_and_the_player_decides_again(alice, bob):
    match = asked_match(alice, bob)
    play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    play_as(person=bob, match=fresh(match), ply=match.ply, move=token_move(match, 1))
    after = fresh(match)
    assert (after.ply, after.to_act) == (match.ply + 1, 0)
    assert shown(match)["help"]["window"] is None
    assert "window" not in after.responses


def test_no_answer_in_time_is_a_pass_for_the_turn(alice, bob, time, sent_tasks):
    match = asked_match(alice, bob)
    play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    time.shift(7)
    assert bot_turns.take_bot_turns(match_id=match.pk) == 0
    assert fresh(match).ply == match.ply
    time.shift(1.5)
    assert bot_turns.take_bot_turns(match_id=match.pk) == 1
    assert fresh(match).ply == match.ply + 1
    assert fresh(match).responses["passing"] == {"1": help_state.turn_of(engine_match.load(match))}


def test_a_lost_task_is_found_by_the_sweep(alice, bob, time, sent_tasks):
    match = asked_match(alice, bob)
    play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    time.shift(11)
    sent_tasks.clear()
    assert sweep.revive_bots() == 1
    assert sent_tasks == [match.pk]
    assert bot_turns.take_bot_turns(match_id=match.pk) == 1


def test_more_time_can_be_had_once(alice, bob, time):
    match = asked_match(alice, bob)
    with pytest.raises(Refused):
        help_window.hold(person=bob, match=match)
    play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    help_window.hold(person=bob, match=match)
    assert shown(match)["help"]["window"]["ends_in"] == 30_000
    with pytest.raises(Refused):
        help_window.hold(person=bob, match=match)
    time.shift(29)
    assert bot_turns.take_bot_turns(match_id=match.pk) == 0
    time.shift(2)
    assert bot_turns.take_bot_turns(match_id=match.pk) == 1


def test_the_player_on_turn_asks_and_may_go_on_without(alice, bob, charlie):
    match = asked_match(alice, bob)
    with pytest.raises(Refused):
        help_window.ask(person=bob, match=match)
    with pytest.raises(NotAllowed):
        help_window.ask(person=charlie, match=match)
    help_window.ask(person=alice, match=match)
    assert shown(match)["help"]["asked"] is True
    with pytest.raises(Refused):
        help_window.go_on(person=alice, match=match)
    play_as(person=alice, match=fresh(match), ply=match.ply, move=closing_move(match))
    with pytest.raises(Refused):
        help_window.go_on(person=bob, match=match)
    help_window.go_on(person=alice, match=match)
    assert fresh(match).ply == match.ply + 1


def test_the_clock_of_the_player_on_turn_stands_while_others_answer(alice, bob, time):
    match = asked_match(alice, bob, clock=Clock("live", bank=600))
    bank = match.seats.get(index=0).bank_left
    time.shift(10)
    presence.record(match, 1, True)
    play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    assert fresh(match).deadline is None
    assert shown(match)["clock"]["running"] is None
    time.shift(5)
    assert sweep.expire_clocks() == 0
    help_window.pass_on(person=bob, match=match, choice="turn")
    assert match.seats.get(index=0).bank_left == bank - 10_000
    assert Move.objects.get(match=match, ply=match.ply).spent == 10_000


def test_by_correspondence_nothing_waits_and_tokens_can_be_played_at_any_time(alice, bob):
    match = asked_match(alice, bob, clock=Clock("days", days=3))
    play_as(person=bob, match=match, ply=match.ply, move=token_move(match, 1))
    assert fresh(match).ply == match.ply + 1
    again = asked_match(alice, bob, clock=Clock("days", days=3))
    assert not play_as(person=alice, match=again, ply=again.ply, move=closing_move(again)).waits


def test_a_bots_act_waits_for_a_person_and_the_bot_goes_on_after_it(alice):
    match = asked_match(alice, bots=1, active=1, helper=0)
    played = bot_turns.take_bot_turns(match_id=match.pk)
    waiting = fresh(match)
    window = help_state.window_of(waiting)
    assert window is not None, played
    assert (window["by"], window["waiting"], window["act"] in CLOSING) == ("bot", [0], True)
    help_window.pass_on(person=alice, match=match, choice="turn")
    move = Move.objects.get(match=match, ply=waiting.ply)
    assert (move.notation, move.by) == (window["act"], "bot")
    while fresh(match).bot_due:
        bot_turns.take_bot_turns(match_id=match.pk)
        assert help_state.window_of(fresh(match)) is None or fresh(match).responses["window"]["seat"] != 1


def test_a_roll_waits_until_the_bots_have_answered(alice):
    match = asked_match(alice, bots=1)
    assert match.bot_due is not None
    answer = play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    assert answer.waits
    assert help_state.window_of(answer.match)["waiting"] == [1]
    assert bot_turns.take_bot_turns(match_id=match.pk) == 1
    assert fresh(match).ply == match.ply + 1


def test_a_player_who_leaves_takes_the_waiting_act_along(alice, bob):
    match = asked_match(alice, bob)
    play_as(person=alice, match=match, ply=match.ply, move=closing_move(match))
    leaving.resign(person=alice, match=match)
    assert "window" not in fresh(match).responses
    assert fresh(match).bot_due is not None


def test_answers_come_by_the_socket_and_junk_is_refused(alice, bob, charlie):
    match = asked_match(alice, bob)
    page = topics.MatchPage()
    assert page.receive(alice, match.key, {"ask": True}) is None
    for message in ({"pass": 1}, {"hold": "yes"}, {"go": False}, {"tempo": 3}):
        assert '"malformed"' in page.receive(bob, match.key, message)
    assert '"declined"' in page.receive(bob, match.key, {"pass": "for ever"})
    assert '"foreign"' in page.receive(charlie, match.key, {"pass": "turn"})
    assert page.receive(bob, match.key, {"pass": "turn"}) is None
    assert shown(match)["help"]["passing"] == {"1": "turn"}
