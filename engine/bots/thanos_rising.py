"""The house bots of Thanos Rising."""

from typing import cast

from engine.bots.levels import House
from engine.bots.protocol import LEAVE, Bot, Budget, Reflex, Situation
from engine.bots.thanos_play import Beginner, ClubPlay
from engine.bots.thanos_search import Trial
from engine.bots.thanos_worth import token_moment
from engine.rng import stream
from engine.thanos_rising.state import ThanosState


class Planner(Bot):
    """Plays every answer on for some turns in the same worlds with the same dice, and compares how the table stands.

    Out of turn it thinks about its tokens when they can make a difference, not at every die that is put down.
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


HOUSE = House(
    rookie=Reflex(Beginner()),
    regular=Reflex(ClubPlay()),
    expert=Planner(turns=3),
    master=Planner(turns=3),
)
