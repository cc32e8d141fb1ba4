"""The bots of Splendor: Marvel, one for each level."""

from engine.bots.levels import BotLevels, Level
from engine.bots.protocol import Bot, Budget, Mixed, Reflex, Searcher, Situation
from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.splendor_marvel.policies import Beginner, FittedPlay, ValuePlay
from engine.bots.splendor_marvel.weights import FITTED
from engine.rng import stream
from engine.splendor_marvel.legal_moves import RESERVE, STOP, TAKE_TOKEN

EXPLORE = 0.3
"""Less than where leaves are played to the end: a fitted value is not as noisy."""

SEARCH = Searcher(FittedPlay(FittedValue(FITTED)), EXPLORE)

ROOKIE, REGULAR = Reflex(Beginner()), Reflex(ValuePlay())


class Opener(Bot):
    """Plays as another bot, but takes tokens in its first turn, as people do, where that one would reserve."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        action = self.bot.choose(seen, budget, seed)
        tokens = [each for each in seen.legal if TAKE_TOKEN <= each < STOP]
        if seen.imagined.turns[seen.seat] or not RESERVE <= action < TAKE_TOKEN or not tokens:
            return action
        return tokens[int(stream(seed, "opening").below(len(tokens)))]


CLUB_PLAYER, SEARCHER = Opener(REGULAR), Opener(SEARCH)


def searching(iterations: int, strength: int, slips: float = 0.0) -> Level:
    bot = Mixed(SEARCHER, CLUB_PLAYER, slips) if slips else SEARCHER
    return Level(bot, Budget(iterations, seconds=4.5, share=0.5), strength)


BOTS = BotLevels(
    rookie=ROOKIE,
    regular=REGULAR,
    expert=SEARCH,
    master=SEARCH,
    # The tables in docs/bots/splendor-marvel.md say what each step is worth.
    ladder=(
        Level(Mixed(CLUB_PLAYER, ROOKIE, slips=0.6), strength=-530),
        Level(CLUB_PLAYER, strength=-375),
        searching(20, -275, slips=0.83),
        searching(20, -117, slips=0.56),
        searching(20, 63, slips=0.24),
        searching(20, 205),
        searching(600, 344),
        searching(6000, 427),
    ),
)
