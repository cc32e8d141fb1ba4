"""What a seat is asked, and with what it may answer.

Answers are numbered by card, colour and location, never by place, so that a search can compare worlds in which the
market was filled differently.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.splendor_marvel.components import FULL_DECKS, Components
from engine.splendor_marvel.packed_counts import LANES, minus, present, total

# What is asked.
CHOOSE: Final = 0  # one of the four actions, as at the start of every turn
TAKE: Final = 1  # the next token; `taken` are those of this turn
PAY: Final = 2  # a grey token in place of a coloured one; the operands are `card`, `price` and `greys`
RETURN: Final = 3  # a token above ten
VISIT: Final = 4  # one of several locations

# Answers, ascending; the first number of each kind.
RECRUIT: Final = 0  # + card
RESERVE: Final = 90  # + card
RESERVE_BLIND: Final = 180  # + level
TAKE_TOKEN: Final = 183  # + colour
STOP: Final = 188
SPEND_GREY: Final = 189  # + colour
PAY_NOW: Final = 194
GIVE_BACK: Final = 195  # + colour, or GREY
TAKE_LOCATION: Final = 201  # + location
PASS: Final = 209

GREY: Final = 5

RESERVE_LIMIT: Final = 3
PILE_FOR_TWO: Final = 4


class LegalMoves(Components):
    """The legal answers to each question; what they do is in `state`."""

    __slots__ = ()

    def legal(self, acts: vec[i64]) -> i64:
        if self.phase == CHOOSE:
            return self.legal_actions(acts)
        if self.phase == TAKE:
            return self.legal_tokens(acts)
        if self.phase == PAY:
            return self.legal_payments(acts)
        if self.phase == RETURN:
            return self.legal_returns(acts)
        return self.legal_visits(acts)

    def legal_actions(self, acts: vec[i64]) -> i64:
        me = self.teams[self.seat]
        n = me.affordable(self.offer, acts)
        if me.reserved < RESERVE_LIMIT:
            for card in self.offer:
                acts[n] = RESERVE + card
                n += 1
            n = write(FULL_DECKS - self.drawn, RESERVE_BLIND, acts, n)
        n = write(self.bank, TAKE_TOKEN, acts, n)
        if n == 0:
            acts[n] = PASS
            n += 1
        return n

    def legal_tokens(self, acts: vec[i64]) -> i64:
        """The tokens that may follow: of a new colour, or after the first token its twin."""
        tokens = present(self.bank) & ~self.taken
        if self.taken & (self.taken - 1) == 0 and minus((PILE_FOR_TWO - 1) * self.taken, self.bank) == 0:
            tokens += self.taken
        n = write(tokens, TAKE_TOKEN, acts, 0)
        if n < 3 and total(present(self.bank + self.taken)) < 3:
            acts[n] = STOP
            n += 1
        return n

    def legal_payments(self, acts: vec[i64]) -> i64:
        n = write(self.price, SPEND_GREY, acts, 0)
        acts[n] = PAY_NOW
        return n + 1

    def legal_returns(self, acts: vec[i64]) -> i64:
        me = self.teams[self.seat]
        n = write(me.tokens, GIVE_BACK, acts, 0)
        if me.grey > 0:
            acts[n] = GIVE_BACK + GREY
            n += 1
        return n

    def legal_visits(self, acts: vec[i64]) -> i64:
        earned = self.earned_by(self.teams[self.seat])
        n: i64 = 0
        site: i64 = 0
        while site < 8:
            if (earned >> site) & 1:
                acts[n] = TAKE_LOCATION + site
                n += 1
            site += 1
        return n


def write(counts: i64, first: i64, acts: vec[i64], n: i64) -> i64:
    """Add an answer for each colour that there is any of, numbered from `first`; returns how many there are now."""
    for lane in LANES:
        if counts & lane:
            acts[n] = first
            n += 1
        first += 1
    return n
