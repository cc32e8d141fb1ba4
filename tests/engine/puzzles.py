"""A record with a puzzle in it, for tests: a match of bots on a known deal."""

from typing import Any

from engine.analysis import Budget
from engine.analysis.puzzles import bot_match

PLAYERS, SEED = 2, "puzzle 3"
PLY = 15
"""How many moves come before its choice."""
BUDGET = ("small", Budget(worlds=40, most_worlds=40, playouts=20))


def known_record() -> dict[str, Any]:
    return bot_match("infinity-gauntlet", PLAYERS, SEED)


def record_up_to_the_puzzle() -> dict[str, Any]:
    """The same as if it had been resigned after the choice."""
    record = known_record()
    return {**record, "moves": record["moves"][: PLY + 1]}
