"""Odds in a program of their own: twenty seconds of arithmetic must not slow down whoever shares this one."""

import pickle
import subprocess
import sys
from pathlib import Path

from leagues.odds.values import NoOdds, Odds, Rest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20
"""A busy machine may take so many times as long as the processor time that is allowed."""


def odds(rest: Rest, *, seed: str, runs: int, seconds: float) -> Odds:
    """As `simulation.odds`, with so many seconds of processor time."""
    done = subprocess.run(
        [sys.executable, "-m", "leagues.odds"],
        input=pickle.dumps((rest, seed, runs, seconds)),
        capture_output=True,
        cwd=ROOT,
        timeout=60 + PATIENCE * seconds,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the odds were not computed: {done.stderr.decode(errors='replace')[-2000:]}")
    answer = pickle.loads(done.stdout)  # noqa: S301  (both ends of the pipe are ours)
    if isinstance(answer, NoOdds):
        raise answer
    assert isinstance(answer, Odds)
    return answer
