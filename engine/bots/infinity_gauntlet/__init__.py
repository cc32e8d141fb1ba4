"""The bots of Infinity Gauntlet, one for each level."""

from engine.bots.infinity_gauntlet.policies import Beginner, ClubPlay
from engine.bots.infinity_gauntlet.search import Beliefs, Trial
from engine.bots.levels import BotLevels, Level
from engine.bots.protocol import Bot, Budget, Mixed, RandomBot, Reflex, Situation
from engine.infinity_gauntlet import cards
from engine.rng import stream

NOTHING = -1

UNCERTAINTY = 0.1
"""How much worse than their best move the others are assumed to play, in lives of the heroes."""

RANDOM_MARGIN = 0.05
"""In playouts, a random choice is made between answers whose values differ by less."""

SURELY = 3.0
"""An answer is dropped when it is this many standard errors behind the best."""

TRUST_AS_THANOS = 2.0
TRUST_AS_HERO = 20.0
"""How many wins one life in the policy's estimate counts for; it estimates a hero's answers better."""


def last_plays(seen: Situation) -> list[int]:
    """The card each seat played last, if what it kept then is still its hand."""
    plays = [NOTHING] * seen.imagined.players
    for event in seen.events:
        if event["event"] == "played":
            names = cards.HERO_IDS if event["seat"] else cards.THANOS_IDS
            plays[event["seat"]] = names.index(event["card"])
        elif event["event"] in ("defeated", "bottomed"):
            plays[event["seat"]] = NOTHING
    return plays


class TrialBot(Bot):
    """Tries each answer in likely worlds, and plays each world to its end by the club player's policy."""

    def __init__(self) -> None:
        self.policy = ClubPlay(RANDOM_MARGIN)

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        if len(seen.legal) == 1:
            return seen.legal[0]
        beliefs = Beliefs(seen.imagined.state, seen.seat, last_plays(seen), UNCERTAINTY)
        trust = TRUST_AS_HERO if seen.seat else TRUST_AS_THANOS
        trial = Trial(beliefs, self.policy, stream(seed, "trial"), trust)
        trial.run(budget.iterations, budget.seconds, SURELY)
        return int(trial.best())


ROOKIE, REGULAR = Reflex(Beginner()), Reflex(ClubPlay())

BOTS = BotLevels(
    rookie=ROOKIE,
    regular=REGULAR,
    expert=TrialBot(),
    master=TrialBot(),
    # The tables in docs/bots/infinity-gauntlet.md say what each step is worth.
    ladder=(
        Level(RandomBot(), strength=-375),
        Level(Mixed(REGULAR, ROOKIE, slips=0.96), strength=-292),
        Level(Mixed(REGULAR, ROOKIE, slips=0.66), strength=-208),
        Level(Mixed(REGULAR, ROOKIE, slips=0.42), strength=-125),
        Level(Mixed(REGULAR, ROOKIE, slips=0.235), strength=-41),
        Level(Mixed(REGULAR, ROOKIE, slips=0.05), strength=42),
        Level(TrialBot(), Budget(iterations=300, seconds=4.5, share=0.5), strength=130),
        Level(TrialBot(), Budget(iterations=12000, seconds=4.5, share=0.5), strength=209),
    ),
)
