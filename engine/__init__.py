"""The shared engine: one library that runs every match, alone or inside the site.

import engine
match = engine.game("splendor-marvel").start(players=2, seed="any text")
while match.to_act is not None:
    match.play(match.legal()[0])
print(match.outcome)
"""

from engine.errors import EngineError, IllegalAction, OptionError, TranscriptError, UnknownGame
from engine.games import GAMES, game
from engine.kernel import Entry, Game, Match, Outcome
from engine.options import Option
from engine.transcript import replay

__all__ = [
    "GAMES",
    "EngineError",
    "Entry",
    "Game",
    "IllegalAction",
    "Match",
    "Option",
    "OptionError",
    "Outcome",
    "TranscriptError",
    "UnknownGame",
    "game",
    "replay",
]
