"""How the house plays Thanos Rising: what cards and cures are worth, and quick ways to choose.

Worths are in units of one hero recruited early. Everyone at the table counts the same way, so bots who hold a token that
another's card needs come to the same conclusion without a word.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bots.search import Policy
from engine.bots.thanos_odds import Odds, fewer
from engine.rng import Rng
from engine.state import GameState
from engine.thanos_rising.state import ThanosState
from engine.thanos_rising.tables import (
    ASSIGN,
    ASSIGN_SYMBOL,
    BEFORE_ROLL,
    CHANGE_FACE,
    CHOOSE_BONUS_TOKEN,
    DAMAGE_VILLAIN,
    DEPLOY,
    DRAW_BONUS_TOKEN,
    EXTRA_DIE,
    FACES,
    FORFEIT,
    KINDS,
    LANE,
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
    REMOVE_DAMAGE,
    REMOVE_DAMAGE_PER_VILLAIN_DAMAGE,
    REMOVE_STONE_COUNTER,
    REROLL,
    RESOLVING,
    ROLL,
    SECTORS,
    STONES,
    STOP,
    SYMBOLS,
    THROW,
    USE,
    bit,
    lane,
    lowest,
    tally,
    total,
    unit,
)
from engine.thanos_rising.throws import ABILITY

# What things are worth.
VILLAIN: Final = 1.3
WOUND: Final = 0.8
HERO: Final = 1.0
EXTRA_DICE: Final = 0.4
CROWD: Final = 0.05
LATE: Final = 0.03
RESCUE: Final = 0.25
TOKEN: Final = 0.35
DIE: Final = 0.9
STRUCK: Final = 1.2
STONE_SAVED: Final = 1.2
NEXT_CARD: Final = 1.6
NEVER: Final = -1000.0


def worth(state: ThanosState, card: i64) -> float:
    """What completing a card of the sectors is worth to the team on turn: heroes early, villains late."""
    cards = state.cards
    if cards.villains >> card & 1:
        return VILLAIN + WOUND * float(state.damage[card])
    value = HERO - CROWD * float(tally(state.teams[state.active])) - LATE * float(state.turn)
    if cards.timing[card] == BEFORE_ROLL:
        value += EXTRA_DICE
    if state.damage[card] + 1 >= cards.capacity[card]:
        value += RESCUE
    return value


def urgency(state: ThanosState, hero: i64) -> float:
    """What taking one damage off a hero is worth."""
    left: i64 = state.cards.capacity[hero] - state.damage[hero]
    in_team: bool = state.all_teams() >> hero & 1 != 0
    if left <= 0:
        return 1.2 if in_team else 0.5
    if left == 1:
        return 0.65 if in_team else 0.35
    if left == 2:
        return 0.5 if in_team else 0.15
    return 0.15 if in_team else 0.05


def menace(state: ThanosState, stone: i64) -> float:
    """What taking a counter off a stone is worth."""
    counters: i64 = state.counters[stone]
    if counters >= state.cards.stone_limit:
        return STONE_SAVED
    return 0.08 * float(counters)


def prey(state: ThanosState, villain: i64) -> float:
    """What a damage on a villain is worth."""
    return STRUCK + WOUND * float(state.damage[villain])


def last_call(state: ThanosState) -> bool:
    """Whether dice complete nothing more in this turn."""
    return state.rolls > 0 and (state.dice == 0 or not state.completable())


def token_moment(state: ThanosState) -> bool:
    """When a token is best thought about: before the opening roll, and when dice complete nothing more."""
    return state.phase == READY or last_call(state)


def most_urgent(state: ThanosState, heroes: i64) -> float:
    best = 0.0
    while heroes:
        found = urgency(state, lowest(heroes))
        if found > best:
            best = found
        heroes &= heroes - 1
    return best


def gain(state: ThanosState, card: i64) -> float:
    """What using a hero's ability is worth now, dice and throws apart."""
    cards = state.cards
    value = 0.0
    effect: i64 = cards.first[card]
    while effect < cards.first[card] + cards.many[card]:
        if state.possible(effect, card):
            value += effect_gain(state, effect)
        effect += 1
    if cards.cost_damage[card]:
        left: i64 = cards.capacity[card] - state.damage[card] - cards.cost_damage[card]
        value -= 3.0 if left <= 0 else (0.6 if left == 1 else 0.15 * float(cards.cost_damage[card]))
    return value


def effect_gain(state: ThanosState, effect: i64) -> float:
    cards = state.cards
    op: i64 = cards.op[effect]
    if op == EXTRA_DIE:
        return DIE
    if op == REMOVE_DAMAGE or op == REMOVE_DAMAGE_PER_VILLAIN_DAMAGE:
        return most_urgent(state, state.patients(effect, state.active)) * (0.5 + 0.5 * float(cards.amount[effect]))
    if op == DRAW_BONUS_TOKEN:
        return TOKEN * float(cards.count[effect])
    if op == CHOOSE_BONUS_TOKEN:
        return 1.2 * TOKEN
    if op == REMOVE_STONE_COUNTER:
        best = 0.0
        stone: i64 = 0
        while stone < STONES:
            found = menace(state, stone)
            if found > best:
                best = found
            stone += 1
        return best
    if op == DAMAGE_VILLAIN:
        return STRUCK
    return 0.0


class ClubPlay(Policy):
    """A club player's habits: go where a card can be completed, put the dice on it, heal who is about to fall."""

    def __init__(self) -> None:
        self.known: list[Odds] = []

    def odds(self, state: ThanosState) -> Odds:
        if len(self.known) == 0 or self.known[0].cards is not state.cards:
            self.known = [Odds(state.cards)]
        return self.known[0]

    # -- in turn

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
            found = self.outlook(state, acts[i], self.dice_in(state, acts[i])) + 0.0001 * float(rng.below(100))
            if found > best_value:
                best, best_value = acts[i], found
            i += 1
        return best

    def dice_in(self, state: ThanosState, sector: i64) -> i64:
        """The dice the active team would throw there, as far as the box has them."""
        cards = state.cards
        dice: i64 = cards.pool[state.bases[state.active]]
        deployed: i64 = state.deployed
        state.deployed = sector
        heroes: i64 = state.teams[state.active] & cards.at[BEFORE_ROLL]
        while heroes:
            card: i64 = lowest(heroes)
            if state.usable(card):
                effect: i64 = cards.first[card]
                more: i64 = 1
                if cards.op[effect] != EXTRA_DIE:
                    more = state.damage[card] // cards.amount[effect] if cards.amount[effect] else 0
                colours: i64 = cards.among[effect]
                while more > 0 and colours:
                    colour: i64 = lowest(colours)
                    if lane(dice, colour) < cards.box[colour]:
                        dice += unit(colour)
                        more -= 1
                    else:
                        colours &= colours - 1
            heroes &= heroes - 1
        state.deployed = deployed
        return dice

    # -- what dice can still bring

    def outlook(self, state: ThanosState, sector: i64, dice: i64) -> float:
        """What so many dice are worth in a sector: the card that promises most, and the next one with what it leaves."""
        best = 0.0
        slot: i64 = 0
        while slot < SECTORS:
            card: i64 = state.slots[sector * 3 + slot]
            if card >= 0 and state.owed(card):
                found = self.plan(state, sector, slot, state.owed(card), dice)
                if found > best:
                    best = found
            slot += 1
        return best

    def plan(self, state: ThanosState, sector: i64, slot: i64, owed: i64, dice: i64) -> float:
        """What it is worth to go for a card that owes so much, and then for another."""
        odds = self.odds(state)
        likely = odds.chance(owed, dice)
        if likely <= 0.0:
            return 0.0
        then = self.next_best(state, sector, slot, fewer(dice, total(owed)))
        return likely * (worth(state, state.slots[sector * 3 + slot]) + NEXT_CARD * then)

    def next_best(self, state: ThanosState, sector: i64, but: i64, dice: i64) -> float:
        """The single card, other than the one in slot `but`, that the dice promise most for."""
        best = 0.0
        if dice == 0:
            return best
        odds = self.odds(state)
        slot: i64 = 0
        while slot < SECTORS:
            card: i64 = state.slots[sector * 3 + slot]
            if slot != but and card >= 0 and state.owed(card):
                found = worth(state, card) * odds.chance(state.owed(card), dice)
                if found > best:
                    best = found
            slot += 1
        return best

    # -- dice on the table

    def throw(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        """Pay or use an ability, put a die on a card, throw again or stop."""
        slot: i64 = self.focus(state)
        if state.target >= ABILITY:
            payment = self.payment(acts, count)
            if payment >= 0:
                return payment
        elif slot >= 0:
            ability: i64 = self.worth_paying(state, slot, acts, count)
            if ability >= 0:
                return ability
            die: i64 = self.die_for(state, slot, acts, count)
            if die >= 0:
                return die
        helper: i64 = self.helper(state, acts, count)
        if helper >= 0:
            return helper
        if state.target == -1:
            ability = self.worth_paying(state, -1, acts, count)
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
            if card >= 0 and state.fitting(state.owed(card)):
                found = self.assigned(state, slot, state.owed(card))
                if found > best_value:
                    best, best_value = slot, found
            slot += 1
        return best

    def assigned(self, state: ThanosState, slot: i64, owed: i64) -> float:
        """What the turn promises when all dice that fit go to this card."""
        left: i64 = state.unassigned()
        got: i64 = 0
        symbol: i64 = 0
        while symbol < SYMBOLS:
            need: i64 = lane(owed, symbol)
            kinds: i64 = state.cards.showing[symbol] & state.up
            step: i64 = 2  # doubles first, as long as two are owed
            while step > 0:
                found: i64 = kinds
                while found:
                    kind: i64 = lowest(found)
                    number: i64 = state.pool[kind]
                    if state.cards.kind_value[kind] == step:
                        while number > 0 and need >= step:
                            need -= step
                            left -= unit(kind // FACES)
                            got += step
                            number -= 1
                    found &= found - 1
                step -= 1
            owed = owed - (lane(owed, symbol) << (symbol * LANE)) + (need << (symbol * LANE))
            symbol += 1
        if owed == 0:
            card: i64 = state.slots[state.deployed * 3 + slot]
            return worth(state, card) + self.next_best(state, state.deployed, slot, left) + 0.01 * float(total(left))
        going = self.plan(state, state.deployed, slot, owed, left)
        leaving = self.next_best(state, state.deployed, slot, left)
        return (going if going > leaving else leaving) + 0.01 * float(got)

    def die_for(self, state: ThanosState, slot: i64, acts: vec[i64], count: i64) -> i64:
        """The die to put on a card: a double where two are owed, else a single, of a colour that serves it least."""
        owed: i64 = state.owed(state.slots[state.deployed * 3 + slot])
        odds = self.odds(state)
        best, best_value = i64(-1), NEVER
        i: i64 = 0
        while i < count and acts[i] < FORFEIT:
            if acts[i] // KINDS == slot:
                kind: i64 = acts[i] % KINDS
                value: i64 = state.cards.kind_value[kind]
                used: i64 = lane(owed, state.cards.kind_symbol[kind])
                found = float(value if value < used else 2 * used - value) - 0.01 * float(odds.fit(owed, kind // FACES))
                if found > best_value:
                    best, best_value = acts[i], found
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

    def worth_paying(self, state: ThanosState, slot: i64, acts: vec[i64], count: i64) -> i64:
        """An own hero's ability that this roll pays in full and that beats the card in `slot`; -1 for none."""
        if state.target != -1:
            return -1
        cards = state.cards
        best, best_value = i64(-1), 0.0
        if slot >= 0:
            best_value = self.assigned(state, slot, state.owed(state.slots[state.deployed * 3 + slot]))
        i: i64 = 0
        while i < count:
            card: i64 = acts[i] - USE
            if USE <= acts[i] < ROLL and cards.at[ASSIGN] >> card & 1 and state.usable(card):
                left: i64 = self.after_paying(state, state.unpaid(card))
                if left >= 0:
                    found = gain(state, card) + self.outlook(state, state.deployed, left)
                    if found > best_value:
                        best, best_value = acts[i], found
            i += 1
        return best

    def after_paying(self, state: ThanosState, owed: i64) -> i64:
        """The dice that a full payment from this roll would leave, packed; -1 when it is not enough."""
        left: i64 = state.unassigned()
        symbol: i64 = 0
        while symbol < SYMBOLS:
            need: i64 = lane(owed, symbol)
            kinds: i64 = state.cards.showing[symbol] & state.up
            while kinds and need > 0:
                kind: i64 = lowest(kinds)
                number: i64 = state.pool[kind]
                while number > 0 and need > 0:
                    need -= state.cards.kind_value[kind]
                    left -= unit(kind // FACES)
                    number -= 1
                kinds &= kinds - 1
            if need > 0:
                return -1
            symbol += 1
        return left

    def helper(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        """A free ability that serves this roll: more dice, a die turned or thrown again that fits nothing as it lies."""
        cards = state.cards
        i: i64 = 0
        while i < count:
            card: i64 = acts[i] - USE
            if USE <= acts[i] < ROLL and not cards.at[ASSIGN] >> card & 1:
                op: i64 = cards.op[cards.first[card]]
                if op == REROLL or op == CHANGE_FACE:
                    if cards.cost_damage[card] == 0 and self.want(state):
                        if op == REROLL or self.turn_to(state, state.showing(cards.among[cards.first[card]])) >= 0:
                            return acts[i]
                elif gain(state, card) > 0.0:
                    return acts[i]
            i += 1
        return -1

    def want(self, state: ThanosState) -> i64:
        """The symbols that dice of this roll could still serve: those of the card in hand, or of the likeliest."""
        if state.target >= 0 and state.target < ABILITY:
            return state.owed(state.slots[state.deployed * 3 + state.target])
        if state.target != -1:
            return 0
        odds = self.odds(state)
        dice: i64 = state.unassigned()
        owed: i64 = 0
        best = 0.0
        slot: i64 = 0
        while slot < SECTORS:
            card: i64 = state.slots[state.deployed * 3 + slot]
            if card >= 0 and state.owed(card):
                found = worth(state, card) * odds.chance(state.owed(card), dice)
                if found > best:
                    owed, best = state.owed(card), found
            slot += 1
        return owed

    def turn_to(self, state: ThanosState, kinds: i64) -> i64:
        """Of the dice that may be turned, the kind that fits nothing yet and has a face that does; -1 for none."""
        owed: i64 = self.want(state)
        unfit: i64 = kinds & ~state.fitting(owed)
        while unfit:
            kind: i64 = lowest(unfit)
            if self.odds(state).fit(owed, kind // FACES):
                return kind
            unfit &= unfit - 1
        return -1

    def spare_die(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        """The die to forfeit: of the colour that serves the cards of the sector least."""
        owed: i64 = self.want(state)
        best, least = acts[0], i64(1000)
        i: i64 = 0
        while i < count:
            if FORFEIT <= acts[i] < USE:
                found: i64 = self.odds(state).fit(owed, (acts[i] - FORFEIT) // FACES)
                if found < least:
                    best, least = acts[i], found
            i += 1
        return best

    def resolve(self, state: ThanosState, acts: vec[i64], count: i64) -> i64:
        i: i64 = 0
        while i < count:
            if USE <= acts[i] < ROLL and gain(state, acts[i] - USE) > 0.0:
                return acts[i]
            i += 1
        return STOP

    # -- targets

    def answer(self, state: ThanosState, rng: Rng, acts: vec[i64], count: i64) -> i64:
        """The best target by what it is worth; of equals, one by lot."""
        best, best_value = acts[0], NEVER
        i: i64 = 0
        while i < count:
            found = self.target_value(state, acts[i]) + 0.0001 * float(rng.below(100))
            if found > best_value:
                best, best_value = acts[i], found
            i += 1
        return best

    def target_value(self, state: ThanosState, choice: i64) -> float:
        phase: i64 = state.phase
        if choice == PASS:
            return 0.0
        if phase == PICK_HEAL:
            return urgency(state, choice)
        if phase == PICK_HURT:
            return -self.pain(state, choice)
        if phase == PICK_VILLAIN:
            return prey(state, choice)
        if phase == PICK_STONE:
            return menace(state, choice)
        if phase == PICK_COLOUR:
            return self.colour_value(state, choice)
        if phase == PICK_LOSS:
            return -self.colour_value(state, choice)
        if phase == PICK_TOKEN:
            return self.token_worth(state, choice)
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

    def pain(self, state: ThanosState, hero: i64) -> float:
        """What a damage on a hero costs."""
        left: i64 = state.cards.capacity[hero] - state.damage[hero]
        cost = 1.5 if left <= 1 else 1.0 / float(left)
        return cost if state.all_teams() >> hero & 1 else 0.6 * cost

    def colour_value(self, state: ThanosState, colour: i64) -> float:
        """How well a colour of dice serves the card of the sector that is most worth going for."""
        odds = self.odds(state)
        dice: i64 = state.hand if state.rolls == 0 else state.unassigned()
        owed: i64 = 0
        best = -1.0
        slot: i64 = 0
        while slot < SECTORS and state.deployed >= 0:
            card: i64 = state.slots[state.deployed * 3 + slot]
            if card >= 0 and state.owed(card):
                found = worth(state, card) * odds.chance(state.owed(card), dice)
                if found > best:
                    owed, best = state.owed(card), found
            slot += 1
        return float(odds.fit(owed, colour))

    def token_worth(self, state: ThanosState, kind: i64) -> float:
        op: i64 = state.cards.op[state.cards.first[state.cards.first_token + kind]]
        if op == EXTRA_DIE:
            return 1.0
        return 0.8 if op == ASSIGN_SYMBOL else 0.7

    # -- tokens, in turn and aside

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
            found = self.token_value(state, acts[i])
            if found > best_value:
                best, best_value = acts[i], found
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
            leaves: bool = state.owed(target) == 0 and not state.all_teams() >> target & 1
            return urgency(state, target) if falls and not leaves else 0.0
        counters: i64 = state.counters[target]
        if (
            counters >= cards.stone_limit
            and counters - self.on_table(state, REMOVE_STONE_COUNTER, 0) < cards.stone_limit
        ):
            return STONE_SAVED
        return 0.0

    def symbol_value(self, state: ThanosState, card: i64) -> float:
        """A symbol waits for the last die; then it is played when tokens alone complete the card, whosoever they are."""
        if not last_call(state):
            return 0.0
        owed: i64 = state.owed(card)
        symbol: i64 = 0
        while symbol < SYMBOLS:
            if lane(owed, symbol) > self.on_table(state, ASSIGN_SYMBOL, bit(symbol)):
                return 0.0
            symbol += 1
        return worth(state, card) / float(total(owed))

    def on_table(self, state: ThanosState, op: i64, among: i64) -> i64:
        """How much of an effect all usable tokens at the table have together."""
        cards = state.cards
        found: i64 = 0
        kind: i64 = 0
        while kind < cards.tokens:
            effect: i64 = cards.first[cards.first_token + kind]
            if cards.op[effect] == op and (among == 0 or cards.among[effect] == among):
                seat: i64 = 0
                while seat < state.players:
                    found += state.usable_tokens(seat, kind) * cards.count[effect]
                    seat += 1
            kind += 1
        return found

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


class Beginner(Policy):
    """Plays anything that fits, but gives nothing away: heals and helpers are used, who hurts least is hurt."""

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
