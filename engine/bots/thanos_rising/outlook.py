"""The expected value of dice in a turn of Thanos Rising: which cards of a sector they may complete, in which order.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64

from engine.bitset import lowest
from engine.bots.thanos_rising.evaluation import NEXT_CARD, card_value
from engine.bots.thanos_rising.probabilities import Odds, fewer
from engine.bots.tree_search import Policy
from engine.thanos_rising.card_tables import BEFORE_ROLL, EXTRA_DIE, FACES, LANE, SECTORS, SYMBOLS, lane, total, unit
from engine.thanos_rising.state import ThanosState
from engine.thanos_rising.turn import ABILITY


class Outlook(Policy):
    """Values a sector and dice, rolled or to be rolled; subclasses choose."""

    def __init__(self) -> None:
        self.known: list[Odds] = []

    def odds(self, state: ThanosState) -> Odds:
        if len(self.known) == 0 or self.known[0].cards is not state.cards:
            self.known = [Odds(state.cards)]
        return self.known[0]

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

    def outlook(self, state: ThanosState, sector: i64, dice: i64) -> float:
        """The value of these dice in a sector: for the most promising card, and the next one."""
        best = 0.0
        slot: i64 = 0
        while slot < SECTORS:
            card: i64 = state.slots[sector * 3 + slot]
            if card >= 0 and state.remaining_cost(card):
                value = self.plan(state, sector, slot, state.remaining_cost(card), dice)
                if value > best:
                    best = value
            slot += 1
        return best

    def plan(self, state: ThanosState, sector: i64, slot: i64, missing: i64, dice: i64) -> float:
        """The value of going for a card with these missing symbols, and then for another."""
        odds = self.odds(state)
        likely = odds.chance(missing, dice)
        if likely <= 0.0:
            return 0.0
        then = self.next_best(state, sector, slot, fewer(dice, total(missing)))
        return likely * (card_value(state, state.slots[sector * 3 + slot]) + NEXT_CARD * then)

    def next_best(self, state: ThanosState, sector: i64, but: i64, dice: i64) -> float:
        """The single card, other than the one in slot `but`, that the dice promise most for."""
        best = 0.0
        if dice == 0:
            return best
        odds = self.odds(state)
        slot: i64 = 0
        while slot < SECTORS:
            card: i64 = state.slots[sector * 3 + slot]
            if slot != but and card >= 0 and state.remaining_cost(card):
                value = card_value(state, card) * odds.chance(state.remaining_cost(card), dice)
                if value > best:
                    best = value
            slot += 1
        return best

    def assigned(self, state: ThanosState, slot: i64, missing: i64) -> float:
        """The expected value of the turn when all dice that fit go to this card."""
        left: i64 = state.unassigned()
        got: i64 = 0
        symbol: i64 = 0
        while symbol < SYMBOLS:
            need: i64 = lane(missing, symbol)
            kinds: i64 = state.cards.showing[symbol] & state.up
            step: i64 = 2  # doubles first, as long as two are missing
            while step > 0:
                fitting: i64 = kinds
                while fitting:
                    kind: i64 = lowest(fitting)
                    number: i64 = state.pool[kind]
                    if state.cards.kind_value[kind] == step:
                        while number > 0 and need >= step:
                            need -= step
                            left -= unit(kind // FACES)
                            got += step
                            number -= 1
                    fitting &= fitting - 1
                step -= 1
            missing = missing - (lane(missing, symbol) << (symbol * LANE)) + (need << (symbol * LANE))
            symbol += 1
        if missing == 0:
            card: i64 = state.slots[state.deployed * 3 + slot]
            return (
                card_value(state, card) + self.next_best(state, state.deployed, slot, left) + 0.01 * float(total(left))
            )
        going = self.plan(state, state.deployed, slot, missing, left)
        leaving = self.next_best(state, state.deployed, slot, left)
        return (going if going > leaving else leaving) + 0.01 * float(got)

    def want(self, state: ThanosState) -> i64:
        """The symbols that this roll should show: those of the card being paid, or of the most promising one."""
        if state.target >= 0 and state.target < ABILITY:
            return state.remaining_cost(state.slots[state.deployed * 3 + state.target])
        if state.target != -1:
            return 0
        odds = self.odds(state)
        dice: i64 = state.unassigned()
        missing: i64 = 0
        best = 0.0
        slot: i64 = 0
        while slot < SECTORS:
            card: i64 = state.slots[state.deployed * 3 + slot]
            if card >= 0 and state.remaining_cost(card):
                value = card_value(state, card) * odds.chance(state.remaining_cost(card), dice)
                if value > best:
                    missing, best = state.remaining_cost(card), value
            slot += 1
        return missing

    def turn_to(self, state: ThanosState, kinds: i64) -> i64:
        """Of the dice that may be turned, the kind that fits nothing yet and has a face that does; -1 for none."""
        missing: i64 = self.want(state)
        unfit: i64 = kinds & ~state.fitting(missing)
        while unfit:
            kind: i64 = lowest(unfit)
            if self.odds(state).fit(missing, kind // FACES):
                return kind
            unfit &= unfit - 1
        return -1

    def colour_value(self, state: ThanosState, colour: i64) -> float:
        """How well a colour of dice serves the card of the sector that is most worth going for."""
        odds = self.odds(state)
        dice: i64 = state.hand if state.rolls == 0 else state.unassigned()
        missing: i64 = 0
        best = -1.0
        slot: i64 = 0
        while slot < SECTORS and state.deployed >= 0:
            card: i64 = state.slots[state.deployed * 3 + slot]
            if card >= 0 and state.remaining_cost(card):
                value = card_value(state, card) * odds.chance(state.remaining_cost(card), dice)
                if value > best:
                    missing, best = state.remaining_cost(card), value
            slot += 1
        return float(odds.fit(missing, colour))

    def after_paying(self, state: ThanosState, missing: i64) -> i64:
        """The dice that a full payment from this roll would leave, packed; -1 when it is not enough."""
        left: i64 = state.unassigned()
        symbol: i64 = 0
        while symbol < SYMBOLS:
            need: i64 = lane(missing, symbol)
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
