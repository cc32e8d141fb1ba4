"""The bots of Splendor: Marvel, one for each level."""

from engine.bots.levels import BotLevels, Level
from engine.bots.protocol import Budget, Mixed, Reflex, Searcher
from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.splendor_marvel.policies import Beginner, FittedPlay, ValuePlay
from engine.bots.splendor_marvel.weights import FITTED

EXPLORE = 0.3
"""Less than where leaves are played to the end: a fitted value is not as noisy."""

SEARCH = Searcher(FittedPlay(FittedValue(FITTED)), EXPLORE)

ROOKIE, REGULAR = Reflex(Beginner()), Reflex(ValuePlay())


def searching(iterations: int, strength: int) -> Level:
    return Level(SEARCH, Budget(iterations, seconds=4.5, share=0.5), strength)


BOTS = BotLevels(
    rookie=ROOKIE,
    regular=REGULAR,
    expert=SEARCH,
    master=SEARCH,
    # The tables in docs/bots/splendor-marvel.md say what each step is worth.
    ladder=(
        Level(Mixed(REGULAR, ROOKIE, slips=0.3), strength=-525),
        Level(Mixed(REGULAR, ROOKIE, slips=0.12), strength=-375),
        Level(REGULAR, strength=-225),
        searching(30, -75),
        searching(80, 75),
        searching(200, 225),
        searching(600, 375),
        searching(2000, 525),
    ),
)
