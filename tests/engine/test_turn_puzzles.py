"""Whole turns of Thanos Rising: judged by what the seat could know, on the dice of the record."""

import engine
from engine.analysis.judges import METHODS
from engine.analysis.turn_puzzles import Turn, answered
from tests.engine.random_play import known_to

METHOD = METHODS["thanos-rising"]


def late_question():
    """A question of a turn after its dice were rolled, with few answers."""
    match = engine.game("thanos-rising").start(2, "whole turns", {"preset": "recruit"})
    while match.ply < 8 or not 2 <= len(match.legal()) <= 3 or match.game.turn(match.state)[0] != match.to_act:
        match.play(match.legal()[-1])
    return match


def test_two_tables_that_the_seat_cannot_tell_apart_are_judged_alike():
    here = late_question()
    seat = here.to_act
    elsewhere = here.imagine(seat, "elsewhere")
    assert elsewhere.state.ints() != here.state.ints()
    assert known_to(elsewhere, seat) == known_to(here, seat)
    chances = [
        [float(table.mean(place)) for place in range(int(table.count))]
        for table in (Turn(match, seat, METHOD, 2, "alike").judged(match) for match in (here, elsewhere))
    ]
    assert chances[0] == chances[1]
    assert all(0 <= chance <= 1 for chance in chances[0])


def test_the_same_answer_brings_the_same_dice_and_forced_ones_are_given():
    match = engine.game("thanos-rising").start(2, "dice", {"preset": "recruit"})
    seat, deploy = match.to_act, match.notation(match.legal()[0])
    one, two = answered(match, seat, deploy), answered(match, seat, deploy)
    assert one.hash() == two.hash()
    assert match.ply == 0
    # Whatever is asked next has a choice, or belongs to another turn.
    turn = match.game.turn(match.state)
    assert one.to_act != seat or one.game.turn(one.state) != turn or len(one.legal()) > 1
    again = match.clone()
    again.play(deploy)
    while again.hash() != one.hash():
        assert len(again.legal()) == 1
        again.play(again.legal()[0])
