"""Bots for every game; a bot sees only what its seat may know."""

from engine.bots.levels import (
    EARLIER,
    FIRST,
    LADDER,
    LEVELS,
    VERSIONS,
    BotLevels,
    Level,
    bot,
    budget,
    level_of,
    neighbour,
)
from engine.bots.protocol import LEAVE, Bot, Budget, Mixed, RandomBot, Reflex, Searcher, Situation

__all__ = [
    "EARLIER",
    "FIRST",
    "LADDER",
    "LEAVE",
    "LEVELS",
    "VERSIONS",
    "Bot",
    "BotLevels",
    "Budget",
    "Level",
    "Mixed",
    "RandomBot",
    "Reflex",
    "Searcher",
    "Situation",
    "bot",
    "budget",
    "level_of",
    "neighbour",
]
