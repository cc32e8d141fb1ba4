"""How fast the rules run: random matches a second, compiled and interpreted, compared with OpenSpiel's C++ loop."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import engine
from deploy.bench import Row, builds

TARGETS = {
    ("splendor-marvel", 2): 30_000,
    ("splendor-marvel", 3): None,
    ("splendor-marvel", 4): 15_000,
    **{("infinity-gauntlet", players): 100_000 for players in range(2, 7)},
    **{("thanos-rising", players): 20_000 for players in range(2, 5)},
}
"""Random matches a second that the compiled engine should reach, by game and number of players."""

INTERPRETED_TARGETS = {("splendor-marvel", 2): 1_200}


@dataclass(frozen=True)
class Size:
    """How much is played and searched."""

    compiled: int = 20_000
    interpreted: int = 400
    # Matches whose checksum must be the same in both builds.
    checked: int = 1_000
    # Steps of the tree search.
    steps: int = 20_000
    runs: int = 3
    # How many player counts of each game; None: all.
    tables: int | None = None


QUICK = Size(compiled=50, interpreted=5, checked=5, steps=50, runs=1, tables=1)

SEARCH = """
import sys, time, engine
from engine.bots.protocol import Situation
from engine.bots.tree_search import Policy, Search
from engine.rng import stream
sampler = Situation(engine.game("splendor-marvel").start(2, "bench"), 0).sampler
best, steps = 0.0, int(sys.argv[1])
for _ in range(int(sys.argv[2])):
    search, began = Search(sampler, Policy(), stream("bench", "search")), time.process_time()
    search.run(steps, 0.0)
    best = max(best, steps / (time.process_time() - began))
print(best)
"""
"""Information-set tree search with random playouts, from the first decision."""


def simulated(folder: Path, name: str, players: int, games: int) -> dict[str, object]:
    """The output of `python -m engine simulate` in a folder with one build of the engine."""
    table = [name, "--players", str(players), "--games", str(games)]
    command = [sys.executable, "-m", "engine", "simulate", *table, "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def searched(folder: Path, size: Size) -> float:
    """Steps of a tree search a second, in a folder with one build of the engine."""
    command = [sys.executable, "-c", SEARCH, str(size.steps), str(size.runs)]
    return float(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


def best(folder: Path, name: str, players: int, games: int, runs: int) -> float:
    """Games a second, the best of several runs: other work on the machine can only slow a run down."""
    return max(float(str(simulated(folder, name, players, games)["games_per_second"])) for _ in range(runs))


def rows(*, quick: bool = False) -> Iterator[Row]:
    size = QUICK if quick else Size()
    compiled, interpreted = builds.compiled_folder(), builds.interpreted_folder()
    peer, peer_speed = fastest_peer(seconds=0.1 if quick else 2)
    yield Row(
        "splendor-marvel, 2 seats, tree search from the deal",
        searched(compiled, size),
        "iter/s",
        30_000,
        *searching_peer(20 if quick else 500),
    )
    for name in engine.GAMES:
        for players in engine.game(name).players[: size.tables]:
            table = f"{name}, {players} seats"
            fast = best(compiled, name, players, size.compiled, size.runs)
            slow = best(interpreted, name, players, size.interpreted, size.runs)
            yield Row(f"{table}, compiled", fast, "games/s", TARGETS.get((name, players)), peer, peer_speed)
            target = INTERPRETED_TARGETS.get((name, players))
            yield Row(f"{table}, interpreted", slow, "games/s", target, peer, peer_speed)
            yield Row(f"{table}, compiled ÷ interpreted", fast / slow, "times", 10)
            sums = {simulated(folder, name, players, size.checked)["checksum"] for folder in (compiled, interpreted)}
            yield Row(f"{table}, checksums of {size.checked:,} matches", len(sums), "", 1, lower_is_better=True)


def fastest_peer(seconds: float) -> tuple[str, float | None]:
    """OpenSpiel playing hanabi at random in its own C++ loop, the fastest hidden-information card game it has."""
    try:
        import pyspiel
    except ImportError:
        return "OpenSpiel is not installed here", None
    game = pyspiel.load_game("hanabi")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    played, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(50):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, played)
            played += 1
    return "OpenSpiel hanabi", played / (time.process_time() - began)


def searching_peer(simulations: int) -> tuple[str, float | None]:
    """OpenSpiel's own information-set tree search in gin rummy, the game of its collection nearest in length."""
    try:
        import pyspiel
    except ImportError:
        return "OpenSpiel is not installed here", None
    game = pyspiel.load_game("gin_rummy")
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
