"""The components of one player: tokens, recruited cards, reserved cards, tiles.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import bit
from engine.splendor_marvel import cards
from engine.splendor_marvel.packed_counts import GUARD, ONES, minus, total

COST: Final = vec[i64](cards.COSTS)

HIDDEN: Final = 128
"""Marks a reserved card that only its owner has seen."""

ANY_HIDDEN: Final = 0x808080

# A pass in one number: tokens and bonuses together, packed; grey tokens; the places of the cards then hidden.
PASSED_MEANS: Final = (1 << 30) - 1
PASSED_GREY: Final = 30
PASSED_PLACES: Final = 33


def pays_for(card: i64, means: i64, grey: i64) -> bool:
    """Whether so many tokens and bonuses, with so many grey tokens, pay for a card."""
    return total(minus(COST[card], means)) <= grey


def forget_place(passed: i64, place: i64) -> i64:
    """What a pass has shown, after the card in this place left the hand and younger ones moved down."""
    places: i64 = passed >> PASSED_PLACES
    places = (places & (bit(place) - 1)) | ((places >> (place + 1)) << place)
    return 0 if places == 0 else (passed & (bit(PASSED_PLACES) - 1)) | places << PASSED_PLACES


class Team:
    """One player's side of the table. Reserved cards are packed in `hand`, eight bits each, the oldest lowest."""

    __slots__ = (
        "bonuses", "cards", "green", "grey", "hand", "locations", "passed", "points", "recruits_high",
        "recruits_low", "reserved", "tags", "tokens",
    )  # fmt: skip

    def __init__(self) -> None:
        self.tokens: i64 = 0  # the five colours, packed
        self.grey: i64 = 0
        self.green: i64 = 0
        self.bonuses: i64 = 0  # packed like tokens
        self.points: i64 = 0  # of cards, locations and the Avengers tile
        self.tags: i64 = 0
        self.cards: i64 = 0  # how many are recruited
        self.recruits_low: i64 = 0  # which: bit masks of cards 0 to 59 and of 60 to 89
        self.recruits_high: i64 = 0
        self.locations: i64 = 0  # bit mask
        self.hand: i64 = 0
        self.reserved: i64 = 0  # how many are in hand
        self.passed: i64 = 0  # what the latest pass has shown; see `record_pass`

    def clone(self) -> "Team":
        twin = Team()
        twin.tokens = self.tokens
        twin.grey = self.grey
        twin.green = self.green
        twin.bonuses = self.bonuses
        twin.points = self.points
        twin.tags = self.tags
        twin.cards = self.cards
        twin.recruits_low = self.recruits_low
        twin.recruits_high = self.recruits_high
        twin.locations = self.locations
        twin.hand = self.hand
        twin.reserved = self.reserved
        twin.passed = self.passed
        return twin

    def held(self) -> i64:
        """How many tokens, of all colours, grey and green included."""
        return total(self.tokens) + self.grey + self.green

    def affords(self, card: i64) -> bool:
        """Whether bonuses and tokens pay for a card, grey tokens standing in for what is short."""
        return pays_for(card, self.tokens + self.bonuses, self.grey)

    def affordable(self, offer: vec[i64], acts: vec[i64]) -> i64:
        """Write, ascending, those cards of the offer and of the hand that can be paid for; returns how many.

        This is `affords`, written out because most of a random match is spent here: first whether no colour is short.
        """
        means: i64 = self.tokens + self.bonuses
        guarded: i64 = means | GUARD
        grey: i64 = self.grey
        n: i64 = 0
        for card in offer:
            if (guarded - COST[card]) & GUARD == GUARD or (grey and total(minus(COST[card], means)) <= grey):
                acts[n] = card
                n += 1
        hand: i64 = self.hand
        i: i64 = self.reserved
        while i > 0:
            card = hand & 127
            if (guarded - COST[card]) & GUARD == GUARD or (grey and total(minus(COST[card], means)) <= grey):
                j: i64 = n
                while j > 0 and acts[j - 1] > card:
                    acts[j] = acts[j - 1]
                    j -= 1
                acts[j] = card
                n += 1
            hand >>= 8
            i -= 1
        return n

    def assembles(self, goal: i64) -> bool:
        """Whether the conditions of the Infinity Gauntlet are met."""
        return self.points >= goal and self.green == 1 and minus(ONES, self.bonuses) == 0

    def card_at(self, place: i64) -> i64:
        return (self.hand >> (8 * place)) & 127

    def hides(self, place: i64) -> bool:
        """Whether only this player has seen the reserved card."""
        return (self.hand >> (8 * place)) & HIDDEN != 0

    def keep(self, marked: i64) -> None:
        """Add a card, with or without the `HIDDEN` mark, to the hand."""
        self.hand |= marked << (8 * self.reserved)
        self.reserved += 1

    def show(self, card: i64) -> bool:
        """Let all see a reserved card; False when it is not in hand or was seen before."""
        if self.hand & ANY_HIDDEN == 0:
            return False
        place: i64 = 0
        while place < self.reserved:
            if (self.hand >> (8 * place)) & 255 == card | HIDDEN:
                self.hand -= HIDDEN * bit(8 * place)
                return True
            place += 1
        return False

    def swap(self, place: i64, card: i64) -> None:
        """Make a reserved card another one, hidden as it was."""
        self.hand += (card - self.card_at(place)) << (8 * place)

    def release(self, card: i64) -> bool:
        """Take a card out of the hand; False when it is not there."""
        hand: i64 = self.hand
        place: i64 = 0
        while place < self.reserved:
            if (hand >> (8 * place)) & 127 == card:
                younger: i64 = hand >> (8 * place + 8)
                self.hand = (hand & (bit(8 * place) - 1)) | (younger << (8 * place))
                self.reserved -= 1
                if self.passed != 0:
                    self.passed = forget_place(self.passed, place)
                return True
            place += 1
        return False

    def record_pass(self) -> None:
        """Record what a pass reveals to all: with these tokens and bonuses no hidden card could be paid for."""
        places: i64 = 0
        place: i64 = 0
        while place < self.reserved:
            if self.hides(place):
                places |= bit(place)
            place += 1
        if places != 0:
            self.passed = (self.tokens + self.bonuses) | self.grey << PASSED_GREY | places << PASSED_PLACES

    def excludes(self, place: i64, card: i64) -> bool:
        """Whether the latest pass has shown that this hidden place cannot hold this card."""
        if (self.passed >> PASSED_PLACES >> place) & 1 == 0:
            return False
        return pays_for(card, self.passed & PASSED_MEANS, (self.passed >> PASSED_GREY) & 7)

    def enlist(self, card: i64) -> None:
        """Count a card among the recruited."""
        self.cards += 1
        if card < 60:
            self.recruits_low |= bit(card)
        else:
            self.recruits_high |= bit(card - 60)

    def recruited(self, card: i64) -> bool:
        if card < 60:
            return (self.recruits_low >> card) & 1 != 0
        return (self.recruits_high >> (card - 60)) & 1 != 0

    def ints(self) -> tuple[int, ...]:
        return (
            self.tokens, self.grey, self.green, self.bonuses, self.points, self.tags, self.cards,
            self.recruits_low, self.recruits_high, self.locations, self.hand, self.reserved, self.passed,
        )  # fmt: skip
