"""Odds in a program of their own: twenty seconds of arithmetic must not slow down whoever shares this one."""

import pickle
import subprocess
import sys
from pathlib import Path

from accounts import closing
from leagues.odds.values import NoOdds, Odds, Rest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20
"""A busy machine may take so many times as long as the processor time that is allowed."""


def odds(rest: Rest, *, seed: str, runs: int, seconds: float) -> Odds:
    """As `simulation.odds`, with so many seconds of processor time."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-m", "leagues.odds"], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe
    ) as program:
        try:
            with closing.stopped_by(program.kill):
                told, complaint = program.communicate(
                    pickle.dumps((rest, seed, runs, seconds)), timeout=60 + PATIENCE * seconds
                )
        except BaseException:
            program.kill()
            raise
    if program.returncode:
        raise RuntimeError(f"the odds were not computed: {complaint.decode(errors='replace')[-2000:]}")
    answer = pickle.loads(told)  # noqa: S301  (both ends of the pipe are ours)
    if isinstance(answer, NoOdds):
        raise answer
    assert isinstance(answer, Odds)
    return answer
