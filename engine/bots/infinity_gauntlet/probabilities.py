"""Card counting in Infinity Gauntlet: what a seat may expect in hands it cannot see.

Everything comes from the knowledge that the state keeps for that seat, from the open cards, and from how many cards
there are of each number. Of the hidden hands themselves only the size is read.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64

from engine.bitset import lowest, size
from engine.infinity_gauntlet.card_moves import POWER_BONUS
from engine.infinity_gauntlet.knowledge import (  # fmt: skip
    ALL_THANOS,
    HEROES_OF,
    LOW,
    NOTHING_SEEN,
    NUMBER,
    THANOS_CARDS,
    THANOS_NUMBER,
    THANOS_OF,
)
from engine.infinity_gauntlet.state import GauntletState

# -- what a seat knows of Thanos's hand


def sure_of_thanos(state: GauntletState, seat: i64) -> i64:
    """The cards of Thanos's hand that this seat knows to be there."""
    if seat == 0:
        return state.hands[0]
    seen: i64 = state.depth[seat]
    if seen == NOTHING_SEEN:
        return 0
    sure: i64 = 0
    card: i64 = 0
    while card < THANOS_CARDS:
        if (seen >> (4 * card)) & 15 == 0:
            sure |= i64(1) << card
        card += 1
    return sure & ~state.faceup[0]


def maybe_of_thanos(state: GauntletState, sure: i64) -> i64:
    """The cards that the unknown rest of his hand may be made of."""
    return ALL_THANOS & ~(state.faceup[0] | sure | (state.ruled[0] & LOW))


def chance_of_any(wanted: i64, among: i64, drawn: i64) -> float:
    """How likely some of `wanted` cards are among so many `drawn` from `among`."""
    missed = 1.0
    left: i64 = among
    while drawn > 0 and left > 0:
        missed *= float(left - wanted) / float(left) if left > wanted else 0.0
        left -= 1
        drawn -= 1
    return 1.0 - missed


def chance_held(state: GauntletState, sure: i64, number: i64) -> float:
    """How likely Thanos holds a card of this number, for a seat that is sure of these cards of his hand."""
    if sure & THANOS_OF[number]:
        return 1.0
    maybe: i64 = maybe_of_thanos(state, sure)
    drawn: i64 = size(state.hands[0]) - size(sure)
    among: i64 = size(maybe)
    wanted: i64 = maybe & THANOS_OF[number]
    one_of: i64 = 0 if state.holds & sure else state.holds & maybe
    if one_of == 0:
        return chance_of_any(size(wanted), among, drawn)
    share = float(size(wanted & one_of)) / float(size(one_of))
    return share + (1.0 - share) * chance_of_any(size(wanted & ~one_of), among - 1, drawn - 1)


def edge(state: GauntletState, sure: i64, strength: i64, win: float, loss: float) -> float:
    """What a hero's fight of this strength, tokens included, is worth against a random card of Thanos."""
    held: i64 = size(state.hands[0])
    if held == 0:
        return 0.0
    if state.power[0] > 0:
        strength -= POWER_BONUS
    value = weigh(sure, strength, win, loss)
    unknown: i64 = held - size(sure)
    if unknown > 0:
        maybe: i64 = maybe_of_thanos(state, sure)
        one_of: i64 = 0 if state.holds & sure else state.holds & maybe
        if one_of:
            value += weigh(one_of, strength, win, loss) / float(size(one_of))
            unknown -= 1
        if maybe:
            value += weigh(maybe, strength, win, loss) * float(unknown) / float(size(maybe))
    return value / float(held)


def weigh(mask: i64, strength: i64, win: float, loss: float) -> float:
    """The sum over these Thanos cards of what meeting each is worth."""
    value = 0.0
    card: i64 = 0
    while mask:
        if mask & 1:
            if THANOS_NUMBER[card] < strength:
                value += win
            elif THANOS_NUMBER[card] > strength:
                value -= loss
        mask >>= 1
        card += 1
    return value


# -- what a seat knows of a hero's hand


def maybe_of_hero(state: GauntletState, looking: i64, seat: i64) -> i64:
    """The cards that a hero's hand of one may be, for the seat that looks; a single card when it knows."""
    hand: i64 = state.hands[seat]
    if hand == 0:
        return 0
    certain: i64 = state.known[looking]
    if looking > 0:
        certain |= state.hands[looking]
    if hand & certain:
        return hand & certain
    cycle: i64 = state.cycle[lowest(hand)]
    hidden: i64 = LOW & ~(certain | state.ruled[seat])
    other: i64 = 1
    while other < state.players:
        hidden &= ~state.faceup[other]
        other += 1
    same: i64 = 0
    card: i64 = 0
    while hidden >> card:
        if (hidden >> card) & 1 and state.cycle[card] == cycle:
            same |= i64(1) << card
        card += 1
    return same if same else hidden


def likeliest(maybe: i64) -> i64:
    """The number that most of these hero cards bear; the highest of several."""
    best, most = i64(1), i64(-1)
    number: i64 = 1
    while number <= 6:
        count: i64 = size(maybe & HEROES_OF[number])
        if count >= most:
            best, most = number, count
        number += 1
    return best


def share(mask: i64, maybe: i64) -> float:
    """How likely one of `maybe` is one of `mask`."""
    return float(size(maybe & mask)) / float(size(maybe)) if maybe else 0.0


def edge_over(maybe: i64, strength: i64, win: float, loss: float) -> float:
    """What Thanos's fight with a card of this strength is worth against a hero who holds one of `maybe`."""
    value = 0.0
    among: i64 = size(maybe)
    if among == 0:
        return 0.0
    card: i64 = 0
    while maybe:
        if maybe & 1:
            if NUMBER[card] < strength:
                value += win
            elif NUMBER[card] > strength:
                value -= loss
        maybe >>= 1
        card += 1
    return value / float(among)
