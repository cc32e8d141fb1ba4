"""Bots in processes of their own: the answer, the deadline, the crash, and what happens to the process after each."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import engine
from engine import transcript
from engine.bot_process import BotProcessPool, Crashed, Order, ThinkError, TooLate
from engine.bots import Budget, budget

GAME = "splendor-marvel"
AT_ONCE = Budget(iterations=1)


@pytest.fixture
def pool():
    pool = BotProcessPool(processes=1)
    yield pool
    pool.close()


def asked(
    pool: BotProcessPool, level: str = "regular", given: Budget | None = None, deadline: float = 20
) -> str | None:
    match = engine.game(GAME).start(2, "zażółć gęślą")
    return pool.think(
        transcript.transcript(match),
        seat=0,
        level=level,
        budget=given or budget(GAME, level),
        seed="luck",
        deadline=deadline,
    )


def test_the_answer_is_a_legal_move_and_the_same_for_the_same_seed(pool):
    match = engine.game(GAME).start(2, "zażółć gęślą")
    assert asked(pool) == asked(pool) in [match.notation(action) for action in match.legal()]


def test_a_bot_that_is_late_is_killed_and_the_next_answers(pool):
    asked(pool)
    began = time.monotonic()
    with pytest.raises(TooLate):
        asked(pool, "master", Budget(seconds=30), deadline=0.3)
    assert time.monotonic() - began < 5
    assert asked(pool)


def test_a_process_that_died_between_two_moves_is_replaced(pool):
    asked(pool)
    process = pool.idle.queue[0].process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert asked(pool)
    assert pool.idle.queue[0].process.pid != process.pid


def test_a_process_that_dies_while_it_thinks_is_reported_and_replaced(pool):
    asked(pool)
    threading.Timer(0.3, os.kill, (pool.idle.queue[0].process.pid, signal.SIGKILL)).start()
    with pytest.raises(Crashed):
        asked(pool, "master", Budget(seconds=30))
    assert asked(pool)


def test_an_error_of_the_bot_is_reported_and_the_process_kept(pool):
    asked(pool)
    before = pool.idle.queue[0].process.pid
    with pytest.raises(ThinkError, match="OptionError"):
        asked(pool, "godlike", Budget(iterations=1))
    assert pool.idle.queue[0].process.pid == before


def test_the_process_ends_with_its_parent():
    code = (
        "import sys, engine; from engine import transcript; from engine.bots import budget\n"
        "from engine.bot_process import shared_pool\n"
        f"match = engine.game({GAME!r}).start(2, 'x')\n"
        f"budget = budget({GAME!r}, 'regular')\n"
        "record = transcript.transcript(match)\n"
        "shared_pool().think(record, seat=0, level='regular', budget=budget, seed='x', deadline=20)\n"
        "print(shared_pool().idle.queue[-1].process.pid, flush=True)\n"
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    pid = int(output)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        with open(f"/proc/{pid}/stat") as stat:
            if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                return
        time.sleep(0.05)
    raise AssertionError("the bot process outlives its parent")


def order(match: engine.Match, **how) -> Order:
    bots = dict.fromkeys(range(match.players), ("regular", AT_ONCE))
    given: dict[str, Any] = {"bots": bots, "seed": "luck", "seconds": 20.0} | how
    return Order(**given)


@pytest.mark.parametrize(("game", "players"), [(GAME, 3), ("thanos-rising", 3), ("infinity-gauntlet", 4)])
def test_a_turn_in_one_request_is_the_one_that_is_asked_move_by_move(pool, game, players):
    match = engine.game(game).start(players, "turn")
    for plies in (0, 30):
        before = match.clone()
        chosen = pool.play(transcript.transcript(match), order(match, plies=plies), margin=20)
        turn = match.game.turn(match.state)
        for seat, move, _ in chosen.moves:
            [asked] = pool.play(transcript.transcript(match), order(match, most=1), margin=20).moves
            assert asked[:2] == (seat, move)
            assert plies or match.game.turn(match.state) == turn
            match.play(move, seat)
        assert match.outcome or match.game.turn(match.state) != turn
        assert match.outcome or match.ply - before.ply >= plies


def test_what_was_chosen_but_never_came_into_the_record_is_forgotten(pool):
    """Somebody was faster: the record went on in another way, to as many plies."""
    match = engine.game(GAME).start(3, "another way")
    chosen = pool.play(transcript.transcript(match), order(match, plies=6), margin=20)
    other = match.clone()
    while other.ply < len(chosen.moves):
        other.play(other.legal()[-1])
    assert [entry.move for entry in other.entries] != [move for _, move, _ in chosen.moves]
    there = BotProcessPool(processes=1)
    try:
        for way in (other, match, other):
            document = transcript.transcript(way)
            answers = [each.play(document, order(way), margin=20).moves for each in (pool, there)]
            assert [move[:2] for move in answers[0]] == [move[:2] for move in answers[1]]
            there.close()
            there = BotProcessPool(processes=1)
    finally:
        there.close()


def test_bots_stop_before_an_act_that_others_may_respond_to(pool):
    """The act is named and not played; whoever asked decides."""
    match = engine.game("thanos-rising").start(3, "tokens")
    for _ in range(400):
        if match.outcome is not None:
            break
        acting = match.to_act
        bots = {acting: ("regular", AT_ONCE)}
        others = tuple(seat for seat in range(3) if seat != acting)
        chosen = pool.play(transcript.transcript(match), order(match, bots=bots, asked=others), margin=20)
        for number, (seat, move, _) in enumerate(chosen.moves):
            asks = seat == match.to_act and match.closes(move) and bool(match.helpers())
            assert asks == (chosen.asks and number == len(chosen.moves) - 1)
            match.play(move, seat)
        if chosen.asks:
            return
    raise AssertionError("nobody could respond in the whole match")


def test_what_was_chosen_before_an_error_counts(pool):
    match = engine.game(GAME).start(2, "error")
    bots = {0: ("regular", AT_ONCE), 1: ("godlike", Budget(iterations=1))}
    chosen = pool.play(transcript.transcript(match), order(match, bots=bots, plies=20), margin=20)
    assert chosen.moves
    assert {seat for seat, _, _ in chosen.moves} == {0}
    assert "OptionError" in chosen.error
    again = pool.play(transcript.transcript(match), order(match, plies=20), margin=20)
    assert not again.error
    assert [move[:2] for move in again.moves[: len(chosen.moves)]] == [move[:2] for move in chosen.moves]
