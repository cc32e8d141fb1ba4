"""Ratings: how fast they are computed, how well they predict, whether they drift, and how certain they are."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from deploy.bench import Row, builds, simulated_clubs

PLAYERS = 1_000
MIN_RATIO = 5  # to the speed of openskill
# Without variances (method 1) it was 505 900, 507 700 and 937 200 on a two-core machine. These are below half of that,
# so that a busy machine reaches them too.
TARGETS = {"everyone against everyone": 200_000, "one against three": 200_000, "all together": 350_000}
SEEDS = range(3)
SPREADS, GAMES, CLUBS = (100, 150, 200, 250), (3, 10, 30), 200
ERROR = 1.2

UPDATE = """
import hashlib, json, random, sys, time
from leagues.elo import update
players, results = map(int, sys.argv[1:])
rng = random.Random(1)
four = [(rng.sample(range(players), 4), rng.sample([1, 2, 3, 4], 4)) for _ in range(results)]
sides = [(who, rng.choice(([1, 2, 2, 2], [2, 1, 1, 1]))) for who, _ranks in four]
teams = [(who, [rng.choice((1, 2))] * 4) for who, _ranks in four]
speeds, ends = [], []
for kind, tables in ((update.FreeForAll, four), (update.OneVsMany, sides), (update.Cooperative, teams)):
    best = 0.0
    for _ in range(3):
        pool = kind()
        for _ in range(players):
            pool.join(False)
        more = (pool.add_scenario(1_500_000),) if kind is update.Cooperative else ()
        began = time.process_time()
        for number, (who, ranks) in enumerate(tables):
            pool.play(who, ranks, *more, True, number // players)
        best = max(best, results / (time.process_time() - began))
    speeds.append(best)
    ends.append((pool.rating, pool.variance, pool.entry, pool.learned))
digest = hashlib.sha256(repr(ends).encode()).hexdigest()
print(json.dumps({"speeds": speeds, "build": update.__file__.rpartition(".")[2], "digest": digest}))
"""
"""The whole rating update of a pool, four seats a table: with variances, days, offsets and rounding."""


def rows(*, quick: bool = False) -> Iterator[Row]:
    """Quick rows only show that it runs: few results and no simulated clubs."""
    yield from speeds(*((500, 20) if quick else (200_000, 4_000)))
    if quick:
        return
    yield from predictions()
    yield from inflation()
    yield from certainty()


def speeds(results: int, peer_results: int) -> Iterator[Row]:
    compiled = measure_build(builds.compiled_folder(), results)
    interpreted = measure_build(builds.interpreted_folder(), results)
    if compiled["build"] == interpreted["build"]:
        raise AssertionError("both builds are the same; their speeds mean nothing")
    peer, peer_speed = openskill(peer_results)
    for at, (kind, target) in enumerate(TARGETS.items()):
        compared = (peer, peer_speed) if at == 0 else ("", None)
        yield Row(f"rating update, {kind}, compiled", compiled["speeds"][at], "res/s", target, *compared)
        yield Row(f"rating update, {kind}, interpreted", interpreted["speeds"][at], "res/s", None, *compared)
    if peer_speed is not None:
        yield Row("rating update, compiled ÷ openskill", compiled["speeds"][0] / peer_speed, "times", MIN_RATIO)
    same = len({compiled["digest"], interpreted["digest"]})
    yield Row(f"rating update, digests of 3 × {results:,} results", same, "", 1, lower_is_better=True)


def predictions() -> Iterator[Row]:
    """How well results are predicted in simulated clubs."""
    for name, club in simulated_clubs.PREDICTED.items():
        loss = fmean(simulated_clubs.log_loss(club, seed) for seed in SEEDS)
        yield Row(f"log-loss, {name}", loss, "", club.at_most, lower_is_better=True)


def inflation() -> Iterator[Row]:
    """Whether players of constant strength keep their rating while others come and go."""
    for name, club in simulated_clubs.INFLATION.items():
        drift = abs(fmean(simulated_clubs.drift(club, seed) for seed in SEEDS))
        yield Row(f"drift of constant players, {name}", drift, "points", club.at_most, lower_is_better=True)


def certainty() -> Iterator[Row]:
    """Whether the error is as large as the deviation says, in clubs of different spreads."""
    for spread in SPREADS:
        for games in GAMES:
            estimates = simulated_clubs.estimate_quality(spread, games, CLUBS)
            what = f"error ÷ deviation, spread {spread} (estimated as {estimates.spread:.0f}), {games} games each"
            # Three games each are too few to estimate the spread of a club: that row has no target.
            yield Row(what, estimates.error, "", ERROR if games > min(GAMES) else None, lower_is_better=True)


def measure_build(folder: Path, results: int) -> dict[str, Any]:
    """Speed and result in a folder with one build of the rating update."""
    command = [sys.executable, "-c", UPDATE, str(PLAYERS), str(results)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def openskill(results: int) -> tuple[str, float | None]:
    """The same kind of results through the fastest of openskill's models."""
    try:
        from openskill import models
    except ImportError:
        return "openskill is not installed here", None
    kinds = (
        models.PlackettLuce,
        models.BradleyTerryFull,
        models.BradleyTerryPart,
        models.ThurstoneMostellerFull,
        models.ThurstoneMostellerPart,
    )
    speeds = {kind.__name__: rated(kind, results) for kind in kinds}
    name = max(speeds, key=lambda name: speeds[name])
    return f"openskill {name}", speeds[name]


def rated(kind: type, results: int) -> float:
    model, rng = kind(), random.Random(1)
    ratings = [model.rating() for _ in range(PLAYERS)]
    tables = [(rng.sample(range(PLAYERS), 4), rng.sample([1, 2, 3, 4], 4)) for _ in range(results)]
    began = time.process_time()
    for who, ranks in tables:
        after = model.rate([[ratings[player]] for player in who], ranks=ranks)
        for player, team in zip(who, after):
            ratings[player] = team[0]
    return results / (time.process_time() - began)
