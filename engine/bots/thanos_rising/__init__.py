"""The bots of Thanos Rising, one for each level."""

from typing import cast

from engine.bots.levels import BotLevels
from engine.bots.protocol import LEAVE, Bot, Budget, Reflex, Situation
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

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        if seen.to_act != seen.seat and not token_moment(cast(ThanosState, seen.imagined.state)):
            return LEAVE
        if seen.to_act == seen.seat and len(seen.legal) == 1:
            return seen.legal[0]
        trial = Trial(seen.sampler, self.policy, stream(seed, "trial"), self.turns)
        trial.run(budget.iterations, budget.seconds, self.surely)
        return int(trial.best())


BOTS = BotLevels(
    rookie=Reflex(Beginner()),
    regular=Reflex(ClubPlay()),
    expert=Planner(turns=3),
    master=Planner(turns=3),
)
