"""The house bots: four levels for each game."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from engine.bots.protocol import Bot, Budget
from engine.errors import OptionError, quoted
from engine.games import game as game_named

LEVELS = ("rookie", "regular", "expert", "master")

VERSION = 3
"""Grows when a level plays differently: another version is another player, with a rating of its own."""

BUDGETS = {
    "rookie": Budget(iterations=1),
    "regular": Budget(iterations=1),
    "expert": Budget(seconds=1.0),
    "master": Budget(seconds=5.0),
}
"""How long each level may think about a move."""


@dataclass(frozen=True)
class House:
    """A game's four bots, as its module in this folder makes them."""

    rookie: Bot
    regular: Bot
    expert: Bot
    master: Bot


@cache
def bot(name: str, level: str) -> Bot:
    """The house bot of a level; `OptionError` names the levels there are."""
    game = game_named(name)
    if level not in LEVELS:
        raise OptionError("level", f"there is no {quoted(level)}; there are {', '.join(LEVELS)}")
    house: House = import_module(f"engine.bots.{game.name.replace('-', '_')}").HOUSE
    return vars(house)[level]  # type: ignore[no-any-return]
