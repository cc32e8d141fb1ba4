"""How fast results become ratings: four-seat results a second and core, beside openskill in the same run."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from deploy.bench import Row, builds

PLAYERS = 1_000
REACH = 250_000
AHEAD = 5

FOLD = """
import hashlib, json, random, sys, time
from leagues.ratings import fold
players, results = map(int, sys.argv[1:])
rng = random.Random(1)
tables = [(rng.sample(range(players), 4), rng.sample([1, 2, 3, 4], 4)) for _ in range(results)]
best = 0.0
for _ in range(3):
    pool = fold.FreeForAll()
    for _ in range(players):
        pool.join(False)
    began = time.process_time()
    for who, ranks in tables:
        pool.play(who, ranks, True)
    best = max(best, results / (time.process_time() - began))
digest = hashlib.sha256(repr((pool.rating, pool.offsets)).encode()).hexdigest()
print(json.dumps({"speed": best, "build": fold.__file__.rpartition(".")[2], "digest": digest}))
"""
"""The whole fold of a pool: K, seat offsets and rounding included."""


def rows(*, quick: bool = False) -> Iterator[Row]:
    results, peer_results = (500, 20) if quick else (200_000, 4_000)
    compiled = folded(builds.compiled_folder(), results)
    interpreted = folded(builds.interpreted_folder(), results)
    if compiled["build"] == interpreted["build"]:
        raise AssertionError("both builds are the same one; their speeds mean nothing")
    peer, peer_speed = openskill(peer_results)
    speed = float(str(compiled["speed"]))
    yield Row("rating fold, four seats, compiled", speed, "res/s", REACH, peer, peer_speed)
    yield Row("rating fold, four seats, interpreted", float(str(interpreted["speed"])), "res/s", None, peer, peer_speed)
    if peer_speed is not None:
        yield Row("rating fold, compiled ÷ openskill", speed / peer_speed, "times", AHEAD)
    same = len({compiled["digest"], interpreted["digest"]})
    yield Row(f"rating fold, digests of {results:,} results", same, "", 1, lower_is_better=True)


def folded(folder: Path, results: int) -> dict[str, object]:
    """Speed and result in a folder that holds one build of the fold."""
    command = [sys.executable, "-c", FOLD, str(PLAYERS), str(results)]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(said.stdout))


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
