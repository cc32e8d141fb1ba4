"""A move counts once; everything else is refused and changes nothing."""

import pytest

import engine
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from games import engine_match, fairness
from games.errors import Illegal, Stale
from games.models import Match, Move, Seat
from games.play import bot_turns
from games.play.moves import play_as, play_move
from tests.factories import finished_match, first_move, fresh, play_one_move, record, started_match


def test_a_move_is_written_with_the_state_it_led_to(alice, bob):
    match = started_match(alice, bob)
    done = play_as(person=alice, match=match, ply=0, move=first_move(match))
    move = Move.objects.get(match=match)
    assert (done.ply, done.over) == (1, False)
    assert (move.ply, move.seat, move.by) == (0, 0, "person")
    assert move.digest == record(match).entries[0].digest
    assert fresh(match).snapshot == record(match).view(None)


@pytest.mark.parametrize("ply", [1, -1, 99])
def test_a_move_for_another_ply_is_stale(alice, bob, ply):
    match = started_match(alice, bob)
    with pytest.raises(Stale):
        play_as(person=alice, match=match, ply=ply, move=first_move(match))
    assert not Move.objects.exists()


def test_the_same_click_twice_plays_once(alice, bob):
    match = started_match(alice, bob)
    move = first_move(match)
    play_as(person=alice, match=match, ply=0, move=move)
    with pytest.raises(Stale) as answer:
        play_as(person=alice, match=match, ply=0, move=move)
    assert answer.value.ply == 1
    assert Move.objects.count() == 1


@pytest.mark.parametrize("move", ["", "take everything", "recruit 9-99", "undo", "take\x00red", "x" * 5000])
def test_a_move_the_rules_refuse_changes_nothing(alice, bob, move):
    match = started_match(alice, bob)
    before = engine_match.load(match).hash()
    with pytest.raises(Illegal):
        play_as(person=alice, match=match, ply=0, move=move)
    assert fresh(match).ply == 0
    assert engine_match.load(fresh(match)).hash() == before


def test_nobody_plays_for_another_seat(alice, bob, charlie):
    match = started_match(alice, bob)
    with pytest.raises(Illegal):
        play_as(person=bob, match=match, ply=0, move=first_move(match))
    with pytest.raises(NotAllowed):
        play_as(person=charlie, match=match, ply=0, move=first_move(match))
    assert fresh(match).ply == 0


def test_an_answer_can_be_taken_back_and_the_record_keeps_both(alice, bob):
    match = started_match(alice, bob)
    match = play_as(person=alice, match=match, ply=0, move="take red").match
    match = play_as(person=alice, match=match, ply=1, move="undo").match
    assert [move.notation for move in match.moves.order_by("ply")] == ["take red", "undo"]
    assert record(match).hash() == engine_match.load_initial(match).hash()
    assert engine_match.load(match).undone() == [1]


def test_a_match_played_to_the_end_is_ranked_and_owes_nothing(alice, bob):
    match = finished_match(started_match(alice, bob))
    outcome = record(match).outcome
    assert match.status == "finished"
    assert match.cause == "played"
    assert match.reason == outcome.reason
    assert [seat.rank for seat in match.seats.order_by("index")] == list(outcome.ranks)
    assert [seat.score for seat in match.seats.order_by("index")] == list(outcome.scores)
    assert (match.bot_due, match.deadline, match.to_act) == (None, None, None)
    with pytest.raises(Stale):
        play_move(match=match, ply=match.ply, seat=0, move="pass", by="bot")


def test_a_process_that_remembers_nothing_rebuilds_the_match(alice, bob):
    match = started_match(alice, bob)
    for _ in range(12):
        match = play_one_move(match)
    remembered = engine_match.load(match).hash()
    engine_match.clear_cache()
    assert engine_match.load(match).hash() == remembered == engine.replay(fairness.transcript_of(match)).hash()


def test_what_is_played_on_does_not_touch_what_is_remembered(alice, bob):
    match = started_match(alice, bob)
    mine = engine_match.load(match)
    mine.play("take red")
    assert engine_match.load(match).ply == 0
    match = play_as(person=alice, match=match, ply=0, move="take red").match
    undone = engine_match.load(match)
    undone.undo(0)
    undone.play("take blue")
    again = engine_match.load(match)
    again.undo(0)
    assert again.hash() == engine_match.load_initial(match).hash()


def test_bots_answer_in_slices_and_stop_at_a_persons_turn(alice, sent_tasks, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        match = started_match(alice, bots=2)
    assert match.bot_due is None
    assert sent_tasks == []
    with django_capture_on_commit_callbacks(execute=True):
        while fresh(match).to_act == 0:
            play_one_move(match)
    assert sent_tasks == [match.pk]
    assert fresh(match).bot_due is not None
    while fresh(match).bot_due:
        assert 0 < bot_turns.take_bot_turns(match_id=match.pk) <= bot_turns.SLICE
    assert fresh(match).to_act == 0
    assert {move.by for move in match.moves.exclude(seat=0)} == {"bot"}


def test_a_bot_turn_delivered_again_does_nothing(alice):
    match = started_match(alice, bots=1)
    while fresh(match).to_act == 0:
        play_one_move(match)
    while fresh(match).bot_due:
        bot_turns.take_bot_turns(match_id=match.pk)
    ply = fresh(match).ply
    assert bot_turns.take_bot_turns(match_id=match.pk) == 0
    assert fresh(match).ply == ply


def test_a_bot_that_always_fails_ends_in_a_recorded_fallback(alice, monkeypatch):
    class Broken:
        asked = 0

        def play(self, *args, **kwargs):
            Broken.asked += 1
            raise bot_turns.ThinkError("no idea")

    monkeypatch.setattr(bot_turns, "shared_pool", Broken)
    match = started_match(alice, bots=1)
    while fresh(match).to_act == 0:
        play_one_move(match)
    ply = fresh(match).ply
    bot_turns.take_bot_turns(match_id=match.pk)
    assert Move.objects.get(match=match, ply=ply).by == "fallback"
    assert Broken.asked % bot_turns.MAX_ATTEMPTS == 0


def test_a_person_whose_seat_a_bot_keeps_must_take_it_back_first(alice, bob):
    match = started_match(alice, bob)
    Seat.objects.filter(match=match, user=alice).update(bot_level="regular", left="away")
    with pytest.raises(Refused):
        play_as(person=alice, match=Match.objects.get(pk=match.pk), ply=0, move="take red")
