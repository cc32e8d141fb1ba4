"""Runs the simulation in a subprocess: twenty seconds of arithmetic must not block other tasks of this process."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from accounts.infra import shutdown
from leagues.odds.simulation.values import NOTHING, Counts, NoOdds, Odds, RemainingSeason

ROOT = Path(__file__).resolve().parents[2]
LOOK_EVERY = 1.0


class Cancelled(Exception):
    """The computation was stopped because its result is no longer needed."""


def run_in_subprocess(
    rest: RemainingSeason,
    *,
    seed: str,
    runs: int,
    seconds: float,
    so_far: Counts = NOTHING,
    stop: Callable[[], bool] = lambda: False,
) -> Odds:
    """As `monte_carlo.odds`, for so many seconds of processor time. Cancelled soon after `stop` returns True.

    There is no time-out here: the program measures its own processor time and returns what it has by then, however
    slow a busy machine is.
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
            with shutdown.stop_with(program.kill):
                output, errors = _communicate(program, given, stop)
        finally:
            # Killing a program that has ended does no harm.
            program.kill()
    if program.returncode:
        raise RuntimeError(f"the odds were not computed: {errors.decode(errors='replace')[-2000:]}")
    answer = pickle.loads(output)  # noqa: S301  (both ends of the pipe are ours)
    if isinstance(answer, NoOdds):
        raise answer
    assert isinstance(answer, Odds)
    return answer


def _communicate(program: subprocess.Popen[bytes], given: bytes, stop: Callable[[], bool]) -> tuple[bytes, bytes]:
    question: bytes | None = given
    while True:
        try:
            return program.communicate(question, timeout=LOOK_EVERY)
        except subprocess.TimeoutExpired:
            question = None
            if stop():
                raise Cancelled from None
