"""What programs of the compiled engine measured on all cores, as rows with 95 % intervals."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from deploy.bench import Row

Z95 = 1.96
RESAMPLES = 400
"""Of the matches, for the interval of a ratio or a mean of gaps."""

Matches = list[dict[str, Any]]


def on_all_cores(program: Path, folder: Path, question: dict[str, Any], count: int) -> Matches:
    """What a program says of matches 0 to `count` - 1, by the engine in this folder."""
    processes = min(count, os.cpu_count() or 1)
    with ThreadPoolExecutor(processes) as pool:
        shares = [list(range(first, count, processes)) for first in range(processes)]
        parts = list(pool.map(lambda numbers: answers(program, folder, question | {"numbers": numbers}), shares))
    return [match for part in parts for match in part]


def answers(program: Path, folder: Path, question: dict[str, Any]) -> Matches:
    command = [sys.executable, "-P", "-c", program.read_text()]
    env = os.environ | {"PYTHONPATH": str(folder)}
    asked = json.dumps(question)
    done = subprocess.run(command, input=asked, env=env, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def cpu_row(name: str, matches: Matches, target: float | None, pace: str = "") -> Row:
    times = [match["cpu"] for match in matches]
    beside = f", where {pace} random matches take 1 s" if pace else ""
    return Row(
        f"{name}: CPU a match", fmean(times), "s", target,
        f"± {Z95 * error_of(times):.2f}, {len(times)} matches{beside}", lower_is_better=True,
    )  # fmt: skip


def error_of(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def with_interval(measure: Callable[[Sequence[dict[str, Any]]], float], matches: Matches) -> tuple[float, float, float]:
    """A number between the ends of its interval, by drawing matches again with replacement."""
    lots = random.Random("bench")
    drawn = sorted(measure(lots.choices(matches, k=len(matches))) for _ in range(RESAMPLES))
    return drawn[RESAMPLES // 40], measure(matches), drawn[-1 - RESAMPLES // 40]


def share_row(what: str, seen: Sequence[bool], target: float | None) -> Row:
    """A share in percent with its Wilson interval."""
    count = max(1, len(seen))
    share = sum(seen) / count
    middle, spread = share + Z95**2 / (2 * count), Z95 * sqrt(share * (1 - share) / count + (Z95 / (2 * count)) ** 2)
    low, high = ((middle + sign * spread) / (1 + Z95**2 / count) for sign in (-1, 1))
    return Row(what, 100 * share, "%", target, f"{100 * low:.1f} to {100 * high:.1f}, {len(seen)} seen")
