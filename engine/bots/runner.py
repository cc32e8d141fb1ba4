"""The loop that plays every bot seat of a match, in turn and out of turn."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.bots.protocol import LEAVE, Bot, Budget, Situation
from engine.kernel import Match


class Thoughts:
    """How often each seat has thought in the present turn of a match, for budgets that are for a whole turn."""

    def __init__(self) -> None:
        self.turn: tuple[int, ...] = ()
        self.counts: Counter[int] = Counter()

    def choose(self, bot: Bot, budget: Budget, match: Match, seat: int, seed: str) -> int:
        """The answer of a bot in a seat, by what is left of its budget for this turn."""
        seen = Situation(match, seat)
        if not budget.share or not bot.thinks(seen):
            return bot.choose(seen, budget, seed)
        owner, number = match.game.turn(match.state)
        if (turn := (owner, number, *match.turns)) != self.turn:
            self.turn, self.counts = turn, Counter()
        part = budget.part(self.counts[seat], owner in (seat, -1))
        self.counts[seat] += 1
        return bot.choose(seen, part, seed)


@dataclass
class Seated:
    """A bot in a seat, its thinking time, and how long it has thought."""

    bot: Bot
    budget: Budget
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    thoughts: Thoughts = field(default_factory=Thoughts)

    def answer(self, match: Match, seat: int, seed: str) -> int:
        began = time.perf_counter()
        action = self.thoughts.choose(self.bot, self.budget, match, seat, f"{seed} {match.ply} {seat}")
        spent = time.perf_counter() - began
        self.moves += 1
        self.seconds += spent
        self.slowest = max(self.slowest, spent)
        return action


@dataclass
class BotTable:
    """Which bot plays which seat; a seat that is missing is played by a person."""

    seats: dict[int, Seated]
    seed: str
    _left_at: dict[int, int] = field(default_factory=dict)

    def move(self, match: Match) -> bool:
        """Play one action of one bot; False when no bot can act."""
        for seat, seated in self.seats.items():
            # A bot that declined to act out of turn is asked again only after the next move.
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


def bots_in_every_seat(bots: Sequence[tuple[Bot, Budget]], seed: str) -> BotTable:
    """Bots in every seat, in order."""
    return BotTable({seat: Seated(bot, budget) for seat, (bot, budget) in enumerate(bots)}, seed)
