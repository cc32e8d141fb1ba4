"""Policies for Thanos Rising: quick ways to choose a move.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import bit
from engine.bots.thanos_rising.evaluation import NEVER, gain, stone_value, urgency, villain_damage_value
from engine.bots.thanos_rising.token_policy import TokenPlay
from engine.bots.tree_search import Policy
from engine.rng import Rng
from engine.state import GameState
from engine.thanos_rising.card_tables import (
    ASSIGN,
    ASSIGN_SYMBOL,
    CHANGE_FACE,
    DEPLOY,
    EXTRA_DIE,
    FACES,
    FORFEIT,
    KINDS,
    PASS,
    PICK_COLOUR,
    PICK_DIE,
    PICK_FACE,
    PICK_HEAL,
    PICK_HURT,
    PICK_LOSS,
    PICK_REROLL,
    PICK_STONE,
    PICK_TOKEN,
    PICK_VILLAIN,
    READY,
    REROLL,
    RESOLVING,
    ROLL,
    SECTORS,
    STOP,
    THROW,
    USE,
    lane,
)
from engine.thanos_rising.state import ThanosState
from engine.thanos_rising.turn import ABILITY


class ClubPlay(TokenPlay):
    """Plays like a club player: go where a card can be completed, put the dice on it, heal heroes about to fall."""

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, ThanosState)
        count: i64 = state.legal(acts)
        if count == 1:
            return acts[0]
        if state.phase == DEPLOY:
            return self.sector(state, rng, acts, count)
        if state.phase == READY or state.phase == THROW or state.phase == RESOLVING:
            token = self.token(state, state.active, acts, count)
            if token >= 0:
                return token
            if state.phase == READY:
                return ROLL
            if state.phase == THROW:
                return self.throw(state, acts, count)
            return self.resolve(state, acts, count)
        return self.answer(state, rng, acts, count)

    def sector(self, state: ThanosState, rng: Rng, acts: vec[i64], count: i64) -> i64:
        best, best_value = acts[0], NEVER
        i: i64 = 0
        while i < count:
            value = self.outlook(state, acts[i], self.dice_in(state, acts[i])) + 0.0001 * float(rng.below(100))
            if value > best_value:
                best, best_value = acts[i], value
            i += 1
        return best

    def throw(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        """Use or pay an ability, put a die on a card, throw again or stop."""
        helper: i64 = self.helper(state, acts, count)
        if helper >= 0:
            return helper
        slot: i64 = self.focus(state)
        if state.target >= ABILITY:
            payment = self.payment(acts, count)
            if payment >= 0:
                return payment
        elif slot >= 0:
            ability: i64 = self.ability_to_pay(state, slot, acts, count)
            if ability >= 0:
                return ability
            die: i64 = self.die_for(state, slot, acts, count)
            if die >= 0:
                return die
        if state.target == -1:
            ability = self.ability_to_pay(state, -1, acts, count)
            if ability >= 0:
                return ability
            if acts[0] < FORFEIT:
                return acts[0]
        if self.offers(acts, count, STOP):
            return STOP
        if self.offers(acts, count, ROLL):
            return ROLL
        return self.spare_die(state, acts, count)

    def offers(self, acts: vec[i64], count: i64, action: i64) -> bool:
        i: i64 = 0
        while i < count:
            if acts[i] == action:
                return True
            i += 1
        return False

    def focus(self, state: ThanosState) -> i64:
        """The slot whose card this roll should go to; -1 when no die fits any."""
        if state.target >= 0 and state.target < ABILITY:
            return state.target
        best, best_value = i64(-1), NEVER
        slot: i64 = 0
        while slot < SECTORS and state.target == -1:
            card: i64 = state.slots[state.deployed * 3 + slot]
            if card >= 0 and state.fitting(state.remaining_cost(card)):
                value = self.assigned(state, slot, state.remaining_cost(card))
                if value > best_value:
                    best, best_value = slot, value
            slot += 1
        return best

    def die_for(self, state: ThanosState, slot: i64, acts: vec[i64], count: i64) -> i64:
        """The die to put on a card: a double where two are missing, else a single of the least useful colour."""
        missing: i64 = state.remaining_cost(state.slots[state.deployed * 3 + slot])
        odds = self.odds(state)
        best, best_value = i64(-1), NEVER
        i: i64 = 0
        while i < count and acts[i] < FORFEIT:
            if acts[i] // KINDS == slot:
                kind: i64 = acts[i] % KINDS
                value: i64 = state.cards.kind_value[kind]
                used: i64 = lane(missing, state.cards.kind_symbol[kind])
                score = float(value if value < used else 2 * used - value) - 0.01 * float(
                    odds.fit(missing, kind // FACES)
                )
                if score > best_value:
                    best, best_value = acts[i], score
            i += 1
        return best

    def payment(self, acts: vec[i64], count: i64) -> i64:
        """The first die that pays for the ability named; -1 when none is left to put."""
        i: i64 = 0
        while i < count:
            if FORFEIT <= acts[i] < USE:
                return acts[i]
            i += 1
        return -1

    def ability_to_pay(self, state: ThanosState, slot: i64, acts: vec[i64], count: i64) -> i64:
        """An own hero's ability that this roll pays in full and that beats the card in `slot`; -1 for none."""
        if state.target != -1:
            return -1
        cards = state.cards
        best, best_value = i64(-1), 0.0
        if slot >= 0:
            best_value = self.assigned(state, slot, state.remaining_cost(state.slots[state.deployed * 3 + slot]))
        i: i64 = 0
        while i < count:
            card: i64 = acts[i] - USE
            if USE <= acts[i] < ROLL and cards.at[ASSIGN] >> card & 1 and state.usable(card):
                left: i64 = self.after_paying(state, state.unpaid(card))
                if left >= 0:
                    value = gain(state, card) + self.outlook(state, state.deployed, left)
                    if value > best_value:
                        best, best_value = acts[i], value
            i += 1
        return best

    def helper(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        """A free ability that serves this roll: more dice, or another face for a die that fits nothing.

        Dice that fit nothing are thrown again anyway once others are assigned, so a re-roll waits for a roll of which
        no die fits the card; a face that can be chosen is taken at once.
        """
        cards = state.cards
        fits: bool = state.fitting(self.want(state)) != 0
        i: i64 = 0
        while i < count:
            card: i64 = acts[i] - USE
            if USE <= acts[i] < ROLL and not cards.at[ASSIGN] >> card & 1:
                op: i64 = cards.op[cards.first[card]]
                if op in (REROLL, CHANGE_FACE):
                    dice: i64 = state.up if op == REROLL else state.showing(cards.among[cards.first[card]])
                    waits: bool = op == REROLL and fits
                    if not waits and cards.cost_damage[card] == 0 and self.turn_to(state, dice) >= 0:
                        return acts[i]
                elif gain(state, card) > 0.0:
                    return acts[i]
            i += 1
        return -1

    def spare_die(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        """The die to forfeit: of the colour that serves the cards of the sector least."""
        missing: i64 = self.want(state)
        best, least = acts[0], i64(1000)
        i: i64 = 0
        while i < count:
            if FORFEIT <= acts[i] < USE:
                fit: i64 = self.odds(state).fit(missing, (acts[i] - FORFEIT) // FACES)
                if fit < least:
                    best, least = acts[i], fit
            i += 1
        return best

    def resolve(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        i: i64 = 0
        while i < count:
            if USE <= acts[i] < ROLL and gain(state, acts[i] - USE) > 0.0:
                return acts[i]
            i += 1
        return STOP

    def answer(self, state: ThanosState, rng: Rng, acts: vec[i64], count: i64) -> i64:
        """The target with the best value; a random one of equals."""
        best, best_value = acts[0], NEVER
        i: i64 = 0
        while i < count:
            value = self.target_value(state, acts[i]) + 0.0001 * float(rng.below(100))
            if value > best_value:
                best, best_value = acts[i], value
            i += 1
        return best

    def target_value(self, state: ThanosState, choice: i64) -> float:
        phase: i64 = state.phase
        if choice == PASS:
            return 0.0
        if phase == PICK_HEAL:
            return urgency(state, choice)
        if phase == PICK_HURT:
            return -self.damage_cost(state, choice)
        if phase == PICK_VILLAIN:
            return villain_damage_value(state, choice)
        if phase == PICK_STONE:
            return stone_value(state, choice)
        if phase == PICK_COLOUR:
            return self.colour_value(state, choice)
        if phase == PICK_LOSS:
            return -self.colour_value(state, choice)
        if phase == PICK_TOKEN:
            return self.token_choice_value(state, choice)
        if phase == PICK_REROLL:
            return (
                0.5
                - float(self.odds(state).fit(self.want(state), choice // FACES)) * 0.01
                - (1.0 if state.fitting(self.want(state)) >> choice & 1 else 0.0)
            )
        if phase == PICK_DIE:
            return 1.0 if self.turn_to(state, bit(choice)) >= 0 else 0.0
        if phase == PICK_FACE:
            need: i64 = lane(self.want(state), state.cards.kind_symbol[choice])
            value: i64 = state.cards.kind_value[choice]
            return float(value if value < need else need)
        return 0.0

    def damage_cost(self, state: ThanosState, hero: i64) -> float:
        """The cost of one damage on a hero."""
        left: i64 = state.cards.capacity[hero] - state.damage[hero]
        cost = 1.5 if left <= 1 else 1.0 / float(left)
        return cost if state.all_teams() >> hero & 1 else 0.6 * cost

    def token_choice_value(self, state: ThanosState, kind: i64) -> float:
        op: i64 = state.cards.op[state.cards.first[state.cards.first_token + kind]]
        if op == EXTRA_DIE:
            return 1.0
        return 0.8 if op == ASSIGN_SYMBOL else 0.7


class Beginner(Policy):
    """Plays random moves that fit, but uses healing and helpful abilities, and damages the hero it costs least."""

    def __init__(self) -> None:
        self.habits = ClubPlay()

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        assert isinstance(state, ThanosState)
        count: i64 = state.legal(acts)
        if count == 1:
            return acts[0]
        if state.phase == RESOLVING:
            return self.habits.resolve(state, acts, count)
        if state.phase == PICK_HEAL or state.phase == PICK_HURT:
            return self.habits.answer(state, rng, acts, count)
        while count > 1 and acts[count - 1] > STOP:  # keeps tokens unless there is nothing else to do
            count -= 1
        if state.phase == THROW and acts[0] < FORFEIT:
            fitting: i64 = 0
            while fitting < count and acts[fitting] < FORFEIT:
                fitting += 1
            return acts[rng.below(fitting)]
        if state.phase == THROW and count > 1 and acts[count - 1] == STOP and state.dice > 0:
            return STOP
        return acts[rng.below(count)]
