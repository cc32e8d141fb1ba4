"""What a bot is given (`Situation`, `Budget`) and what it must do (`Bot`); the same in a terminal and on the site."""

from dataclasses import dataclass
from typing import Any

from engine.bots.tree_search import Policy, Sampler, Search, first_thought
from engine.kernel import Match
from engine.rng import stream

LEAVE = -1
"""A bot's answer when it may act out of turn and does not want to."""


class Situation:
    """All that a bot sees: what its seat may know, its legal actions, and possible worlds drawn from that knowledge.

    It is made from an imagined match, so hidden cards are not in it; two matches that look the same to a seat give
    equal situations.
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


OUT_OF_TURN = 0.1
"""The part of its budget that a seat has in a turn of another."""


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: so many iterations (the same answer every time), or so many seconds; 0 is no limit.

    With a `share` it is for a whole turn: each thought takes this part of what the thoughts before it have left.
    Otherwise it is for each answer.
    """

    iterations: int = 0
    seconds: float = 0.0
    share: float = 0.0

    def part(self, thoughts: int, own_turn: bool) -> "Budget":
        """What is there for the next answer of a seat that has thought so often in this turn."""
        if not self.share:
            return self
        part = self.share * (1.0 - self.share) ** thoughts * (1.0 if own_turn else OUT_OF_TURN)
        return Budget(max(1, int(self.iterations * part)) if self.iterations else 0, self.seconds * part)


class Bot:
    """Chooses one of a situation's legal actions, or `LEAVE` when it may act out of turn."""

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        raise NotImplementedError

    def thinks(self, seen: Situation) -> bool:
        """Whether it would spend anything of its budget here; only then it counts as a thought."""
        return len(seen.legal) > 1


class RandomBot(Bot):
    """Plays any legal action; acts aside never."""

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        if seen.to_act != seen.seat:
            return LEAVE
        return seen.legal[int(stream(seed, "random").below(len(seen.legal)))]


class Reflex(Bot):
    """Plays the move that a policy chooses, without a search."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        rng = stream(seed, "reflex")
        return int(first_thought(self.policy, seen.sampler.draw(rng), seen.seat, rng))


class Mixed(Bot):
    """Plays as one bot and now and then, with probability `slips`, as a weaker one: as people do."""

    def __init__(self, usual: Bot, weaker: Bot, slips: float) -> None:
        self.usual = usual
        self.weaker = weaker
        self.slips = slips

    def choose(self, seen: Situation, budget: Budget, seed: str) -> int:
        slips = float(stream(seed, "slip").below(10_000)) < 10_000 * self.slips
        return (self.weaker if slips else self.usual).choose(seen, budget, seed)

    def thinks(self, seen: Situation) -> bool:
        return self.usual.thinks(seen)


class Searcher(Bot):
    """Searches the tree of possible worlds; `policy` plays each world to its end."""

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
