"""Bots: good company that never sees what its seat may not know."""

from engine.bots.levels import BUDGETS, LEVELS, VERSION, House, bot
from engine.bots.protocol import LEAVE, Bot, Budget, Reflex, Searcher, Situation

__all__ = [
    "BUDGETS",
    "LEAVE",
    "LEVELS",
    "VERSION",
    "Bot",
    "Budget",
    "House",
    "Reflex",
    "Searcher",
    "Situation",
    "bot",
]
