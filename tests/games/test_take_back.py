"""Taking back against bots: to one's own last decision in casual matches, and never where it would be unfair."""

import pytest

from games import engine_match
from games.errors import Illegal
from games.models import Match
from games.play import bot_turns
from games.play.moves import is_repeated, play_as
from games.realtime import frames
from tests.factories import fresh, play_turn, record, started_match


def after_the_bots(match: Match) -> Match:
    match = play_turn(match)
    while fresh(match).bot_due:
        bot_turns.take_bot_turns(match_id=match.pk)
    return fresh(match)


def can_undo(match: Match, seat: int) -> bool:
    seats = list(match.seats.select_related("user"))
    return frames.view_of(match, engine_match.load(match), seat, seats)["can_undo"]


def test_it_goes_back_across_the_moves_of_bots(alice, sent_tasks, clean_match_cache):
    match = started_match(alice, bots=1)
    first = engine_match.load(match).hash()
    match = after_the_bots(match)
    assert match.to_act == 0
    assert can_undo(match, 0)
    before = match.ply
    own = [move.ply for move in match.moves.filter(seat=0).order_by("ply")]
    match = play_as(person=alice, match=match, ply=match.ply, move="undo").match
    current = engine_match.load(match)
    assert current.to_act == 0
    assert match.moves.order_by("-ply")[0].notation == f"back to {own[-1]}"
    assert current.undone() == list(range(own[-1] + 1, before + 1))
    assert is_repeated(alice, match, before, "undo")
    while engine_match.load(match).last_decision(0) is not None:
        match = play_as(person=alice, match=match, ply=match.ply, move="undo").match
    assert engine_match.load(match).hash() == first
    assert not can_undo(match, 0)
    with pytest.raises(Illegal):
        play_as(person=alice, match=match, ply=match.ply, move="undo")
    engine_match.clear_cache()
    assert engine_match.load(match).hash() == record(match).hash() == first


@pytest.mark.parametrize("case", ["rated", "against a person", "a league's table", "a shared deal"])
def test_elsewhere_a_turn_that_passed_on_is_final(alice, bob, case, sent_tasks, clean_match_cache):
    people = (alice, bob) if case == "against a person" else (alice,)
    match = started_match(*people, bots=1, rated=case == "rated")
    if case == "a league's table":
        Match.objects.filter(pk=match.pk).update(host=None)
    if case == "a shared deal":
        Match.objects.filter(pk=match.pk).update(takes_words=False)
    match = fresh(match)
    match = play_turn(match) if len(people) == 2 else after_the_bots(match)
    assert not can_undo(match, 0)
    with pytest.raises(Illegal):
        play_as(person=alice, match=match, ply=match.ply, move="undo")


@pytest.mark.parametrize("move", ["back to 0", "back to 99", "back to x"])
def test_the_notation_of_the_record_is_no_move(alice, move, sent_tasks, clean_match_cache):
    match = after_the_bots(started_match(alice, bots=1))
    with pytest.raises(Illegal):
        play_as(person=alice, match=match, ply=match.ply, move=move)
