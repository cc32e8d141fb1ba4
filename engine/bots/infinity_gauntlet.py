"""The house bots of Infinity Gauntlet."""

from librt.vecs import vec
from mypy_extensions import i64

from engine.bots.gauntlet_play import Beginner, ClubPlay
from engine.bots.gauntlet_search import Beliefs, Trial
from engine.bots.levels import House
from engine.bots.protocol import Bot, Budget, Reflex, Situation
from engine.infinity_gauntlet import cards
from engine.rng import stream

NOTHING = -1


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

    def __init__(self, doubt: float = 0.1, surely: float = 3.0, trust: float = 5.0, whim: float = 0.05) -> None:
        self.policy = ClubPlay(whim)
        self.doubt = doubt
        self.surely = surely
        self.trust = trust

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        if len(seen.legal) == 1:
            return seen.legal[0]
        rng = stream(seed, "trial")
        beliefs = Beliefs(seen.imagined.state, seen.seat, vec[i64](last_plays(seen)), self.doubt)
        trial = Trial(beliefs, self.policy, rng, self.trust)
        trial.run(budget.iterations, budget.seconds, self.surely)
        return int(trial.best())


HOUSE = House(
    rookie=Reflex(Beginner()),
    regular=Reflex(ClubPlay()),
    expert=Thinker(),
    master=Thinker(),
)
