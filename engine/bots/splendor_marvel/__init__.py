"""The bots of Splendor: Marvel, one for each level."""

from engine.bots.levels import BotLevels
from engine.bots.protocol import Reflex, Searcher
from engine.bots.splendor_marvel.policies import Beginner, Eager, ValuePlay

BOTS = BotLevels(
    rookie=Reflex(Beginner()),
    regular=Reflex(ValuePlay()),
    expert=Searcher(Eager()),
    master=Searcher(Eager()),
)
