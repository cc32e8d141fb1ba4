"""Policies for Splendor: Marvel: the value of a position, and quick ways to choose a move.

Compiled by mypyc; see `engine.build`.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.tree_search import Policy
from engine.rng import Rng
from engine.splendor_marvel.components import LEVEL_3, NEEDS
from engine.splendor_marvel.legal_moves import CHOOSE, GIVE_BACK, GREY, RESERVE, RETURN, TAKE_TOKEN
from engine.splendor_marvel.packed_counts import ONES, minus, total
from engine.splendor_marvel.player_board import COST, Team
from engine.splendor_marvel.state import BONUS, POINTS, TOKEN_LIMIT, SplendorState
from engine.state import GameState

# Values, in the units of `position_value`.
POINT: Final = 3.0
BEYOND: Final = 0.3
BONUS_OF_COLOUR: Final = 3.0
FIRST_OF_COLOUR: Final = 3.0
TIME_STONE: Final = 6.0
TAG: Final = 0.8
TOKEN: Final = 0.1
GREY_TOKEN: Final = 0.4
WON: Final = 200.0
TOKEN_TOO_MANY: Final = 1.0

SURE: Final = 0.98
"""A fitted chance of 1 is worth this much to a search, and that of 0 as much more than nothing."""

SLOPE: Final = 4.0
"""The difference in value that makes a move look about a third as promising."""

REACH: Final = vec[float]([1.0, 0.72, 0.5, 0.34, 0.22, 0.14, 0.08, 0.04, 0.02])
"""The part of a card's value that counts when this many tokens are missing."""


def urgency(me: Team) -> float:
    """Colours and the Time Stone can wait at first; with enough points they are all that is missing."""
    return 1.0 if me.points < 6 else 1.0 + 0.25 * float(me.points - 5)


def card_value(me: Team, card: i64) -> float:
    """The value that recruiting a card would add."""
    value = BONUS_OF_COLOUR + POINT * float(POINTS[card])
    if me.bonuses & (63 * BONUS[card]) == 0:
        value += urgency(me) * FIRST_OF_COLOUR
    if card >= LEVEL_3 and me.green == 0:
        value += urgency(me) * TIME_STONE
    return value


def potential(me: Team, card: i64) -> float:
    """The value of a card that is not paid for yet, by how many tokens are missing."""
    short = total(minus(COST[card], me.tokens + me.bonuses)) - me.grey
    if short > 8:
        return 0.0
    return card_value(me, card) * REACH[short if short > 0 else 0]


def position_value(state: SplendorState, seat: i64) -> float:
    """The value of a seat's position: points, bonuses and stones, and the cards and locations it is close to."""
    me = state.teams[seat]
    enough = me.points if me.points < state.goal else state.goal
    total_value = (
        POINT * float(enough)
        + BEYOND * float(me.points - enough)
        + BONUS_OF_COLOUR * float(total(me.bonuses))
        + urgency(me) * (FIRST_OF_COLOUR * float(5 - total(minus(ONES, me.bonuses))) + TIME_STONE * float(me.green))
        + TAG * float(me.tags)
        + TOKEN * float(total(me.tokens))
        + GREY_TOKEN * float(me.grey)
    )
    if me.held() > TOKEN_LIMIT:
        total_value -= TOKEN_TOO_MANY * float(me.held() - TOKEN_LIMIT)
    best, second = 0.0, 0.0
    for card in state.offer:
        card_potential = potential(me, card)
        if card_potential > best:
            best, second = card_potential, best
        elif card_potential > second:
            second = card_potential
    i: i64 = 0
    while i < me.reserved:
        card_potential = 1.15 * potential(me, me.card_at(i))  # nobody can take it away
        if card_potential > best:
            best, second = card_potential, best
        elif card_potential > second:
            second = card_potential
        i += 1
    total_value += 0.5 * best + 0.15 * second
    i = 0
    while i < i64(len(state.sites)):
        site = state.sites[i]
        if (state.locations >> site) & 1:
            missing = total(minus(NEEDS[site], me.bonuses))
            if missing < 5:
                total_value += POINT * (1.5 - 0.3 * float(missing))
        i += 1
    if me.assembles(state.goal):
        total_value += WON
    return total_value


class ValuePlay(Policy):
    """Looks one move ahead and takes the move with the best value, like a club player."""

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, SplendorState)
        seat = state.seat
        count = state.legal(acts)
        best, best_value = acts[0], -1.0
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(acts[i])
            value = position_value(after, seat) + 0.01 * float(rng.below(100)) / 100.0
            if value > best_value:
                best, best_value = acts[i], value
            i += 1
        return best


class Eager(Policy):
    """Recruits when it can, gathers tokens when it cannot: quick and sensible, for the search's playouts."""

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, SplendorState)
        count = state.legal(acts)
        if state.phase != CHOOSE:
            return acts[rng.below(count)]
        recruits: i64 = 0
        while recruits < count and acts[recruits] < RESERVE:
            recruits += 1
        if recruits > 0:
            best = acts[rng.below(recruits)]
            other = acts[rng.below(recruits)]
            return other if POINTS[other] > POINTS[best] else best
        tokens = count
        while tokens > 0 and acts[tokens - 1] >= TAKE_TOKEN:
            tokens -= 1
        if tokens < count and rng.below(8) > 0:
            return acts[tokens + rng.below(count - tokens)]
        return acts[rng.below(count)]

    def promise(self, state: GameState, acts: vec[i64], count: i64, promises: vec[float]) -> None:
        """From the difference in value to the best move."""
        assert isinstance(state, SplendorState)
        seat = state.seat
        best = -1000.0
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(acts[i])
            promises[i] = position_value(after, seat)
            if promises[i] > best:
                best = promises[i]
            i += 1
        i = 0
        while i < count:
            promises[i] = exp((promises[i] - best) / SLOPE) / float(state.players)
            i += 1


class FittedPlay(Policy):
    """Looks one move ahead by the fitted value; a search takes it as the worth of its leaves."""

    def __init__(self, value: FittedValue) -> None:
        self.value = value

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, SplendorState)
        seat = state.seat
        count = state.legal(acts)
        if count == 1:
            return acts[0]
        best, best_chance = acts[0], -1.0
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(acts[i])
            self.value.evaluate(after)
            chance = self.value.chances[seat]
            if after.teams[seat].assembles(after.goal):
                chance += 1.0  # what can be won now is not left for later
            if chance > best_chance:
                best, best_chance = acts[i], chance
            i += 1
        return best

    def promise(self, state: GameState, acts: vec[i64], count: i64, promises: vec[float]) -> None:
        assert isinstance(state, SplendorState)
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(acts[i])
            self.value.evaluate(after)
            promises[i] = expected(self.value.chances[state.seat], after)
            i += 1

    def settle(self, state: GameState, rng: Rng, acts: vec[i64], rewards: vec[float]) -> i64:
        assert isinstance(state, SplendorState)
        moves: i64 = 0
        if last_round(state):
            while not state.over:
                state.apply(self.choose(state, rng, acts))
                moves += 1
        self.value.evaluate(state)
        seat: i64 = 0
        while seat < state.players:
            rewards[seat] = expected(self.value.chances[seat], state)
            seat += 1
        return moves


def last_round(state: SplendorState) -> bool:
    """Whether a player has assembled the Gauntlet, so that the others have at most one turn left."""
    seat: i64 = 0
    while seat < state.players and not state.teams[seat].assembles(state.goal):
        seat += 1
    return seat < state.players


def expected(chance: float, state: SplendorState) -> float:
    """A chance, less sure while the match goes on: a search that has as good as won must care when it wins."""
    return chance if state.over or last_round(state) else SURE * chance + (1.0 - SURE) / float(state.players)


class Beginner(Policy):
    """Plays random moves, but takes a win, and returns grey tokens last."""

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, SplendorState)
        seat = state.seat
        count = state.legal(acts)
        i: i64 = 0
        while i < count and state.phase == CHOOSE and acts[i] < RESERVE:
            after = state.clone()
            after.apply(acts[i])
            if after.teams[seat].assembles(after.goal):
                return acts[i]
            i += 1
        if state.phase == RETURN and count > 1 and acts[count - 1] == GIVE_BACK + GREY:
            count -= 1
        return acts[rng.below(count)]
