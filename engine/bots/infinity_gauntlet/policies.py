"""Policies for Infinity Gauntlet: a beginner, and a club player who counts cards.

Both use only what the seat to act may know; see `evaluation.py`.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import lowest
from engine.bots.infinity_gauntlet.evaluation import (  # fmt: skip
    HIGH_HEROES,
    aim_at,
    best_fight,
    best_guess_of,
    fight_with,
    guess_value,
    hero_fight,
    hero_play,
    hits_of_all,
    keep_value,
    needs_peek,
    seen_cards,
    sent_fight,
    thanos_effect,
    thanos_play,
)
from engine.bots.infinity_gauntlet.probabilities import chance_held, maybe_of_hero, share, sure_of_thanos  # fmt: skip
from engine.bots.tree_search import Policy
from engine.infinity_gauntlet.knowledge import HEROES_OF, NUMBER, STONES  # fmt: skip
from engine.infinity_gauntlet.legal_moves import (  # fmt: skip
    A_NUMBER,
    A_SEAT,
    BOTTOM,
    CHALLENGE,
    CHOSEN_MAY_FIGHT,
    COPY,
    DONE,
    FIGHT,
    GUESS,
    GUESS_ALL,
    LOSE,
    NO,
    PLAY,
    SNAP,
    TARGET,
    TEAMMATE_PEEKS,
    THANOS_CARD,
    THANOS_EFFECT,
    WITH,
    YES,
)
from engine.infinity_gauntlet.state import GauntletState
from engine.rng import Rng
from engine.state import GameState

WON: Final = 100.0
EVEN: Final = 0.005
"""Two answers whose values differ by less are equal to a club player."""

DRAWN_FIRST: Final = vec[float]([0.0, 5.0, 2.0, 4.0, 1.0, 0.0, 3.0])
"""Which numbers a hero wants on top of the deck, highest value first."""


class ClubPlay(Policy):
    """Counts unseen cards, guesses the likeliest, fights when the odds are good: plays like a club player.

    Between answers that differ by less than `random_margin` the choice is random: other players are not predictable.
    """

    def __init__(self, random_margin: float = EVEN) -> None:
        self.lot: float = random_margin / 256.0

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, GauntletState)
        count = state.legal(acts)
        if count == 1:
            return acts[0]
        if acts[count - 1] == SNAP:
            return SNAP
        seat = state.seat
        sure: i64 = sure_of_thanos(state, seat) if seat else seen_cards(state)
        best, best_value = acts[0], -99.0
        i: i64 = 0
        while i < count:
            value = self.value(state, seat, acts[i], sure) + self.lot * float(rng.below(256))
            if value > best_value:
                best, best_value = acts[i], value
            i += 1
        return best

    def weigh(self, state: GameState, action: i64) -> float:
        """What an answer of the seat to act is worth to it, in lives of the heroes."""
        assert isinstance(state, GauntletState)
        seat = state.seat
        return self.value(state, seat, action, sure_of_thanos(state, seat) if seat else seen_cards(state))

    def value(self, state: GauntletState, seat: i64, action: i64, sure: i64) -> float:
        """What an answer is worth to the seat; `sure` is what it knows of Thanos's hand, or heroes do of his own."""
        phase = state.phase
        if action in (SNAP, DONE):
            return WON if action == SNAP else 0.0
        if phase == PLAY:
            if seat:
                return hero_play(state, seat, action, lowest(state.hands[seat] & ~(i64(1) << action)), sure)
            return thanos_play(state, action - THANOS_CARD, sure)
        if phase == TARGET:
            effect = state.effect()
            if seat == 0:
                return aim_at(state, effect, action - A_SEAT)
            return self.aim_value(state, seat, effect, action - A_SEAT, sure)
        if phase == GUESS:
            number: i64 = action - A_NUMBER
            if seat:
                return guess_value(state, sure, number)
            if state.effect() == GUESS_ALL:
                return hits_of_all(state, number)
            return share(HEROES_OF[number], maybe_of_hero(state, 0, state.target))
        if phase == FIGHT:
            return hero_fight(state, sure, seat, lowest(state.hands[seat])) if action == YES else 0.0
        if phase == CHALLENGE:
            return 0.0 if action == NO else best_fight(state, state.hands[0], action - A_SEAT)
        if phase == WITH:
            return fight_with(state, action - THANOS_CARD, state.target)
        if phase == BOTTOM:
            return -keep_value(state, action - THANOS_CARD, sure)
        if phase == COPY:
            return thanos_effect(state, THANOS_EFFECT[action - THANOS_CARD], state.hands[0])
        if phase == LOSE:
            return 0.0 if (STONES >> (action - THANOS_CARD)) & 1 else 1.0
        return DRAWN_FIRST[NUMBER[action]]  # which of the looked-at cards comes next

    def aim_value(self, state: GauntletState, seat: i64, effect: i64, other: i64, sure: i64) -> float:
        """What it is worth to the heroes that this one of them peeks, takes a token or may fight."""
        if effect == TEAMMATE_PEEKS:
            return needs_peek(state, seat, other)
        if effect == CHOSEN_MAY_FIGHT:
            if other == seat:
                return hero_fight(state, sure, seat, lowest(state.hands[seat]))
            return sent_fight(state, sure, seat, other)
        maybe: i64 = maybe_of_hero(state, seat, other)
        return share(HIGH_HEROES, maybe) - 0.3 * float(state.power[other])


class Beginner(Policy):
    """Plays random moves, but snaps, guesses only possible numbers, and avoids fights it will almost surely lose."""

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, GauntletState)
        count = state.legal(acts)
        if acts[count - 1] == SNAP:
            return SNAP
        action = acts[rng.below(count)]
        tries: i64 = 0
        while tries < 8 and self.blunders(state, action):
            action = acts[rng.below(count)]
            tries += 1
        return action

    def blunders(self, state: GauntletState, action: i64) -> bool:
        seat, phase = state.seat, state.phase
        if phase == GUESS:
            number: i64 = action - A_NUMBER
            if seat:
                return chance_held(state, sure_of_thanos(state, seat), number) == 0.0
            return best_guess_of(state, number) == 0.0
        if phase == FIGHT and action == YES:
            return hero_fight(state, sure_of_thanos(state, seat), seat, lowest(state.hands[seat])) < -0.5
        if phase == WITH:
            return fight_with(state, action - THANOS_CARD, state.target) < -0.5
        if phase == CHALLENGE and action != NO:
            return best_fight(state, state.hands[0], action - A_SEAT) < -0.5
        return phase == BOTTOM and bool((STONES >> (action - THANOS_CARD)) & 1)
