"""When to play a bonus token in Thanos Rising, in one's own turn or another's.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import bit, lowest
from engine.bots.thanos_rising.evaluation import STONE_SAVED, TOKEN, card_value, last_call, token_moment, urgency
from engine.bots.thanos_rising.outlook import Outlook
from engine.rng import Rng
from engine.state import GameState
from engine.thanos_rising.card_tables import (
    ASSIGN_SYMBOL,
    EXTRA_DIE,
    REMOVE_DAMAGE,
    REMOVE_STONE_COUNTER,
    STOP,
    SYMBOLS,
    lane,
    total,
    unit,
)
from engine.thanos_rising.state import ThanosState


class TokenPlay(Outlook):
    """Keeps a token until it completes a card, adds a die that is wanted, or saves a hero or a stone."""

    def choose_aside(self, state: GameState, seat: i64, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, ThanosState)
        if not token_moment(state):
            return -1
        return self.token(state, seat, acts, state.legal_aside(seat, acts))

    def token(self, state: ThanosState, seat: i64, acts: vec[i64], count: i64) -> i64:
        """The token action that is worth more than keeping the token; -1 when none is."""
        best, best_value = i64(-1), TOKEN
        i: i64 = count - 1
        while i >= 0 and acts[i] > STOP:
            value = self.token_value(state, acts[i])
            if value > best_value:
                best, best_value = acts[i], value
            i -= 1
        return best

    def token_value(self, state: ThanosState, action: i64) -> float:
        cards = state.cards
        kind: i64 = state.token_kind(action)
        target: i64 = action - cards.token_action[kind]
        effect: i64 = cards.first[cards.first_token + kind]
        op: i64 = cards.op[effect]
        if op == ASSIGN_SYMBOL:
            return self.symbol_value(state, state.slots[state.deployed * 3 + target])
        if op == EXTRA_DIE:
            return self.die_value(state, cards.among[effect], target)
        if op == REMOVE_DAMAGE:
            # Nothing hurts a hero any more this turn: a token can wait until one would fall.
            falls: bool = state.damage[target] >= cards.capacity[target]
            leaves: bool = state.remaining_cost(target) == 0 and not state.all_teams() >> target & 1
            return urgency(state, target) if falls and not leaves else 0.0
        counters: i64 = state.counters[target]
        if (
            counters >= cards.stone_limit
            and counters - self.on_table(state, REMOVE_STONE_COUNTER, 0) < cards.stone_limit
        ):
            return STONE_SAVED
        return 0.0

    def symbol_value(self, state: ThanosState, card: i64) -> float:
        """A symbol waits for the last die; then it is played if tokens alone, of anyone, complete the card."""
        if not last_call(state):
            return 0.0
        missing: i64 = state.remaining_cost(card)
        symbol: i64 = 0
        while symbol < SYMBOLS:
            if lane(missing, symbol) > self.on_table(state, ASSIGN_SYMBOL, bit(symbol)):
                return 0.0
            symbol += 1
        return card_value(state, card) / float(total(missing))

    def on_table(self, state: ThanosState, op: i64, among: i64) -> i64:
        """How much of an effect all usable tokens at the table have together."""
        cards = state.cards
        count: i64 = 0
        kind: i64 = 0
        while kind < cards.tokens:
            effect: i64 = cards.first[cards.first_token + kind]
            if cards.op[effect] == op and (among == 0 or cards.among[effect] == among):
                seat: i64 = 0
                while seat < state.players:
                    count += state.usable_tokens(seat, kind) * cards.count[effect]
                    seat += 1
            kind += 1
        return count

    def die_value(self, state: ThanosState, colours: i64, place: i64) -> float:
        """What one more die adds: before the opening roll, or when no other is left."""
        if state.rolls > 0 and state.dice > 0:
            return 0.0
        while place > 0:
            colours &= colours - 1
            place -= 1
        die: i64 = unit(lowest(colours))
        if state.rolls > 0:
            return self.next_best(state, state.deployed, -1, die)
        return self.outlook(state, state.deployed, state.hand + die) - self.outlook(state, state.deployed, state.hand)
