"""Moving the cards of Infinity Gauntlet: draw, reveal, defeat, shuffle, look, fight.

Every move also updates what the seats know; see `knowledge.py`.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from mypy_extensions import i64

from engine.bitset import lowest, size
from engine.infinity_gauntlet import event_kinds
from engine.infinity_gauntlet.knowledge import (  # fmt: skip
    ANYWHERE,
    GONE,
    HALF,
    HEROES_OF,
    LANE,
    LOWEST_BITS,
    NOTHING_SEEN,
    NUMBER,
    OUTRIDERS,
    RETURNING,
    THANOS_CARDS,
    THANOS_NUMBER,
    THANOS_OF,
    Knowledge,
    aged,
    shuffled,
)

POWER_BONUS: Final = 2


def above(number: i64) -> i64:
    """The Thanos cards of a higher number."""
    mask: i64 = 0
    while number < 7:
        number += 1
        mask |= THANOS_OF[number]
    return mask


def up_to(number: i64) -> i64:
    """The hero cards of this number or lower."""
    mask: i64 = 0
    number = number if number < 6 else 6
    while number > 0:
        mask |= HEROES_OF[number]
        number -= 1
    return mask


class CardMoves(Knowledge):
    """How cards move; the rules of the turn are in `state.py`."""

    __slots__ = ()

    # -- hero cards

    def draw_hero(self, seat: i64) -> None:
        """Draw the top hero card; the deck is rebuilt as soon as it runs out."""
        card: i64 = self.hero_deck & 15
        self.hero_deck >>= 4
        self.hero_left -= 1
        self.hands[seat] |= i64(1) << card
        self.came_in(seat)
        self.luck += 1
        self.log_event(event_kinds.DREW, seat)
        self.log_event(event_kinds.DREW_CARD, seat, i64(1) << seat, card)
        if self.hero_left == 0:
            self.rebuild()

    def rebuild(self) -> None:
        """Shuffle all faceup hero cards, once all have seen them, and put them under what is left of the deck."""
        pile: i64 = 0
        seat: i64 = 1
        while seat < self.players:
            pile |= self.faceup[seat]
            self.faceup[seat] = 0
            seat += 1
        self.cycles += 1
        fresh: i64 = 0
        count: i64 = 0
        left: i64 = pile
        while left:
            card: i64 = lowest(left)
            left &= left - 1
            fresh |= card << (4 * count)
            count += 1
            self.cycle[card] = self.cycles
        self.hero_deck |= shuffled(fresh, count, self.hero_luck) << (4 * self.hero_left)
        self.hero_left += count
        seat = 0
        while seat < self.players:
            self.known[seat] &= ~pile
            self.loose[seat] &= ~(pile | (pile << HALF))
            seat += 1
        self.jumble &= ~pile
        self.jumble_before &= ~pile
        self.luck += 1
        self.log_event(event_kinds.REBUILT, 0, -1, count, pile)

    def reveal_hero(self, seat: i64, card: i64) -> None:
        """A card of a hero's hand is put faceup, played or defeated."""
        self.hands[seat] &= ~(i64(1) << card)
        self.faceup[seat] |= i64(1) << card
        if ((self.jumble | self.jumble_before) >> card) & 1:
            self.leave_jumble(card, self.hands[seat])
        self.went_out(seat, card)
        if self.ties & LANE[seat]:
            self.shed[seat] |= i64(1) << card
            if self.hands[seat] == 0:
                self.ties |= LANE[seat] & GONE
        if self.met:
            self.met = aged(self.met, i64(1) << (4 * seat)) if self.hands[seat] else self.met & ~LANE[seat]
        self.luck += 1

    def lose_hero(self, seat: i64) -> None:
        """The hero team loses 1 life and the card is discarded; the redraw comes after."""
        card: i64 = lowest(self.hands[seat])
        self.heroes_life -= 1
        self.reveal_hero(seat, card)
        self.log_event(event_kinds.DEFEATED, seat, -1, card, self.heroes_life)
        if self.heroes_life == 0:
            self.end(event_kinds.HEROES_OUT)

    def defeat_hero(self, seat: i64) -> None:
        self.lose_hero(seat)
        if not self.over:
            self.draw_hero(seat)

    def look(self, seat: i64) -> None:
        """See the top three of the hero deck, rebuilt first under what is left when there are fewer."""
        if self.hero_left < 3:
            self.rebuild()
        first: i64 = self.hero_deck & 15
        second: i64 = (self.hero_deck >> 4) & 15
        third: i64 = (self.hero_deck >> 8) & 15
        self.known[seat] |= (i64(1) << first) | (i64(1) << second) | (i64(1) << third)
        self.luck += 1
        self.log_event(event_kinds.LOOKED, seat)
        self.log_event(event_kinds.LOOKED_CARDS, seat, i64(1) << seat, first, second, third)

    def jumble_top(self, seat: i64) -> None:
        """A seat begins to put the top three cards back: the others no longer know which of them is where."""
        three: i64 = 0
        place: i64 = 0
        while place < 3:
            three |= i64(1) << ((self.hero_deck >> (4 * place)) & 15)
            place += 1
        other: i64 = 1
        while other < self.players:
            if other != seat:
                self.loose[other] |= self.known[other] & three
                self.known[other] &= ~three
            other += 1
        self.loose[seat] &= ~three
        if self.jumble_before & three:
            three |= self.jumble_before
            self.jumble_before = 0
        if self.jumble & three:
            three |= self.jumble
        elif self.jumble:
            self.jumble_before = self.jumble
        self.jumble = three
        jumbled: i64 = self.jumble | self.jumble_before
        other = 1
        while other < self.players:
            self.loose[other] &= jumbled | (jumbled << HALF)
            other += 1

    def leave_jumble(self, card: i64, rest: i64) -> None:
        """A card of a jumble leaves a hand and is seen by all. For the others, the card still in that hand may be the
        one from the jumble, unless the two come from different shuffles, which everyone knows."""
        if rest and self.cycle[lowest(rest)] == self.cycle[card]:
            self.learn_of_jumble(card, rest, (self.jumble | self.jumble_before) & rest != 0)
            if (self.jumble >> card) & 1:
                self.jumble |= rest
            else:
                self.jumble_before |= rest
        self.jumble &= ~(i64(1) << card)
        self.jumble_before &= ~(i64(1) << card)
        if self.jumble & self.jumble_before:
            self.jumble |= self.jumble_before
            self.jumble_before = 0

    def learn_of_jumble(self, card: i64, rest: i64, both: bool) -> None:
        """What the seats learn when one of two cards in a hand is revealed. A seat that knew that card, or knew that it
        was not from a jumble, knows that the other card is not from one either. When both may be from a jumble, a seat
        that did not know the revealed card no longer knows which of them is not."""
        seat: i64 = 0
        while seat < self.players:
            saw: bool = ((self.known[seat] | self.loose[seat]) >> card) & 1 != 0
            if both:
                if not saw:
                    self.loose[seat] &= ~(rest << HALF)
            elif saw or (self.loose[seat] >> (HALF + card)) & 1:
                self.loose[seat] |= rest << HALF
            seat += 1

    # -- Thanos cards

    def draw_thanos(self) -> None:
        """Draw the top Thanos card; with an empty deck the draw is skipped."""
        if self.thanos_left == 0:
            return
        card: i64 = self.thanos_deck & 15
        self.thanos_deck >>= 4
        self.thanos_left -= 1
        self.hands[0] |= i64(1) << card
        self.placed &= ~(i64(1) << card)
        self.came_in(0)
        self.luck += 1
        self.log_event(event_kinds.DREW, 0)
        self.log_event(event_kinds.DREW_CARD, 0, 1, card)
        if self.thanos_left == 0:
            self.show_hand()

    def reveal_thanos(self, card: i64) -> None:
        """A card leaves Thanos's hand for all to see."""
        self.hands[0] &= ~(i64(1) << card)
        self.went_out(0, card)
        if (self.holds >> card) & 1:
            self.holds = 0
        if self.left_since_tie:
            self.ties = 0
        self.left_since_tie = i64(1) << card if self.ties else 0
        self.hand_changed()
        self.luck += 1
        lane: i64 = LANE[card]
        seat: i64 = 0
        while seat < self.players:
            if (OUTRIDERS >> card) & 1:
                self.sink(seat, 1 - card, self.depth_of(seat, card))
            self.depth[seat] |= lane
            seat += 1

    def defeat_thanos(self, card: i64) -> None:
        """Thanos loses 1 life, discards, redraws; a card that returns is shuffled in after the redraw."""
        self.thanos_life -= 1
        self.reveal_thanos(card)
        self.log_event(event_kinds.DEFEATED, 0, -1, card, self.thanos_life)
        if self.thanos_life == 0:
            self.faceup[0] |= i64(1) << card
            self.end(event_kinds.THANOS_OUT)
        elif (RETURNING >> card) & 1:
            self.draw_thanos()
            self.shuffle_in(card)
        else:
            self.faceup[0] |= i64(1) << card
            self.draw_thanos()

    def shuffle_in(self, card: i64) -> None:
        self.thanos_deck |= card << (4 * self.thanos_left)
        self.thanos_left += 1
        self.thanos_deck = shuffled(self.thanos_deck, self.thanos_left, self.thanos_luck)
        self.placed = 0
        self.rule_out(0, i64(1) << card)
        seat: i64 = 0
        while seat < self.players:
            deep: i64 = self.depth[seat]
            deep = (deep | (deep >> 1) | (deep >> 2) | (deep >> 3)) & LOWEST_BITS
            self.depth[seat] = deep * ANYWHERE
            seat += 1
        self.luck += 1
        self.log_event(event_kinds.SHUFFLED_IN, 0, -1, card)

    def bottom(self, card: i64) -> None:
        """Thanos puts a card of his hand under his deck, unseen."""
        self.hands[0] &= ~(i64(1) << card)
        self.thanos_deck |= card << (4 * self.thanos_left)
        self.thanos_left += 1
        self.placed |= i64(1) << card
        self.holds = 0
        self.ties = 0
        self.left_since_tie = 0
        self.hand_changed()
        seat: i64 = 0
        while seat < self.players:
            if self.depth[seat] != NOTHING_SEEN:
                each: i64 = 0
                while each < THANOS_CARDS:
                    deep: i64 = self.depth_of(seat, each) + 1
                    self.sink(seat, each, ANYWHERE if deep >= self.thanos_left else deep)
                    each += 1
            seat += 1
        self.log_event(event_kinds.BOTTOMED, 0)
        self.log_event(event_kinds.BOTTOMED_CARD, 0, 1, card)

    def any_of_hand(self) -> i64:
        """A random card of Thanos's hand."""
        hand: i64 = self.hands[0]
        skip: i64 = self.rng.below(size(hand))
        while skip > 0:
            hand &= hand - 1
            skip -= 1
        self.luck += 1
        return lowest(hand)

    def peek(self, seat: i64) -> None:
        """A hero looks at a random card of Thanos, who sees which one it is."""
        if self.hands[0]:
            card: i64 = self.any_of_hand()
            self.see(seat, card)
            self.log_event(event_kinds.PEEKED, seat)
            self.log_event(event_kinds.PEEKED_CARD, seat, (i64(1) << seat) | 1, card)

    # -- fights

    def fight(self, hero: i64, theirs: i64) -> None:
        """The two compare cards in secret; each spends a power token if they have one; the lower card is defeated."""
        ours: i64 = lowest(self.hands[hero])
        bonus: i64 = self.spend_power(hero)
        their_bonus: i64 = self.spend_power(0)
        number: i64 = NUMBER[ours] + bonus
        their_number: i64 = THANOS_NUMBER[theirs] + their_bonus
        self.see(hero, theirs)
        self.known[0] |= i64(1) << ours
        self.met = (self.met & ~LANE[hero]) | (LANE[hero] & LOWEST_BITS)
        self.luck += 1
        self.log_event(event_kinds.FOUGHT, hero, -1, bonus, their_bonus)
        self.log_event(event_kinds.FOUGHT_CARDS, hero, (i64(1) << hero) | 1, ours, theirs)
        if number == their_number:
            self.ties = (self.ties & ~LANE[hero]) | ((4 + bonus - their_bonus) << (4 * hero))
            self.shed[hero] = 0
            self.log_event(event_kinds.TIED, hero)
        elif number < their_number:
            if number > their_bonus:
                self.held_one_of(above(number - their_bonus))
            self.defeat_hero(hero)
        else:
            self.rule_out(hero, up_to(their_number - bonus))
            self.sights &= ~LANE[hero]
            self.defeat_thanos(theirs)

    def take_power(self, seat: i64, tokens: i64) -> None:
        self.power[seat] += tokens
        self.log_event(event_kinds.TOOK_POWER, seat, -1, tokens)

    def spend_power(self, seat: i64) -> i64:
        if self.power[seat] == 0:
            return 0
        self.power[seat] -= 1
        return POWER_BONUS

    def end(self, ending: i64) -> None:
        self.over = True
        self.ending = ending
        self.log_event(event_kinds.ENDED + ending, 0)
