"""How many puzzles matches of bots give, and whether they hold: confirmed as the site does, then judged once more.

In `deploy.bench.analysis`: `yield from puzzle_yield.rows(folder, quick=quick)`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

from deploy.bench import Row

GAME, PLAYERS = "infinity-gauntlet", 4
MATCHES, QUICK = 100, 1
FOUND, HOLD = 40, 95

PROGRAM = """
import json, sys
import engine
from engine.analysis.judges import METHODS
from engine.analysis.puzzles import DEEPER, bot_match, equals_of_best, find_puzzles, is_puzzle, tried
from engine.bots import Situation
asked = json.load(sys.stdin)
method = METHODS[asked["game"]]
for number in range(asked["matches"]):
    held = []
    for puzzle in find_puzzles(bot_match(asked["game"], asked["players"], f"yield {number}")):
        seen = Situation(engine.replay(puzzle["document"]), puzzle["seat"])
        table = tried(seen, method, DEEPER * method.standard.worlds, f"again {number}")
        right = {place for place, answer in enumerate(puzzle["answers"]) if answer["right"]}
        held.append(is_puzzle(table, seen.legal, set()) and equals_of_best(table) == right)
    print(json.dumps(held), flush=True)
"""


def rows(folder: Path, *, quick: bool = False) -> Iterator[Row]:
    matches = QUICK if quick else MATCHES
    asked = json.dumps({"game": GAME, "players": PLAYERS, "matches": matches})
    env = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-P", "-c", PROGRAM]
    done = subprocess.run(command, input=asked, env=env, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    held = [json.loads(line) for line in done.stdout.splitlines()]
    found = sum(map(len, held))
    error = 196 * sqrt(found) / matches
    name = f"{GAME}, {PLAYERS} seats: puzzles that Regular misses"
    yield Row(f"{name}, in 100 matches", 100 * found / matches, "", FOUND, f"± {error:.0f}, {matches} matches")
    share = 100 * sum(map(sum, held)) / max(1, found)
    yield Row(f"{name}, the same once more at ten times the worlds", share, "%", HOLD, f"{found} puzzles")
