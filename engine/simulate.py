"""Many random matches in a row: how fast the rules run, how they end, and one checksum over all of it."""

import hashlib
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine import build
from engine.games import game as game_named
from engine.options import resolve
from engine.playout import buffer, playout
from engine.progress import Progress
from engine.rng import stream

BATCH = 32
"""Matches between two readings of the clock: a reading takes as long as a few moves of a compiled match."""


def simulate(
    name: str, players: int, games: int, seed: str, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Play `games` random matches and report. Same arguments, same outcomes and checksum, on every build."""
    game = game_named(name)
    game.start(players, seed, options)  # bad arguments are refused here, with a clear message
    resolved = resolve(game.options, options or {})
    acts, luck, checksum = buffer(), stream(seed, "simulate"), hashlib.sha256()
    moves, reasons, wins = 0, Counter[str](), [0] * players
    spent = 0.0
    with Progress("Playing", games) as bar:
        for first in range(0, games, BATCH):
            batch, states = range(first, min(first + BATCH, games)), []
            began = time.process_time()
            for number in batch:
                state = game.deal(players, f"{seed} {number}", resolved)
                moves += playout(state, luck, acts)
                states.append(state)
            spent += time.process_time() - began
            for state in states:
                outcome = game.outcome(state)
                reasons[outcome.reason] += 1
                for seat in outcome.winners:
                    wins[seat] += 1
                checksum.update(repr(state.ints()).encode())
            bar.at(batch.stop)
    spent = max(spent, 1e-9)
    return {
        "game": name,
        "players": players,
        "games": games,
        "games_per_second": round(games / spent, 1),
        "moves_per_second": round(moves / spent, 1),
        "outcomes": {reason: count / games for reason, count in sorted(reasons.items())},
        "wins_by_seat": [count / games for count in wins],
        "moves_per_game": round(moves / games, 1),
        "checksum": checksum.hexdigest(),
        "build": build.name(),
    }
