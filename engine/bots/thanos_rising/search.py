"""The search of the strongest levels of Thanos Rising: every answer tried in the same worlds, with the same dice.

Only the order of the piles is hidden, and every roll depends only on the turn and its number, so two answers can be
played through the same rolls: few worlds are enough to compare them. A world is played for some turns by the club
player's policy, everyone's tokens included, and then valued by the probability to win from there.

Compiled by mypyc; see `engine.build`.
"""

import time
from math import exp, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import lowest, size
from engine.bots.thanos_rising.evaluation import token_moment
from engine.bots.thanos_rising.policies import ClubPlay
from engine.bots.tree_search import Sampler
from engine.playout import buffer
from engine.rng import Rng
from engine.thanos_rising.card_tables import SLOTS, STONES, VILLAINS_DEFEATED, total
from engine.thanos_rising.state import ThanosState

LEAVE: Final = -1
ROUND: Final = 8
"""Worlds between two checks of which answers can be dropped."""


def play_on(state: ThanosState, policy: ClubPlay, rng: Rng, acts: vec[i64], turns: i64) -> None:
    """Play for this many turns, or to the end of the match, tokens out of turn included."""
    until: i64 = state.turn + turns
    while not state.over and state.turn < until:
        seat: i64 = 0
        played: bool = False
        if state.held > state.fresh and state.token_time() and token_moment(state):
            while seat < state.players and not played:
                if seat != state.active:
                    action: i64 = policy.choose_aside(state, seat, rng, acts)
                    if action >= 0:
                        state.apply_aside(seat, action)
                        played = True
                seat += 1
        if not played:
            state.apply(policy.choose(state, rng, acts))


def win_probability(state: ThanosState, policy: ClubPlay) -> float:
    """The probability that the table wins from this turn on: a formula fitted to matches of club-player bots."""
    if state.over:
        done = float(size(state.defeated)) / float(state.goal)
        return 1.0 if state.reason == VILLAINS_DEFEATED else 0.02 * done
    cards = state.cards
    wounds: i64 = 0
    falling: i64 = 0
    slot: i64 = 0
    while slot < SLOTS:
        card: i64 = state.slots[slot]
        if card >= 0:
            left: i64 = cards.capacity[card] - state.damage[card]
            if cards.villains >> card & 1:
                wounds += state.damage[card]
            elif left <= 1:
                falling += 1
        slot += 1
    members: i64 = 0
    dice: i64 = 0
    health: i64 = 0
    weakest: i64 = 10
    active: i64 = state.active
    seat: i64 = 0
    while seat < state.players:
        own: i64 = 0
        heroes: i64 = state.teams[seat]
        while heroes:
            hero: i64 = lowest(heroes)
            own += cards.capacity[hero] - state.damage[hero]
            members += 1
            heroes &= heroes - 1
        health += own
        if own < weakest:
            weakest = own
        state.active = seat
        dice += total(policy.dice_in(state, state.thanos))
        seat += 1
    state.active = active
    counters: i64 = 0
    stone: i64 = 0
    while stone < STONES:
        counters += state.counters[stone]
        stone += 1
    need = float(state.goal - size(state.defeated))
    margin = float(state.lost_limit - size(state.lost))
    taken = float(size(state.collected) + STONES - state.stones_to_lose)  # the fewer it takes, the nearer the end
    seats = float(state.players)
    health_of_a_team = float(health) / seats if float(health) / seats < 25.0 else 25.0
    frail: bool = state.team_loss != 0 and weakest <= 5
    merit = (
        -1.14
        - 0.619 * need
        - 0.0402 * need * need
        + 0.357 * float(wounds)
        + 0.338 * margin
        - 0.00666 * margin * margin
        - 0.113 * float(falling)
        - 0.261 * float(members) / seats
        + 0.27 * float(dice) / seats
        + 0.0238 * float(weakest)
        + 0.166 * health_of_a_team
        + 0.212 * float(state.held if state.held < 8 else 8)
        - 0.142 * taken
        - 0.117 * float(counters)
        - (0.846 if frail else 0.0)
        + 0.0107 * need * margin
        - 0.138 * need * taken
    )
    return 1.0 / (1.0 + exp(-merit))


class Trial:
    """Tries every answer in the same worlds, and drops those that are clearly worse than the best.

    For a seat that may act out of turn, doing nothing is an answer too.
    """

    def __init__(self, sampler: Sampler, policy: ClubPlay, rng: Rng, turns: i64) -> None:
        state = sampler.imagined
        self.sampler = sampler
        self.policy = policy
        self.rng = rng
        self.turns: i64 = turns
        self.acts = buffer()
        self.room = buffer()
        self.aside: bool = state.seat != sampler.seat
        if self.aside:
            self.count: i64 = state.legal_aside(sampler.seat, self.acts)
            self.acts[self.count] = LEAVE
            self.count += 1
            favourite = policy.choose_aside(state, sampler.seat, rng, self.room)
        else:
            self.count = state.legal(self.acts)
            favourite = policy.choose(state, rng, self.room)
        self.favourite: i64 = 0
        while self.acts[self.favourite] != favourite:
            self.favourite += 1
        self.alive = vec[i64]([1] * int(self.count))
        self.value = vec[float]([0.0] * int(self.count))
        self.total = vec[float]([0.0] * int(self.count))
        # squared_gaps[i * count + j], i < j: the squared differences of two answers, summed over the worlds
        self.squared_gaps = vec[float]([0.0] * int(self.count * self.count))
        self.left: i64 = self.count
        self.worlds: i64 = 0
        self.iterations: i64 = 0

    def run(self, iterations: i64, seconds: float, surely: float) -> None:
        """Try worlds until a limit is reached (0 is none) or one answer is left; `surely` as for `drop`."""
        until = time.perf_counter() + seconds if seconds > 0 else 0.0
        while self.left > 1 and (iterations == 0 or self.iterations < iterations):
            if not self.try_world(until):
                break
            if self.worlds % ROUND == 0:
                self.drop(surely)

    def best(self) -> i64:
        """The answer that promises most; of several, the one that the policy likes, or the first."""
        return self.acts[self.leader()]

    def leader(self) -> i64:
        best: i64 = self.favourite
        i: i64 = 0
        while i < self.count:
            if self.alive[i] and (not self.alive[best] or self.total[i] > self.total[best]):
                best = i
            i += 1
        return best

    def try_world(self, until: float) -> bool:
        """All answers in one more world; False, and nothing counted, when the time runs out."""
        world = self.sampler.draw(self.rng)
        luck = self.rng.fork(self.worlds)
        i: i64 = 0
        while i < self.count:
            if self.alive[i]:
                if until > 0.0 and time.perf_counter() >= until:
                    return False
                state = world.clone()
                assert isinstance(state, ThanosState)
                if not self.aside:
                    state.apply(self.acts[i])
                elif self.acts[i] != LEAVE:
                    state.apply_aside(self.sampler.seat, self.acts[i])
                play_on(state, self.policy, luck.clone(), self.room, self.turns)
                self.value[i] = win_probability(state, self.policy)
                self.iterations += 1
            i += 1
        self.worlds += 1
        self.count_world()
        return True

    def count_world(self) -> None:
        i: i64 = 0
        while i < self.count:
            if self.alive[i]:
                self.total[i] += self.value[i]
                j: i64 = i + 1
                while j < self.count:
                    if self.alive[j]:
                        gap = self.value[i] - self.value[j]
                        self.squared_gaps[i * self.count + j] += gap * gap
                    j += 1
            i += 1

    def drop(self, surely: float) -> None:
        """Drop answers that are worse than the leader by `surely` standard errors, or equal to it in every world."""
        best: i64 = self.leader()
        i: i64 = 0
        while i < self.count:
            if self.alive[i] and i != best:
                squared_gaps = self.squared_gaps[i * self.count + best if i < best else best * self.count + i]
                lead = self.total[best] - self.total[i]
                spread = squared_gaps - lead * lead / float(self.worlds)
                if squared_gaps < 1e-12 or lead > surely * sqrt(spread if spread > 0.0 else 0.0) + 1e-9:
                    self.alive[i] = 0
                    self.left -= 1
            i += 1
