"""The search of the strongest levels of Infinity Gauntlet: beliefs from the others' plays, answers tried side by side.

More search through equally likely worlds helps little in this game. So a world counts as likely when the others' last
plays make sense in it; and every answer is tried in the same worlds with the same random numbers and the club player's
policy, so that few worlds are enough to compare answers.

Compiled by mypyc; see `engine.build`.
"""

import time
from math import exp, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import lowest, size
from engine.bots.infinity_gauntlet.evaluation import hero_play, seen_cards, thanos_play
from engine.bots.infinity_gauntlet.policies import ClubPlay
from engine.bots.infinity_gauntlet.probabilities import sure_of_thanos
from engine.bots.tree_search import Sampler
from engine.infinity_gauntlet.legal_moves import SNAP, UNPLAYABLE
from engine.infinity_gauntlet.state import GauntletState
from engine.playout import buffer
from engine.rng import Rng
from engine.state import GameState

TRIES: Final = 12
"""How many worlds are drawn at most before one is accepted, likely or not."""

FINE: Final = 1024


class Beliefs(Sampler):
    """Worlds in which the others' last plays make sense come up more often.

    `played[seat]` is the card a seat played last, if what it kept is still its hand; -1 if not. `uncertainty` is how
    much worse than their best move the others are assumed to play.
    """

    def __init__(self, imagined: GameState, seat: i64, played: list[int], uncertainty: float) -> None:
        super().__init__(imagined, seat)
        self.played = vec[i64](played)
        self.uncertainty: float = uncertainty

    def draw(self, rng: Rng) -> GameState:
        state = super().draw(rng)
        tries: i64 = 1
        while tries < TRIES and float(rng.below(FINE)) >= FINE * self.likelihood(state):
            state = super().draw(rng)
            tries += 1
        return state

    def likelihood(self, state: GameState) -> float:
        """How well the others' last plays fit this world; 1 is as well as can be."""
        assert isinstance(state, GauntletState)
        fit = 1.0
        seat: i64 = 1
        while seat < state.players:
            if seat != self.seat and self.played[seat] >= 0 and size(state.hands[seat]) == 1:
                fit *= self.fit_of_hero(state, seat, self.played[seat])
            seat += 1
        if self.seat and self.played[0] >= 0:
            fit *= self.fit_of_thanos(state, self.played[0])
        return fit

    def fit_of_hero(self, state: GauntletState, seat: i64, card: i64) -> float:
        kept: i64 = lowest(state.hands[seat])
        sure: i64 = sure_of_thanos(state, seat)
        lead = hero_play(state, seat, kept, card, sure) - hero_play(state, seat, card, kept, sure)
        return 1.0 if lead <= 0 else exp(-lead / self.uncertainty)

    def fit_of_thanos(self, state: GauntletState, card: i64) -> float:
        kept: i64 = state.hands[0] & ~UNPLAYABLE
        open_cards: i64 = state.faceup[0]
        state.hands[0] |= i64(1) << card
        state.faceup[0] &= ~(i64(1) << card)
        seen: i64 = seen_cards(state)
        value = thanos_play(state, card, seen)
        lead = 0.0
        other: i64 = 0
        while kept >> other:
            if (kept >> other) & 1:
                better = thanos_play(state, other, seen) - value
                if better > lead:
                    lead = better
            other += 1
        state.hands[0] &= ~(i64(1) << card)
        state.faceup[0] = open_cards
        return exp(-lead / self.uncertainty)


class Trial:
    """Tries every answer in the same worlds, and drops those that are clearly worse than the best.

    An answer starts with the club player's estimate of it: one life counts for `trust` wins.
    """

    def __init__(self, sampler: Sampler, policy: ClubPlay, rng: Rng, trust: float) -> None:
        self.sampler = sampler
        self.policy = policy
        self.rng = rng
        self.acts = buffer()
        self.room = buffer()
        self.count: i64 = sampler.imagined.legal(self.acts)
        self.alive = vec[i64]([1] * int(self.count))
        self.total = vec[float]([0.0] * int(self.count))
        # ahead[i * count + j]: in how many worlds answer i won and j did not
        self.ahead = vec[i64]([0] * int(self.count * self.count))
        self.reward = vec[float]([0.0] * int(self.count))
        self.left: i64 = self.count
        self.worlds: i64 = 0
        self.iterations: i64 = 0
        i: i64 = 0
        while i < self.count:
            self.total[i] = trust * policy.weigh(sampler.imagined, self.acts[i])
            i += 1

    def run(self, iterations: i64, seconds: float, surely: float) -> None:
        """Try worlds until a limit is reached (0 is none) or one answer is left; `surely` as for `drop`."""
        until = time.perf_counter() + seconds if seconds > 0 else 0.0
        if self.best() == SNAP:
            return
        while self.left > 1 and (iterations == 0 or self.iterations < iterations):
            if not self.try_world(until):
                break
            if self.worlds % 16 == 0:
                self.drop(surely)

    def best(self) -> i64:
        """The answer that won most; the first of several."""
        return self.acts[self.leader()]

    def leader(self) -> i64:
        best: i64 = 0
        i: i64 = 1
        while i < self.count:
            if self.alive[i] and (not self.alive[best] or self.total[i] > self.total[best]):
                best = i
            i += 1
        return best

    def try_world(self, until: float) -> bool:
        """All answers in one more world; False, and nothing counted, when the time runs out."""
        world = self.sampler.draw(self.rng)
        seat = self.sampler.seat
        luck = self.rng.fork(self.worlds)
        i: i64 = 0
        while i < self.count:
            if self.alive[i]:
                if until > 0.0 and time.perf_counter() >= until:
                    return False
                state = world.clone()
                state.apply(self.acts[i])
                rng = luck.clone()
                while not state.over:
                    state.apply(self.policy.choose(state, rng, self.room))
                self.reward[i] = state.reward(seat)
                self.iterations += 1
            i += 1
        self.worlds += 1
        self.count_world()
        return True

    def count_world(self) -> None:
        i: i64 = 0
        while i < self.count:
            if self.alive[i]:
                self.total[i] += self.reward[i]
            j: i64 = 0
            while j < self.count:
                if self.alive[i] and self.alive[j] and self.reward[i] > self.reward[j]:
                    self.ahead[i * self.count + j] += 1
                j += 1
            i += 1

    def drop(self, surely: float) -> None:
        """Drop answers that are worse than the leader by `surely` standard errors."""
        best: i64 = self.leader()
        i: i64 = 0
        while i < self.count:
            if self.alive[i] and i != best:
                won, lost = self.ahead[best * self.count + i], self.ahead[i * self.count + best]
                if float(won - lost) > surely * sqrt(float(won + lost)) and won - lost > 5:
                    self.alive[i] = 0
                    self.left -= 1
            i += 1
