"""Bots at one table: the loop that plays every bot seat of a match, in turn and aside."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.bots.protocol import LEAVE, Bot, Budget, Situation
from engine.kernel import Match


@dataclass
class Seated:
    """A bot in a seat, how long it may think, and how long it did."""

    bot: Bot
    budget: Budget
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def answer(self, match: Match, seat: int, seed: str) -> int:
        began = time.perf_counter()
        action = self.bot.choose(Situation(match, seat), self.budget, f"{seed} {match.ply} {seat}")
        spent = time.perf_counter() - began
        self.moves += 1
        self.seconds += spent
        self.slowest = max(self.slowest, spent)
        return action


@dataclass
class Company:
    """Who plays which seat; a seat that is missing belongs to somebody else."""

    seats: dict[int, Seated]
    seed: str
    _left_at: dict[int, int] = field(default_factory=dict)

    def move(self, match: Match) -> bool:
        """Play one action of one bot; False when every bot waits for somebody else."""
        for seat, seated in self.seats.items():
            # A bot that left things as they are is asked again only once something has changed.
            if seat == match.to_act or self._left_at.get(seat) == match.ply or not match.legal(seat):
                continue
            action = seated.answer(match, seat, self.seed)
            if action != LEAVE:
                match.play(action, seat)
                return True
            self._left_at[seat] = match.ply
        if match.to_act is None or match.to_act not in self.seats:
            return False
        match.play(self.seats[match.to_act].answer(match, match.to_act, self.seed), match.to_act)
        return True

    def play_out(self, match: Match) -> None:
        while self.move(match):
            pass


def company(bots: Sequence[tuple[Bot, Budget]], seed: str) -> Company:
    """Bots in every seat, in order."""
    return Company({seat: Seated(bot, budget) for seat, (bot, budget) in enumerate(bots)}, seed)
