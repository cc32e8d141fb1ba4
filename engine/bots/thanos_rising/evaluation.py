"""The value of cards, healing and counters in Thanos Rising, for a club player.

The unit is one hero recruited early. All bots at a table use the same values, so those who hold a token that another
player's card needs come to the same conclusion without talking.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from mypy_extensions import i64

from engine.bitset import lowest, size
from engine.thanos_rising.card_tables import (
    BEFORE_ROLL,
    CHOOSE_BONUS_TOKEN,
    DAMAGE_VILLAIN,
    DRAW_BONUS_TOKEN,
    EXTRA_DIE,
    READY,
    REMOVE_DAMAGE,
    REMOVE_DAMAGE_PER_VILLAIN_DAMAGE,
    REMOVE_STONE_COUNTER,
    STONES,
)
from engine.thanos_rising.state import ThanosState

# Values.
VILLAIN: Final = 1.3
WOUND: Final = 0.8
HERO: Final = 1.0
EXTRA_DICE: Final = 0.4
CROWD: Final = 0.05
LATE: Final = 0.03
RESCUE: Final = 0.25
TOKEN: Final = 0.35
DIE: Final = 0.9
STRUCK: Final = 1.2
STONE_SAVED: Final = 1.2
NEXT_CARD: Final = 1.6
NEVER: Final = -1000.0


def card_value(state: ThanosState, card: i64) -> float:
    """The value of completing a card of the sectors for the active team: heroes early, villains late."""
    cards = state.cards
    if cards.villains >> card & 1:
        return VILLAIN + WOUND * float(state.damage[card])
    value = HERO - CROWD * float(size(state.teams[state.active])) - LATE * float(state.turn)
    if cards.timing[card] == BEFORE_ROLL:
        value += EXTRA_DICE
    if state.damage[card] + 1 >= cards.capacity[card]:
        value += RESCUE
    return value


def urgency(state: ThanosState, hero: i64) -> float:
    """The value of removing one damage from a hero."""
    left: i64 = state.cards.capacity[hero] - state.damage[hero]
    in_team: bool = state.all_teams() >> hero & 1 != 0
    if left <= 0:
        return 1.2 if in_team else 0.5
    if left == 1:
        return 0.65 if in_team else 0.35
    if left == 2:
        return 0.5 if in_team else 0.15
    return 0.15 if in_team else 0.05


def stone_value(state: ThanosState, stone: i64) -> float:
    """The value of removing a counter from a stone."""
    counters: i64 = state.counters[stone]
    if counters >= state.cards.stone_limit:
        return STONE_SAVED
    return 0.08 * float(counters)


def villain_damage_value(state: ThanosState, villain: i64) -> float:
    """The value of one damage on a villain."""
    return STRUCK + WOUND * float(state.damage[villain])


def last_call(state: ThanosState) -> bool:
    """Whether dice cannot complete another card in this turn."""
    return state.rolls > 0 and (state.dice == 0 or not state.completable())


def token_moment(state: ThanosState) -> bool:
    """Whether this is the time to consider tokens: before the opening roll, and when dice complete nothing more."""
    return state.phase == READY or last_call(state)


def most_urgent(state: ThanosState, heroes: i64) -> float:
    best = 0.0
    while heroes:
        value = urgency(state, lowest(heroes))
        if value > best:
            best = value
        heroes &= heroes - 1
    return best


def gain(state: ThanosState, card: i64) -> float:
    """The value of using a hero's ability now, without its effect on dice."""
    cards = state.cards
    value = 0.0
    effect: i64 = cards.first[card]
    while effect < cards.first[card] + cards.many[card]:
        if state.possible(effect, card):
            value += effect_gain(state, effect)
        effect += 1
    if cards.cost_damage[card]:
        left: i64 = cards.capacity[card] - state.damage[card] - cards.cost_damage[card]
        value -= 3.0 if left <= 0 else (0.6 if left == 1 else 0.15 * float(cards.cost_damage[card]))
    return value


def effect_gain(state: ThanosState, effect: i64) -> float:
    cards = state.cards
    op: i64 = cards.op[effect]
    if op == EXTRA_DIE:
        return DIE
    if op in (REMOVE_DAMAGE, REMOVE_DAMAGE_PER_VILLAIN_DAMAGE):
        return most_urgent(state, state.patients(effect, state.active)) * (0.5 + 0.5 * float(cards.amount[effect]))
    if op == DRAW_BONUS_TOKEN:
        return TOKEN * float(cards.count[effect])
    if op == CHOOSE_BONUS_TOKEN:
        return 1.2 * TOKEN
    if op == REMOVE_STONE_COUNTER:
        best = 0.0
        stone: i64 = 0
        while stone < STONES:
            value = stone_value(state, stone)
            if value > best:
                best = value
            stone += 1
        return best
    if op == DAMAGE_VILLAIN:
        return STRUCK
    return 0.0
