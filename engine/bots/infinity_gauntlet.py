"""The house bots of Infinity Gauntlet."""

from engine.bots.gauntlet_play import Beginner, ClubPlay
from engine.bots.gauntlet_search import Beliefs, Trial
from engine.bots.levels import House
from engine.bots.protocol import Bot, Budget, Reflex, Situation
from engine.infinity_gauntlet import cards
from engine.rng import stream

NOTHING = -1

DOUBT = 0.1
"""How far from their best the others are thought to play, in lives of the heroes."""

WHIM = 0.05
"""Answers that differ by less are chosen between by lot in playouts."""

SURELY = 3.0
"""An answer is dropped when it is this many standard errors behind the best."""

TRUST_AS_THANOS = 2.0
TRUST_AS_HERO = 20.0
"""How many wins a life of the club player's judgement counts as; it is the better judge of a hero's answers."""


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


class Thinker(Bot):
    """Tries each answer in worlds that it believes in, and plays them on as a club player would."""

    def __init__(self) -> None:
        self.policy = ClubPlay(WHIM)

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        if len(seen.legal) == 1:
            return seen.legal[0]
        beliefs = Beliefs(seen.imagined.state, seen.seat, last_plays(seen), DOUBT)
        trust = TRUST_AS_HERO if seen.seat else TRUST_AS_THANOS
        trial = Trial(beliefs, self.policy, stream(seed, "trial"), trust)
        trial.run(budget.iterations, budget.seconds, SURELY)
        return int(trial.best())


HOUSE = House(
    rookie=Reflex(Beginner()),
    regular=Reflex(ClubPlay()),
    expert=Thinker(),
    master=Thinker(),
)
