"""What a bot is told, and what it is: the same object in the terminal, in a simulation and in a worker."""

from dataclasses import dataclass
from typing import Any

from engine.bots.search import Policy, Sampler, Search, first_thought
from engine.kernel import Match
from engine.rng import stream

LEAVE = -1
"""A bot's answer when it may act aside and would rather not."""


class Situation:
    """All that a bot gets to see: what its seat may know, its legal actions, and worlds drawn from that knowledge.

    It is made of an imagined match, so that not even a bot that pries can find the truth in it; and two matches that
    look alike to a seat give it equal situations.
    """

    def __init__(self, match: Match, seat: int) -> None:
        self.seat = seat
        self.imagined = match.imagine(seat, "situation")
        self.to_act = self.imagined.to_act
        self.legal = self.imagined.legal(seat)
        self.sampler = Sampler(self.imagined.state, seat)

    @property
    def view(self) -> dict[str, Any]:
        return self.imagined.view(self.seat)

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.imagined.events(self.seat)


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: so many iterations (the same answer every time), or so many seconds; 0 is no limit."""

    iterations: int = 0
    seconds: float = 0.0


class Bot:
    """Chooses one of a situation's legal actions, or `LEAVE` where it acts aside."""

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        raise NotImplementedError


class Reflex(Bot):
    """Plays a policy's first thought."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        rng = stream(seed, "reflex")
        return int(first_thought(self.policy, seen.sampler.draw(rng), seen.seat, rng))


class Searcher(Bot):
    """Searches the tree of what its seat holds possible; `policy` plays the worlds on to their end."""

    def __init__(self, policy: Policy, explore: float = 0.7) -> None:
        self.policy = policy
        self.explore = explore

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        rng = stream(seed, "search")
        if seen.to_act != seen.seat:
            return int(first_thought(self.policy, seen.sampler.draw(rng), seen.seat, rng))
        if len(seen.legal) == 1:
            return seen.legal[0]
        search = Search(seen.sampler, self.policy, rng, self.explore)
        search.run(budget.iterations, budget.seconds)
        return int(search.best())
