"""The site's own bots: four levels for each game."""

from dataclasses import dataclass
from functools import cache

from engine.bots.protocol import Bot, Budget, RandomBot
from engine.errors import OptionError, quoted
from engine.games import bots_of
from engine.games import game as game_named

LEVELS = ("rookie", "regular", "expert", "master")

VERSION = 4
"""Grows when a level plays differently: another version is another player, with a rating of its own."""

BUDGETS = {
    "rookie": Budget(iterations=1),
    "regular": Budget(iterations=1),
    "expert": Budget(seconds=1.0),
    "master": Budget(seconds=5.0),
}
"""How long each level may think about a move."""


@dataclass(frozen=True)
class BotLevels:
    """A game's four bots, as its module in this folder makes them."""

    rookie: Bot
    regular: Bot
    expert: Bot
    master: Bot


@cache
def bot(name: str, level: str) -> Bot:
    """The bot of a level, one that plays at random where a game has none; `OptionError` names the levels there are."""
    game = game_named(name)
    if level not in LEVELS:
        raise OptionError("level", f"there is no {quoted(level)}; there are {', '.join(LEVELS)}")
    levels = bots_of(game.name)
    return RandomBot() if levels is None else vars(levels)[level]
