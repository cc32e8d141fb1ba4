"""Bots for every game; a bot sees only what its seat may know."""

from engine.bots.levels import BUDGETS, LEVELS, VERSION, BotLevels, bot
from engine.bots.protocol import LEAVE, Bot, Budget, RandomBot, Reflex, Searcher, Situation

__all__ = [
    "BUDGETS",
    "LEAVE",
    "LEVELS",
    "VERSION",
    "Bot",
    "BotLevels",
    "Budget",
    "RandomBot",
    "Reflex",
    "Searcher",
    "Situation",
    "bot",
]
