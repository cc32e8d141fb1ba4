"""Odds in a program of their own: twenty seconds of arithmetic must not slow down whoever shares this one."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from accounts import closing
from leagues.odds.values import NOTHING, Counts, NoOdds, Odds, Rest

ROOT = Path(__file__).resolve().parents[2]
LOOK_EVERY = 1.0


class Stopped(Exception):
    """Nobody wants to know any more."""


def odds(
    rest: Rest,
    *,
    seed: str,
    runs: int,
    seconds: float,
    so_far: Counts = NOTHING,
    stop: Callable[[], bool] = lambda: False,
) -> Odds:
    """As `simulation.odds`, with so many seconds of processor time; Stopped soon after `stop` has said so.

    There is no time-out: the program counts its own work and gives what it has played by then, however slowly a busy
    machine lets it run.
    """
    given = pickle.dumps((rest, seed, runs, seconds, so_far))
    with subprocess.Popen(
        [sys.executable, "-m", "leagues.odds"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as program:
        try:
            with closing.stopped_by(program.kill):
                said, complaint = _answer(program, given, stop)
        finally:
            # After an answer there is nothing left to kill, and saying so twice does no harm.
            program.kill()
    if program.returncode:
        raise RuntimeError(f"the odds were not computed: {complaint.decode(errors='replace')[-2000:]}")
    answer = pickle.loads(said)  # noqa: S301  (both ends of the pipe are ours)
    if isinstance(answer, NoOdds):
        raise answer
    assert isinstance(answer, Odds)
    return answer


def _answer(program: subprocess.Popen[bytes], given: bytes, stop: Callable[[], bool]) -> tuple[bytes, bytes]:
    question: bytes | None = given
    while True:
        try:
            return program.communicate(question, timeout=LOOK_EVERY)
        except subprocess.TimeoutExpired:
            question = None
            if stop():
                raise Stopped from None
