"""The bots of Splendor: Marvel, one for each level."""

from engine.bots.levels import BotLevels
from engine.bots.protocol import Reflex, Searcher
from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.splendor_marvel.policies import Beginner, FittedPlay, ValuePlay
from engine.bots.splendor_marvel.weights import FITTED

EXPLORE = 0.3
"""Less than where leaves are played to the end: a fitted value is not as noisy."""

SEARCH = Searcher(FittedPlay(FittedValue(FITTED)), EXPLORE)

BOTS = BotLevels(
    rookie=Reflex(Beginner()),
    regular=Reflex(ValuePlay()),
    expert=SEARCH,
    master=SEARCH,
)
