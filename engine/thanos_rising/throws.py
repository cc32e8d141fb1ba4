"""Power dice: the third step of a turn. Collect, roll, assign or forfeit, roll again.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from mypy_extensions import i64

from engine.bits import bit, lowest
from engine.rng import Rng
from engine.thanos_rising.agenda import SOURCE
from engine.thanos_rising.tables import (
    ABILITY_USED,
    ASSIGNED,
    BEFORE_OPENING,
    BEFORE_ROLL,
    COLOURS,
    DICE_LUCK,
    DIE_LOST,
    EXTRA_DIE_PER_SELF_DAMAGE,
    FACES,
    FORFEITED,
    LANE,
    PICK_LOSS,
    PICK_LUCK,
    ROLLED,
    TEAM_ABILITY,
    THROWING,
    lane,
    total,
    unit,
)
from engine.thanos_rising.tokens import Tokens

FORFEIT_MADE: Final = -2  # as a target: this roll's die was forfeited, no other may be assigned
ABILITY: Final = 3  # as a target: from here on, an own hero
LAST_DIE_OP: Final = EXTRA_DIE_PER_SELF_DAMAGE


class Throws(Tokens):
    """The table, and power dice on it."""

    __slots__ = ()

    def collect_dice(self) -> None:
        """The dice of the base and of the team's heroes; choices of colour come after all else is taken."""
        self.hand = self.cards.pool[self.bases[self.active]]
        heroes: i64 = self.teams[self.active] & self.cards.at[BEFORE_ROLL]
        while heroes:
            card: i64 = lowest(heroes)
            if self.usable(card):
                self.used |= bit(card)
                self.note(ABILITY_USED, self.active, card)
                effect: i64 = self.cards.first[card]
                colours: i64 = self.cards.among[effect]
                if self.cards.many[card] == 1 and self.cards.op[effect] <= LAST_DIE_OP and colours & (colours - 1) == 0:
                    self.perform(effect | card << SOURCE)
                else:
                    self.push_ability(card, 0)
            heroes &= heroes - 1

    def lose_dice(self) -> bool:
        """Dice that a stone takes from the pool, down to one die; True when the player must say which."""
        while self.to_lose > 0 and total(self.hand) > 1:
            colours: i64 = self.colours_in_hand()
            if self.to_lose >> 8:
                self.to_lose -= 256
                self.picks += 1
                nth: i64 = self.chance(PICK_LUCK, self.picks).below(total(self.hand))
                colour: i64 = 0
                while nth >= lane(self.hand, colour):
                    nth -= lane(self.hand, colour)
                    colour += 1
                self.lose_die(colour)
            elif colours & (colours - 1):
                return self.ask(PICK_LOSS, self.active, colours, 0, 0)
            else:
                self.to_lose -= 1
                self.lose_die(lowest(colours))
        self.stage = BEFORE_OPENING
        return False

    def lose_die(self, colour: i64) -> None:
        self.hand -= unit(colour)
        self.note(DIE_LOST, self.active, colour)

    def colours_in_hand(self) -> i64:
        colours: i64 = 0
        colour: i64 = 0
        while colour < COLOURS:
            if lane(self.hand, colour):
                colours |= bit(colour)
            colour += 1
        return colours

    def opening_roll(self) -> None:
        """All dice at once; the base's ability looks at this roll, before any re-roll or change of face."""
        self.stage = THROWING
        self.throw(self.hand)
        kinds: i64 = self.up
        while kinds:
            kind: i64 = lowest(kinds)
            self.opening += self.pool[kind] * self.cards.kind_value[kind] << (self.cards.kind_symbol[kind] * LANE)
            kinds &= kinds - 1
        base: i64 = self.bases[self.active]
        if self.holds(self.cards.first_base + base):
            self.note(TEAM_ABILITY, self.active, base)
            self.push_ability(self.cards.first_base + base, 0)

    def throw(self, dice: i64) -> None:
        """Roll so many dice of each colour; a new roll, whose dice may go to one card."""
        luck: Rng = self.chance(DICE_LUCK, self.rolls)
        self.rolls += 1
        self.clear_pool()
        self.target = -1
        self.touched = 0
        colour: i64 = 0
        while colour < COLOURS:
            left: i64 = lane(dice, colour)
            while left > 0:
                self.put_up(self.rolled(colour, luck), 1)
                left -= 1
            colour += 1
        if self.log is not None:
            kinds: i64 = self.up
            while kinds:
                self.note(ROLLED, self.active, lowest(kinds), self.pool[lowest(kinds)])
                kinds &= kinds - 1

    def roll_again(self) -> None:
        """Roll all dice that are neither assigned nor forfeited."""
        self.throw(self.unassigned())

    def unassigned(self) -> i64:
        """Those dice by colour, packed."""
        dice: i64 = 0
        kinds: i64 = self.up
        while kinds:
            kind: i64 = lowest(kinds)
            dice += self.pool[kind] << (kind // FACES * LANE)
            kinds &= kinds - 1
        return dice

    def assign(self, kind: i64, card: i64, wanted: i64) -> None:
        self.take_up(kind)
        self.put_symbols(card, self.cards.kind_symbol[kind], self.cards.kind_value[kind], wanted)
        self.touched = 1
        self.note(ASSIGNED, self.active, kind, card)

    def forfeit(self, kind: i64) -> None:
        self.take_up(kind)
        self.target = FORFEIT_MADE
        self.touched = 1
        self.note(FORFEITED, self.active, kind)

    def completable(self) -> bool:
        """Whether the unassigned dice, at their luckiest, could complete a card of the sector."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            if self.slots[slot] >= 0:
                owed: i64 = self.owed(self.slots[slot])
                if owed and total(owed) <= self.dice * 2 and self.dice_needed(owed) <= self.dice:
                    return True
            slot += 1
        return False

    def dice_needed(self, owed: i64) -> i64:
        """How many of the dice could show all these symbols: doubles only when there are not enough for singles."""
        if total(owed) <= self.dice:
            return total(owed)
        dice: i64 = self.unassigned()
        needed: i64 = 0
        colour: i64 = 0
        while colour < COLOURS:
            symbol: i64 = self.cards.double[colour]
            if symbol >= 0:
                pairs: i64 = lane(owed, symbol) // 2
                if pairs > lane(dice, colour):
                    pairs = lane(dice, colour)
                owed -= pairs * 2 << (symbol * LANE)
                needed += pairs
            colour += 1
        return needed + total(owed)
