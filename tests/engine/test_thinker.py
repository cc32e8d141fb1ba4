"""Thinking in processes: the answer, the deadline, the crash, and a bot that talks."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import engine
from engine import transcript
from engine.bots import BUDGETS, Budget
from engine.thinker import Crashed, Thinker, ThinkError, TooLate

GAME = "splendor-marvel"


@pytest.fixture
def thinker():
    made = Thinker(children=1)
    yield made
    made.close()


def asked(thinker: Thinker, level: str = "regular", budget: Budget | None = None, deadline: float = 20) -> str | None:
    match = engine.game(GAME).start(2, "zażółć gęślą")
    return thinker.think(
        transcript.transcript(match),
        seat=0,
        level=level,
        budget=budget or BUDGETS[level],
        seed="luck",
        deadline=deadline,
    )


def test_the_answer_is_a_legal_move_and_the_same_for_the_same_seed(thinker):
    match = engine.game(GAME).start(2, "zażółć gęślą")
    assert asked(thinker) == asked(thinker) in [match.notation(action) for action in match.legal()]


def test_a_bot_that_is_late_is_killed_and_the_next_answers(thinker):
    asked(thinker)
    began = time.monotonic()
    with pytest.raises(TooLate):
        asked(thinker, "master", Budget(seconds=30), deadline=0.3)
    assert time.monotonic() - began < 5
    assert asked(thinker)


def test_a_process_that_died_between_two_moves_is_replaced(thinker):
    asked(thinker)
    child = thinker.idle.queue[0].process
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    assert asked(thinker)
    assert thinker.idle.queue[0].process.pid != child.pid


def test_a_process_that_dies_while_it_thinks_is_told_and_replaced(thinker):
    asked(thinker)
    threading.Timer(0.3, os.kill, (thinker.idle.queue[0].process.pid, signal.SIGKILL)).start()
    with pytest.raises(Crashed):
        asked(thinker, "master", Budget(seconds=30))
    assert asked(thinker)


def test_an_error_of_the_bot_is_told_and_the_process_kept(thinker):
    asked(thinker)
    before = thinker.idle.queue[0].process.pid
    with pytest.raises(ThinkError, match="OptionError"):
        asked(thinker, "godlike", Budget(iterations=1))
    assert thinker.idle.queue[0].process.pid == before


def test_the_process_ends_with_its_parent():
    code = (
        "import sys, engine; from engine import transcript; from engine.bots import BUDGETS\n"
        "from engine.thinker import thinker\n"
        f"match = engine.game({GAME!r}).start(2, 'x')\n"
        "thinker().think(transcript.transcript(match), seat=0, level='regular', budget=BUDGETS['regular'],"
        " seed='x', deadline=20)\n"
        "print(thinker().idle.queue[-1].process.pid, flush=True)\n"
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    pid = int(said)
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
    raise AssertionError("the thinking process outlives its parent")
