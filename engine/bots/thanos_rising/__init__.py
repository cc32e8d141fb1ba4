"""The bots of Thanos Rising, one for each level."""

from typing import cast

from engine.bots.levels import BotLevels, Level
from engine.bots.protocol import LEAVE, Bot, Budget, Mixed, Reflex, Situation
from engine.bots.thanos_rising.evaluation import token_moment
from engine.bots.thanos_rising.policies import Beginner, ClubPlay
from engine.bots.thanos_rising.search import Trial
from engine.rng import stream
from engine.thanos_rising.state import ThanosState


class Planner(Bot):
    """Tries every answer in the same worlds with the same dice for some turns, and compares the chances to win.

    Out of turn it considers its tokens only when they can make a difference, not after every die.
    """

    def __init__(self, turns: int, surely: float = 3.0) -> None:
        self.policy = ClubPlay()
        self.turns = turns
        self.surely = surely

    def thinks(self, seen: Situation) -> bool:
        if seen.to_act == seen.seat:
            return len(seen.legal) > 1
        return token_moment(cast(ThanosState, seen.imagined.state))

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        if not self.thinks(seen):
            return seen.legal[0] if seen.to_act == seen.seat else LEAVE
        trial = Trial(seen.sampler, self.policy, stream(seed, "trial"), self.turns)
        trial.run(budget.iterations, budget.seconds, self.surely)
        return int(trial.best())


ROOKIE, REGULAR = Reflex(Beginner()), Reflex(ClubPlay())

BOTS = BotLevels(
    rookie=ROOKIE,
    regular=REGULAR,
    expert=Planner(turns=3),
    master=Planner(turns=3),
    # The tables in docs/bots/thanos-rising.md say what each step is worth.
    ladder=(
        Level(Mixed(REGULAR, ROOKIE, slips=0.6), strength=-495),
        Level(Mixed(REGULAR, ROOKIE, slips=0.5), strength=-370),
        Level(Mixed(REGULAR, ROOKIE, slips=0.4), strength=-245),
        Level(Mixed(REGULAR, ROOKIE, slips=0.3), strength=-120),
        Level(Mixed(REGULAR, ROOKIE, slips=0.2), strength=5),
        Level(Mixed(REGULAR, ROOKIE, slips=0.1), strength=130),
        Level(REGULAR, strength=255),
        Level(Planner(turns=3), Budget(iterations=2000, seconds=4.5, share=0.15), strength=370),
    ),
)
