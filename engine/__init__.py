"""The rules engine: one library that runs every match, on the site or alone in a terminal.

import engine
match = engine.game("splendor-marvel").start(players=2, seed="any text")
while match.to_act is not None:
    match.play(match.legal()[0])
print(match.outcome)
"""

from engine.errors import EngineError, IllegalAction, OptionError, TranscriptError, UnknownGame
from engine.games import GAMES, game, register
from engine.kernel import Entry, Game, Match, Outcome, Scoring
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
    "Scoring",
    "TranscriptError",
    "UnknownGame",
    "game",
    "register",
    "replay",
]
