"""Bonus tokens: who may play which, on what, and what they do.

Each kind of token has one action for each target it could have, so that playing one is a single answer and a player
who is not on turn never leaves a question open.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import vec
from mypy_extensions import i64

from engine.bits import bit, lowest
from engine.thanos_rising.board import USED
from engine.thanos_rising.effects import Effects
from engine.thanos_rising.tables import (
    ASSIGN_SYMBOL,
    EXTRA_DIE,
    LANE,
    READY,
    REMOVE_DAMAGE,
    RESOLVE_ABILITIES,
    RESOLVING,
    SYMBOL_PLAYED,
    THROW,
    THROWING,
    TOKEN_PLAYED,
    lane,
)


class Tokens(Effects):
    """The table, abilities, and bonus tokens."""

    __slots__ = ()

    def token_time(self) -> bool:
        """After the Thanos dice, while the active player is asked what to do next."""
        return self.phase == READY or self.phase == THROW or self.phase == RESOLVING

    def token_targets(self, seat: i64, kind: i64) -> i64:
        """What a token of this kind can be played on now: slots of the sector, colours, heroes or stones."""
        effect: i64 = self.cards.first[self.cards.first_token + kind]
        op: i64 = self.cards.op[effect]
        if op == ASSIGN_SYMBOL:
            if self.stage > RESOLVE_ABILITIES:  # recruits have joined and villains were struck: too late for symbols
                return 0
            return self.lacking(lowest(self.cards.among[effect]))
        if op == EXTRA_DIE:
            if self.stage > THROWING:
                return 0
            return self.colours_by_place(self.cards.among[effect])
        if op == REMOVE_DAMAGE:
            return self.patients(effect, seat)
        return self.countered()

    def lacking(self, symbol: i64) -> i64:
        """The slots of the sector whose card still lacks the symbol."""
        slots: i64 = 0
        slot: i64 = 0
        while slot < 3:
            card: i64 = self.slots[self.deployed * 3 + slot]
            if card >= 0 and lane(self.cards.symbols[card], symbol) > lane(self.paid[card], symbol):
                slots |= bit(slot)
            slot += 1
        return slots

    def colours_by_place(self, colours: i64) -> i64:
        """Which of the token's colours the box still has, by their place among them."""
        left: i64 = self.colours_left(colours)
        places: i64 = 0
        place: i64 = 0
        while colours:
            if left & colours & -colours:
                places |= bit(place)
            place += 1
            colours &= colours - 1
        return places

    def token_open(self) -> bool:
        """Whether anyone at the table could play a token now."""
        if self.held <= self.fresh:
            return False
        seat: i64 = 0
        while seat < self.players:
            kind: i64 = 0
            while kind < self.cards.tokens:
                if self.usable_tokens(seat, kind) > 0 and self.token_targets(seat, kind):
                    return True
                kind += 1
            seat += 1
        return False

    def legal_tokens(self, seat: i64, acts: vec[i64], count: i64) -> i64:
        """Write this seat's token actions after the `count` already there; how many there are then."""
        if self.held <= self.fresh:
            return count
        kind: i64 = 0
        while kind < self.cards.tokens:
            if self.usable_tokens(seat, kind) > 0:
                targets: i64 = self.token_targets(seat, kind)
                while targets:
                    acts[count] = self.cards.token_action[kind] + lowest(targets)
                    count += 1
                    targets &= targets - 1
            kind += 1
        return count

    def token_kind(self, action: i64) -> i64:
        """Which kind of token an action plays."""
        kind: i64 = self.cards.tokens - 1
        while self.cards.token_action[kind] > action:
            kind -= 1
        return kind

    def play_token(self, seat: i64, action: i64) -> None:
        """A token is played and discarded; what it does happens at once."""
        kind: i64 = self.token_kind(action)
        target: i64 = action - self.cards.token_action[kind]
        effect: i64 = self.cards.first[self.cards.first_token + kind]
        op: i64 = self.cards.op[effect]
        self.tokens[seat * self.cards.tokens + kind] -= 1
        self.tokens[USED * self.cards.tokens + kind] += 1
        self.held -= 1
        self.note(TOKEN_PLAYED, seat, kind)
        if op == ASSIGN_SYMBOL:
            card: i64 = self.slots[self.deployed * 3 + target]
            self.put_symbols(card, lowest(self.cards.among[effect]), self.cards.count[effect], self.cards.symbols[card])
            self.note(SYMBOL_PLAYED, seat, kind, card)
        elif op == EXTRA_DIE:
            colours: i64 = self.cards.among[effect]
            while target > 0:
                colours &= colours - 1
                target -= 1
            self.take_die(lowest(colours))
        elif op == REMOVE_DAMAGE:
            self.heal(target, self.cards.amount[effect])
        else:
            self.remove_counter(target, self.cards.count[effect])

    def put_symbols(self, card: i64, symbol: i64, amount: i64, wanted: i64) -> None:
        """Symbols on a card, as many as it still wants; the rest is lost."""
        room: i64 = lane(wanted, symbol) - lane(self.paid[card], symbol)
        if amount > room:
            amount = room
        self.paid[card] += amount << (symbol * LANE)
