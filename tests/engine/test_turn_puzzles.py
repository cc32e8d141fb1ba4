"""Whole turns of Thanos Rising: judged by what the seat could know, on the dice of the record."""

import engine
from engine.analysis.judges import METHODS
from engine.analysis.turn_puzzles import END, INACCURACY, MISTAKE, Turn, answered, holds
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


def test_a_turn_is_judged_question_by_question_and_each_once():
    match, calls = late_question(), []
    turn = Turn(match, match.to_act, METHOD, 2, "each once", lambda: calls.append(1))
    moves, lost, variance = turn.played(lambda live: live.legal()[-1])
    assert len(moves) == len(turn.tables) == len(calls) > 0
    assert variance >= 0
    # The same turn again takes no new question, and gives away the same.
    again = iter(moves)
    assert turn.played(lambda live: live.parse(next(again), turn.seat)) == (moves, lost, variance)
    assert len(calls) == len(moves)


def test_a_puzzle_holds_if_its_best_turn_is_fine_and_the_bots_is_not():
    """Its best turn and the bot's taken for each other, it does not; nor if both are the same turn."""
    match = late_question()
    seat = match.to_act
    turn = Turn(match, seat, METHOD, 2, "both")
    turns = [turn.played(lambda live, side=side: live.legal()[side]) for side in (0, -1)]
    (fine, gained, _), (bad, lost, _) = sorted(turns, key=lambda each: each[1])

    def as_puzzle(best, missed):
        positions = [
            {"answers": [{"move": move, "loss": 0.0, "to": number + 1 if number + 1 < len(best) else END}]}
            for number, move in enumerate(best)
        ]
        return {"seat": seat, "worlds": 2, "turn": {"positions": positions, "missed": {"moves": missed}}}

    assert holds(as_puzzle(fine, bad), match, METHOD, "both") is (lost >= MISTAKE and gained < INACCURACY)
    assert not holds(as_puzzle(bad, fine), match, METHOD, "both")
    assert not holds(as_puzzle(fine, fine), match, METHOD, "both")


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
