"""How fast the rules run: random matches a second, compiled and interpreted, beside OpenSpiel's C++ loop."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

import engine
from deploy.bench import Row
from engine import build

REACH = {
    ("splendor-marvel", 2): 30_000,
    ("splendor-marvel", 3): None,
    ("splendor-marvel", 4): 15_000,
    **{("infinity-gauntlet", players): 100_000 for players in range(2, 7)},
    **{("thanos-rising", players): 20_000 for players in range(2, 5)},
}
"""Compiled random matches a second that each table should reach."""

INTERPRETED_REACH = {("splendor-marvel", 2): 1_200}

CHECKED = 1_000
"""Matches a game whose checksum both builds must share."""


SEARCH = """
import time, engine
from engine.bots.protocol import Situation
from engine.bots.search import Policy, Search
from engine.rng import stream
sampler = Situation(engine.game("splendor-marvel").start(2, "bench"), 0).sampler
best = 0.0
for _ in range(3):
    search, began = Search(sampler, Policy(), stream("bench", "search")), time.process_time()
    search.run(20_000, 0.0)
    best = max(best, 20_000 / (time.process_time() - began))
print(best)
"""
"""Information-set tree search with random playouts, from the first decision."""


def simulated(folder: Path, name: str, players: int, games: int) -> dict[str, object]:
    """What `python -m engine simulate` says in a folder that holds one build of the engine."""
    table = [name, "--players", str(players), "--games", str(games)]
    command = [sys.executable, "-m", "engine", "simulate", *table, "--json"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(said.stdout))


def told(folder: Path, script: str) -> str:
    """What a script prints in a folder that holds one build of the engine."""
    return subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True).stdout


def builds() -> tuple[Path, Path]:
    """Two folders: one with the compiled engine, one with the interpreted."""
    compiled = settings.VAR / "build" / "compiled"
    build.compile_into(compiled)
    interpreted = settings.VAR / "build" / "interpreted"
    build.copy_into(interpreted)
    return compiled, interpreted


def best(folder: Path, name: str, players: int, games: int) -> float:
    """Games a second, the best of three runs: the machine's other work only ever slows one down."""
    return max(float(str(simulated(folder, name, players, games)["games_per_second"])) for _ in range(3))


def rows() -> Iterator[Row]:
    compiled, interpreted = builds()
    peer, peer_speed = fastest_peer()
    yield Row(
        "splendor-marvel, 2 seats, tree search from the deal",
        float(told(compiled, SEARCH)),
        "iter/s",
        30_000,
        *searching_peer(),
    )
    for name in engine.GAMES:
        for players in engine.game(name).players:
            table = f"{name}, {players} seats"
            fast = best(compiled, name, players, 20_000)
            slow = best(interpreted, name, players, 400)
            yield Row(f"{table}, compiled", fast, "games/s", REACH.get((name, players)), peer, peer_speed)
            reach = INTERPRETED_REACH.get((name, players))
            yield Row(f"{table}, interpreted", slow, "games/s", reach, peer, peer_speed)
            yield Row(f"{table}, compiled ÷ interpreted", fast / slow, "times", 10)
            sums = {simulated(folder, name, players, CHECKED)["checksum"] for folder in (compiled, interpreted)}
            yield Row(f"{table}, checksums of {CHECKED:,} matches", len(sums), "", 1, lower_is_better=True)


def fastest_peer() -> tuple[str, float | None]:
    """OpenSpiel playing hanabi at random in its own C++ loop, the fastest hidden-information card game it has."""
    try:
        import pyspiel
    except ImportError:
        return "OpenSpiel is not installed here", None
    game = pyspiel.load_game("hanabi")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    played, began = 0, time.process_time()
    while time.process_time() - began < 2:
        for _ in range(50):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, played)
            played += 1
    return "OpenSpiel hanabi", played / (time.process_time() - began)


def searching_peer() -> tuple[str, float | None]:
    """OpenSpiel's own information-set tree search in gin rummy, the game of its collection nearest in length."""
    try:
        import pyspiel
    except ImportError:
        return "OpenSpiel is not installed here", None
    game, simulations = pyspiel.load_game("gin_rummy"), 500
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    bot = pyspiel.ISMCTSBot(
        1,
        pyspiel.RandomRolloutEvaluator(1, 1),
        2.0,
        simulations,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )
    began = time.process_time()
    bot.step(state)
    return "OpenSpiel IS-MCTS, gin rummy", simulations / (time.process_time() - began)
