"""Ratings: how fast results become ratings, how well they foresee, whether they keep still, and how sure they are."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from django.conf import settings

from deploy import fast
from deploy.bench import Row, worlds

PLAYERS = 1_000
RESULTS = 200_000
PEER_RESULTS = 4_000
AHEAD = 5
# Without variances (method 1) it was 505 900, 507 700 and 937 200 on a two-core machine. These are below half of that,
# so that a busy machine reaches them, too.
REACH = {"everyone against everyone": 200_000, "one against three": 200_000, "all together": 350_000}
SEEDS = range(3)
SPREADS, GAMES, CLUBS = (100, 150, 200, 250), (3, 10, 30), 200
ERROR = 1.2

FOLD = f"""
import hashlib, json, random, time
from leagues.ratings import fold
rng = random.Random(1)
four = [(rng.sample(range({PLAYERS}), 4), rng.sample([1, 2, 3, 4], 4)) for _ in range({RESULTS})]
sides = [(who, rng.choice(([1, 2, 2, 2], [2, 1, 1, 1]))) for who, _ranks in four]
teams = [(who, [rng.choice((1, 2))] * 4) for who, _ranks in four]
speeds, ends = [], []
for kind, tables in ((fold.FreeForAll, four), (fold.OneVsMany, sides), (fold.Cooperative, teams)):
    best = 0.0
    for _ in range(3):
        pool = kind()
        for _ in range({PLAYERS}):
            pool.join(False)
        more = (pool.lay(1_500_000),) if kind is fold.Cooperative else ()
        began = time.process_time()
        for number, (who, ranks) in enumerate(tables):
            pool.play(who, ranks, *more, True, number // {PLAYERS})
        best = max(best, {RESULTS} / (time.process_time() - began))
    speeds.append(best)
    ends.append((pool.rating, pool.variance, pool.entry, pool.learned))
digest = hashlib.sha256(repr(ends).encode()).hexdigest()
print(json.dumps({{"speeds": speeds, "build": fold.__file__.rpartition(".")[2], "digest": digest}}))
"""
"""The whole fold of a pool, four seats a table: variances, days, offsets and rounding included."""


def rows() -> Iterator[Row]:
    yield from speeds()
    yield from predictions()
    yield from inflation()
    yield from certainty()


def speeds() -> Iterator[Row]:
    compiled = folded(fast.compile_into(settings.VAR / "build" / "ratings-compiled"))
    interpreted = folded(fast.copy_into(settings.VAR / "build" / "ratings-interpreted"))
    if compiled["build"] == interpreted["build"]:
        raise AssertionError("both builds are the same one; their speeds mean nothing")
    peer, peer_speed = openskill()
    for at, (kind, reach) in enumerate(REACH.items()):
        beside = (peer, peer_speed) if at == 0 else ("", None)
        yield Row(f"rating fold, {kind}, compiled", compiled["speeds"][at], "res/s", reach, *beside)
        yield Row(f"rating fold, {kind}, interpreted", interpreted["speeds"][at], "res/s", None, *beside)
    if peer_speed is not None:
        yield Row("rating fold, compiled ÷ openskill", compiled["speeds"][0] / peer_speed, "times", AHEAD)
    same = len({compiled["digest"], interpreted["digest"]})
    yield Row(f"rating fold, digests of 3 × {RESULTS:,} results", same, "", 1, lower_is_better=True)


def predictions() -> Iterator[Row]:
    """How well results are foreseen in simulated clubs."""
    for name, club in worlds.PREDICTED.items():
        found = fmean(worlds.log_loss(club, seed) for seed in SEEDS)
        yield Row(f"log-loss, {name}", found, "", club.at_most, lower_is_better=True)


def inflation() -> Iterator[Row]:
    """Whether constant players keep their numbers while others come and go."""
    for name, club in worlds.INFLATION.items():
        found = abs(fmean(worlds.drift(club, seed) for seed in SEEDS))
        yield Row(f"drift of constant players, {name}", found, "points", club.at_most, lower_is_better=True)


def certainty() -> Iterator[Row]:
    """Whether beliefs are off by as much as they say, in clubs that spread more or less than a newcomer's deviation."""
    for spread in SPREADS:
        for games in GAMES:
            found = worlds.beliefs(spread, games, CLUBS)
            what = f"error ÷ deviation, spread {spread} (taken for {found.spread:.0f}), {games} games each"
            # Three games each are too few to see how far a club spreads: that row is only shown.
            yield Row(what, found.error, "", ERROR if games > min(GAMES) else None, lower_is_better=True)


def folded(folder: Path) -> dict[str, Any]:
    """Speed and result in a folder that holds one build of the fold."""
    said = subprocess.run([sys.executable, "-c", FOLD], cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(said.stdout))


def openskill() -> tuple[str, float | None]:
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
    speeds = {kind.__name__: rated(kind) for kind in kinds}
    name = max(speeds, key=lambda name: speeds[name])
    return f"openskill {name}", speeds[name]


def rated(kind: type) -> float:
    model, rng = kind(), random.Random(1)
    ratings = [model.rating() for _ in range(PLAYERS)]
    tables = [(rng.sample(range(PLAYERS), 4), rng.sample([1, 2, 3, 4], 4)) for _ in range(PEER_RESULTS)]
    began = time.process_time()
    for who, ranks in tables:
        after = model.rate([[ratings[player]] for player in who], ranks=ranks)
        for player, team in zip(who, after):
            ratings[player] = team[0]
    return PEER_RESULTS / (time.process_time() - began)
