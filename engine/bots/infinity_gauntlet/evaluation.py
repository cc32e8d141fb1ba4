"""The value of each answer in Infinity Gauntlet for a club player who counts cards, in lives of the heroes.

Only what the seat may know is used; see `probabilities.py`.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import size
from engine.bots.infinity_gauntlet.probabilities import (  # fmt: skip
    chance_held,
    edge,
    edge_over,
    likeliest,
    maybe_of_hero,
    maybe_of_thanos,
    share,
    sure_of_thanos,
)
from engine.infinity_gauntlet.card_moves import POWER_BONUS
from engine.infinity_gauntlet.knowledge import (  # fmt: skip
    HEROES_OF,
    NUMBER,
    STONES,
    THANOS_CARDS,
    THANOS_NUMBER,
    THANOS_OF,
)
from engine.infinity_gauntlet.legal_moves import (  # fmt: skip
    ARRANGE_TOP,
    BOTTOM_ONE,
    COPY_FACEUP,
    FIGHT_ONE,
    FIGHT_TWO,
    GIVE_POWER,
    GUESS_ALL,
    GUESS_ONE,
    GUESS_THANOS,
    HERO_EFFECT,
    HIGH_FALLS,
    LOW_FALLS,
    MAY_FIGHT_THANOS,
    TAKE_ONE,
    TAKE_THREE,
    TEAMMATE_PEEKS,
    THANOS_EFFECT,
    UNPLAYABLE,
)
from engine.infinity_gauntlet.state import GauntletState

LOW_HEROES: Final[i64] = HEROES_OF[1] | HEROES_OF[2] | HEROES_OF[3]
HIGH_HEROES: Final[i64] = HEROES_OF[3] | HEROES_OF[4] | HEROES_OF[5] | HEROES_OF[6]

# Values for Thanos, in lives of the heroes.
TOKEN_OF_THANOS: Final = 0.3
THREE_TOKENS: Final = 0.66
SECOND_FIGHT: Final = 0.6
DIG: Final = 0.25
DIG_TWICE: Final = 0.4
STONE: Final = 0.35
STONE_IN_A_ROW: Final = 0.05
STONE_RISKED: Final = 0.35
SEEN_BY_HEROES: Final = 0.25
KEPT_BY_THANOS: Final = vec[float]([0.0, -0.1, 0.0, 0.05, 0.05, 0.25, 0.2, 0.3])
"""By number: the value of a card in his hand, for later fights and because it may not be guessed."""

# Values for the heroes.
TOKEN: Final = 0.4
PEEK: Final = 0.3
ARRANGED: Final = 0.15
STONE_HIT: Final = 0.35
FIGHT_GAIN: Final = 0.17
SEEN_BY_THANOS: Final = 0.1
KEPT: Final = vec[float]([0.0, 0.05, 0.05, 0.1, 0.1, 0.2, 0.2])


def life_rate(state: GauntletState) -> float:
    """The value of a life of Thanos: both sides lose lives at a similar rate, so the weaker side's count more."""
    return float(state.heroes_life) / float(state.thanos_life)


# -- values for Thanos


def thanos_effect(state: GauntletState, effect: i64, hand: i64) -> float:
    """What an effect is worth to Thanos with this hand left."""
    if effect == GUESS_ALL:
        return best_of_all(state)
    if effect == TAKE_ONE:
        return TOKEN_OF_THANOS
    if effect == TAKE_THREE:
        return THREE_TOKENS
    if effect == COPY_FACEUP:
        return best_copy(state, hand)
    if effect in (GUESS_ONE, LOW_FALLS, HIGH_FALLS):
        return best_aim(state, effect)
    if effect in (FIGHT_ONE, FIGHT_TWO):
        first = best_challenge(state, hand, 0)
        return first if effect == FIGHT_ONE else first + SECOND_FIGHT * first
    missing: i64 = size(STONES & ~(state.faceup[0] | hand))
    if missing == 0 or state.thanos_left == 0:
        return 0.0
    return DIG if effect == BOTTOM_ONE else DIG_TWICE


def best_of_all(state: GauntletState) -> float:
    best = 0.0
    number: i64 = 1
    while number <= 6:
        hits = hits_of_all(state, number)
        if hits > best:
            best = hits
        number += 1
    return best


def hits_of_all(state: GauntletState, number: i64) -> float:
    """How many heroes are expected to hold a number."""
    hits = 0.0
    seat: i64 = 1
    while seat < state.players:
        hits += share(HEROES_OF[number], maybe_of_hero(state, 0, seat))
        seat += 1
    return hits


def aim_at(state: GauntletState, effect: i64, seat: i64) -> float:
    """How likely a hero falls to this effect."""
    maybe: i64 = maybe_of_hero(state, 0, seat)
    if effect == LOW_FALLS:
        return share(LOW_HEROES, maybe)
    if effect == HIGH_FALLS:
        return share(HIGH_HEROES, maybe)
    return share(HEROES_OF[likeliest(maybe)], maybe)


def best_aim(state: GauntletState, effect: i64) -> float:
    best = 0.0
    seat: i64 = 1
    while seat < state.players:
        chance = aim_at(state, effect, seat)
        if chance > best:
            best = chance
        seat += 1
    return best


def fight_with(state: GauntletState, card: i64, seat: i64) -> float:
    """What Thanos's fight against a hero with this card is worth."""
    strength: i64 = THANOS_NUMBER[card]
    if state.power[0] > 0:
        strength += POWER_BONUS
    if state.power[seat] > 0:
        strength -= POWER_BONUS
    loss = life_rate(state) + (STONE_RISKED if (STONES >> card) & 1 else 0.0)
    return edge_over(maybe_of_hero(state, 0, seat), strength, 1.0, loss)


def best_challenge(state: GauntletState, hand: i64, but: i64) -> float:
    """The best fight with a card of this hand; never less than none at all."""
    best = 0.0
    seat: i64 = 1
    while seat < state.players:
        if seat != but:
            value = best_fight(state, hand, seat)
            if value > best:
                best = value
        seat += 1
    return best


def best_fight(state: GauntletState, hand: i64, seat: i64) -> float:
    best = -9.0
    card: i64 = 0
    while hand >> card:
        if (hand >> card) & 1:
            value = fight_with(state, card, seat)
            if value > best:
                best = value
        card += 1
    return best


def best_copy(state: GauntletState, hand: i64) -> float:
    best = 0.0
    card: i64 = 0
    while card < THANOS_CARDS:
        if (state.faceup[0] >> card) & 1 and THANOS_EFFECT[card] != COPY_FACEUP and not (UNPLAYABLE >> card) & 1:
            value = thanos_effect(state, THANOS_EFFECT[card], hand)
            if value > best:
                best = value
        card += 1
    return best


def seen_cards(state: GauntletState) -> i64:
    """The cards of Thanos's hand that some hero has seen there."""
    seen: i64 = 0
    seat: i64 = 1
    while seat < state.players:
        seen |= sure_of_thanos(state, seat)
        seat += 1
    return seen & state.hands[0]


def stone_value(state: GauntletState) -> float:
    """The value of a stone that is played and safe: more for each one already safe."""
    return STONE + STONE_IN_A_ROW * float(size(state.faceup[0] & STONES))


def thanos_play(state: GauntletState, card: i64, seen: i64) -> float:
    hand: i64 = state.hands[0] & ~(i64(1) << card)
    value = thanos_effect(state, THANOS_EFFECT[card], hand) - KEPT_BY_THANOS[THANOS_NUMBER[card]]
    if (STONES >> card) & 1:
        value += stone_value(state)
    if (seen >> card) & 1:
        value += SEEN_BY_HEROES * life_rate(state)
    return value


def keep_value(state: GauntletState, card: i64, seen: i64) -> float:
    """What a card in hand is worth to Thanos, when he must put some away."""
    value = KEPT_BY_THANOS[THANOS_NUMBER[card]]
    if (STONES >> card) & 1:
        value += 2.0
    elif not (UNPLAYABLE >> card) & 1:
        value += 0.5 * thanos_effect(state, THANOS_EFFECT[card], state.hands[0] & ~(i64(1) << card))
    if (seen >> card) & 1:
        value -= SEEN_BY_HEROES
    return value


def best_guess_of(state: GauntletState, number: i64) -> float:
    """How many hits Thanos may expect of a number, of the hero he aims at or of all."""
    if state.effect() == GUESS_ALL:
        return hits_of_all(state, number)
    return share(HEROES_OF[number], maybe_of_hero(state, 0, state.target))


# -- values for the heroes


def guess_value(state: GauntletState, sure: i64, number: i64) -> float:
    """How likely a guess hits, a little more where it would cost Thanos a stone."""
    chance = chance_held(state, sure, number)
    hidden: i64 = (sure | maybe_of_thanos(state, sure)) & THANOS_OF[number]
    return chance * (life_rate(state) + STONE_HIT * share(STONES, hidden))


def best_guess(state: GauntletState, sure: i64) -> float:
    best = 0.0
    number: i64 = 1
    while number <= 7:
        value = guess_value(state, sure, number)
        if value > best:
            best = value
        number += 1
    return best


def hero_fight(state: GauntletState, sure: i64, seat: i64, card: i64) -> float:
    """What a fight of this hero with this card is worth."""
    strength: i64 = NUMBER[card]
    if state.power[seat] > 0:
        strength += POWER_BONUS
    return edge(state, sure, strength, life_rate(state) + FIGHT_GAIN, 1.0)


def sent_fight(state: GauntletState, sure: i64, looking: i64, seat: i64) -> float:
    """What sending a hero to fight is worth to one who may not know what they hold: they need not accept."""
    maybe: i64 = maybe_of_hero(state, looking, seat)
    among: i64 = size(maybe)
    if among == 0:
        return 0.0
    value = 0.0
    card: i64 = 0
    while maybe >> card:
        if (maybe >> card) & 1:
            fight = hero_fight(state, sure, seat, card)
            if fight > 0:
                value += fight
        card += 1
    return value / float(among)


def best_sent(state: GauntletState, sure: i64, looking: i64, kept: i64) -> float:
    best = hero_fight(state, sure, looking, kept)
    seat: i64 = 1
    while seat < state.players:
        if seat != looking:
            value = sent_fight(state, sure, looking, seat)
            if value > best:
                best = value
        seat += 1
    return best if best > 0 else 0.0


def hero_play(state: GauntletState, seat: i64, card: i64, kept: i64, sure: i64) -> float:
    """What playing one card and keeping the other is worth to the heroes."""
    effect: i64 = HERO_EFFECT[card]
    value = KEPT[NUMBER[kept]]
    if (state.known[0] >> kept) & 1:
        value -= SEEN_BY_THANOS
    if effect == GUESS_THANOS:
        return value + best_guess(state, sure)
    if effect == TEAMMATE_PEEKS:
        return value + PEEK * life_rate(state)
    if effect == MAY_FIGHT_THANOS:
        fight = hero_fight(state, sure, seat, kept)
        return value + fight if fight > 0 else value
    if effect == GIVE_POWER:
        return value + TOKEN
    if effect == ARRANGE_TOP:
        return value + ARRANGED
    return value + best_sent(state, sure, seat, kept)


def needs_peek(state: GauntletState, seat: i64, other: i64) -> float:
    """How much it helps that another hero looks: the sooner their turn, the better; less if they know already."""
    wait: i64 = (other - seat + state.players - 1) % (state.players - 1)
    return 1.0 / float(1 + wait) - 0.4 * float(size(sure_of_thanos(state, other)))
