"""How the house plays Splendor: Marvel: what a position is worth, and quick ways to choose.

Compiled by mypyc; see `engine.build`.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bots.search import Policy
from engine.rng import Rng
from engine.splendor_marvel.lanes import ONES, minus, total
from engine.splendor_marvel.questions import CHOOSE, GIVE_BACK, GREY, RESERVE, RETURN, TAKE_TOKEN
from engine.splendor_marvel.state import BONUS, POINTS, TOKEN_LIMIT, SplendorState
from engine.splendor_marvel.table import LEVEL_3, NEEDS
from engine.splendor_marvel.team import COST, Team
from engine.state import GameState

# What things are worth, in the units of the value below.
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

SLOPE: Final = 4.0
"""How much less value makes an answer look a good third as promising."""

REACH: Final = vec[float]([1.0, 0.72, 0.5, 0.34, 0.22, 0.14, 0.08, 0.04, 0.02])
"""How much of a card's worth counts when so many tokens are still short."""


def urgency(me: Team) -> float:
    """Colours and the Time Stone can wait at first; with the points at hand they are all that is missing."""
    return 1.0 if me.points < 6 else 1.0 + 0.25 * float(me.points - 5)


def worth(me: Team, card: i64) -> float:
    """What recruiting a card would add."""
    value = BONUS_OF_COLOUR + POINT * float(POINTS[card])
    if me.bonuses & (63 * BONUS[card]) == 0:
        value += urgency(me) * FIRST_OF_COLOUR
    if card >= LEVEL_3 and me.green == 0:
        value += urgency(me) * TIME_STONE
    return value


def hope(me: Team, card: i64) -> float:
    """What a card within sight is worth already."""
    short = total(minus(COST[card], me.tokens + me.bonuses)) - me.grey
    if short > 8:
        return 0.0
    return worth(me, card) * REACH[short if short > 0 else 0]


def value(state: SplendorState, seat: i64) -> float:
    """How well a seat stands: points, bonuses and stones it has, and the cards and locations it is close to."""
    me = state.teams[seat]
    enough = me.points if me.points < state.goal else state.goal
    standing = (
        POINT * float(enough)
        + BEYOND * float(me.points - enough)
        + BONUS_OF_COLOUR * float(total(me.bonuses))
        + urgency(me) * (FIRST_OF_COLOUR * float(5 - total(minus(ONES, me.bonuses))) + TIME_STONE * float(me.green))
        + TAG * float(me.tags)
        + TOKEN * float(total(me.tokens))
        + GREY_TOKEN * float(me.grey)
    )
    if me.held() > TOKEN_LIMIT:
        standing -= TOKEN_TOO_MANY * float(me.held() - TOKEN_LIMIT)
    best, second = 0.0, 0.0
    for card in state.offer:
        hoped = hope(me, card)
        if hoped > best:
            best, second = hoped, best
        elif hoped > second:
            second = hoped
    i: i64 = 0
    while i < me.reserved:
        hoped = 1.15 * hope(me, me.card_at(i))  # nobody can take it away
        if hoped > best:
            best, second = hoped, best
        elif hoped > second:
            second = hoped
        i += 1
    standing += 0.5 * best + 0.15 * second
    i = 0
    while i < i64(len(state.sites)):
        site = state.sites[i]
        if (state.locations >> site) & 1:
            missing = total(minus(NEEDS[site], me.bonuses))
            if missing < 5:
                standing += POINT * (1.5 - 0.3 * float(missing))
        i += 1
    if me.assembles(state.goal):
        standing += WON
    return standing


class ValuePlay(Policy):
    """Looks one answer ahead and takes what leaves the seat best off: a club player's habits."""

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, SplendorState)
        seat = state.seat
        count = state.legal(acts)
        best, best_value = acts[0], -1.0
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(acts[i])
            found = value(after, seat) + 0.01 * float(rng.below(100)) / 100.0
            if found > best_value:
                best, best_value = acts[i], found
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
        """By how much worse it leaves the seat than the best of them does."""
        assert isinstance(state, SplendorState)
        seat = state.seat
        best = -1000.0
        i: i64 = 0
        while i < count:
            after = state.clone()
            after.apply(acts[i])
            promises[i] = value(after, seat)
            if promises[i] > best:
                best = promises[i]
            i += 1
        i = 0
        while i < count:
            promises[i] = exp((promises[i] - best) / SLOPE)
            i += 1


class Beginner(Policy):
    """Plays anything, but takes the Gauntlet when it lies there, and keeps grey tokens when others can go back."""

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
