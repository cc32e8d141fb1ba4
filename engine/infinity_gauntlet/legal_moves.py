"""The decisions of Infinity Gauntlet: who decides what, and the legal answers.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import lowest
from engine.infinity_gauntlet import cards
from engine.infinity_gauntlet.card_moves import CardMoves
from engine.infinity_gauntlet.knowledge import OUTRIDERS, STONES, THANOS_OF

# What is being asked. `card` is the card whose effect it is about.
PLAY: Final = 0  # which card to play
TARGET: Final = 1  # which hero player
GUESS: Final = 2  # which number
FIGHT: Final = 3  # a hero: fight Thanos or not
ARRANGE: Final = 4  # which of the looked-at cards comes next; `count` of them lie already
LOSE: Final = 5  # Thanos: which card of the guessed number (`count`) falls
CHALLENGE: Final = 6  # Thanos: which hero to fight, if any; `count` fights were fought, the last against `target`
WITH: Final = 7  # Thanos: which card to fight `target` with
BOTTOM: Final = 8  # Thanos: which card to put under the deck; `count` are due
COPY: Final = 9  # Thanos: which faceup card to copy
END: Final = 10  # Thanos: end the turn, or snap after all

# Actions: a hero card as itself, a Thanos card from 16 on, a number from 32 on, a seat from 40 on, and a few words.
THANOS_CARD: Final = 16
A_NUMBER: Final = 32
A_SEAT: Final = 40
YES: Final = 48
NO: Final = 49
DONE: Final = 50
SNAP: Final = 51

# Effects, by their place in the data file.
GUESS_THANOS: Final = 0
TEAMMATE_PEEKS: Final = 1
MAY_FIGHT_THANOS: Final = 2
GIVE_POWER: Final = 3
ARRANGE_TOP: Final = 4
CHOSEN_MAY_FIGHT: Final = 5
GUESS_ONE: Final = 6
GUESS_ALL: Final = 7
LOW_FALLS: Final = 8
HIGH_FALLS: Final = 9
FIGHT_ONE: Final = 10
FIGHT_TWO: Final = 11
TAKE_ONE: Final = 12
TAKE_THREE: Final = 13
BOTTOM_ONE: Final = 14
BOTTOM_TWO: Final = 15
COPY_FACEUP: Final = 16

HERO_EFFECT: Final = vec[i64](cards.HERO_EFFECTS)
THANOS_EFFECT: Final = vec[i64](cards.THANOS_EFFECTS)
UNPLAYABLE: Final[i64] = 1 << cards.THANOS_IDS.index("thanos")
TIME_STONE: Final[i64] = 1 << cards.THANOS_IDS.index("time-stone")


def one_outrider(mask: i64) -> i64:
    """The two Outriders are the same card twice: where both could be named, one is."""
    return mask & ~2 if mask & OUTRIDERS == OUTRIDERS else mask


class LegalMoves(CardMoves):
    """The question being asked and its legal answers."""

    __slots__ = ()

    def legal(self, acts: vec[i64]) -> i64:
        n: i64 = 0
        if self.phase == PLAY:
            n = self.legal_plays(acts)
        elif self.phase == TARGET:
            n = self.legal_seats(acts, self.turn if self.effect() == TEAMMATE_PEEKS else 0)
        elif self.phase == GUESS:
            number: i64 = 1
            while number <= (6 if self.turn == 0 else 7):
                acts[n] = A_NUMBER + number
                n += 1
                number += 1
        elif self.phase == FIGHT:
            acts[0] = YES
            acts[1] = NO
            n = 2
        elif self.phase == ARRANGE:
            n = self.legal_cards(acts, self.looked_at(), 0)
        elif self.phase == LOSE:
            n = self.legal_cards(acts, one_outrider(self.hands[0] & THANOS_OF[self.count]), THANOS_CARD)
        elif self.phase == CHALLENGE:
            n = self.legal_seats(acts, self.target if self.count and self.players > 2 else 0)
            acts[n] = NO
            n += 1
        elif self.phase == WITH or self.phase == BOTTOM:
            n = self.legal_cards(acts, one_outrider(self.hands[0]), THANOS_CARD)
        elif self.phase == COPY:
            n = self.legal_cards(acts, one_outrider(self.faceup[0] & ~TIME_STONE), THANOS_CARD)
        else:
            acts[0] = DONE
            n = 1
        if self.may_snap():
            acts[n] = SNAP
            n += 1
        return n

    def legal_plays(self, acts: vec[i64]) -> i64:
        if self.turn:
            return self.legal_cards(acts, self.hands[self.turn], 0)
        playable: i64 = self.hands[0] & ~UNPLAYABLE
        if playable:
            return self.legal_cards(acts, one_outrider(playable), THANOS_CARD)
        acts[0] = DONE
        return 1

    def legal_cards(self, acts: vec[i64], mask: i64, first: i64) -> i64:
        n: i64 = 0
        while mask:
            acts[n] = first + lowest(mask)
            n += 1
            mask &= mask - 1
        return n

    def legal_seats(self, acts: vec[i64], but: i64) -> i64:
        n: i64 = 0
        seat: i64 = 1
        while seat < self.players:
            if seat != but:
                acts[n] = A_SEAT + seat
                n += 1
            seat += 1
        return n

    def may_snap(self) -> bool:
        """All six stones in hand and faceup, in Thanos's own turn, and no Ebony Maw or Reality Stone half done."""
        return self.turn == 0 and self.phase != BOTTOM and (self.faceup[0] | self.hands[0]) & STONES == STONES

    def looked_at(self) -> i64:
        """Those of the top three that do not have their new place yet."""
        mask: i64 = 0
        place: i64 = self.count
        while place < 3:
            mask |= i64(1) << ((self.hero_deck >> (4 * place)) & 15)
            place += 1
        return mask

    def effect(self) -> i64:
        """The effect in use: of the card played, or of the one the Time Stone copies."""
        return HERO_EFFECT[self.card] if self.turn else THANOS_EFFECT[self.card]
