"""The turn of Thanos Rising, in the order of the rulebook.

A turn: deploy; stone die and Thanos die; his attack, then the villains of his sector; collect, roll and assign power
dice; resolve abilities, recruit, damage villains, draw tokens; discard, collect stones, refill, recall.

Rulings, where the rulebook leaves a choice:
- Extra dice from heroes are taken without asking, single colours first; only a choice of colour is asked.
- The active player decides between heroes of equal health.
- A die may be forfeited only when no die fits a card of the sector; an own hero's ability may always be paid instead.
- Rolling goes on until no die is left, or until what lies unassigned cannot complete any card of the sector, tokens
  and abilities not counted: then the player may stop.
- An extra die from a token joins the dice on the table at once.
- The symbols of a double face go to the same card; what the card does not need of them is lost.
- Face changes and re-rolls act on a roll of which no die was assigned or forfeited yet.
- Resolve abilities and paid ones are used in any order, each once; what is paid for need not be used.
- Bonus tokens may be played by anyone while the active player is asked to roll, to assign or to resolve: so never
  before the Thanos dice are resolved, and never inside another player's choice of a target. When the last ability has
  been resolved, and again when abilities that answer damage have been, the active player is asked once more if anyone
  could still play a token.
- Among several ways to have lost at once, the reason given is the first in the rulebook's order.
- Damage and stone counters never run out; an empty slot is refilled in the order of the sectors.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from engine.bitset import bit, lowest, size
from engine.rng import Rng
from engine.thanos_rising.board import FRESH, USED
from engine.thanos_rising.card_tables import (
    ABILITY_USED,
    ACTIVATE_OTHER_VILLAINS,
    AFTER_DAMAGE,
    ASSIGN,
    ASSIGN_SYMBOL,
    ASSIGNED,
    BASE,
    BASES,
    BEFORE_OPENING,
    BEFORE_ROLL,
    CHOOSE_BASE,
    CHOOSING,
    COLLECT_DICE,
    COLOURS,
    DAMAGE_VILLAINS,
    DEPLOY,
    DEPLOYING,
    DICE_LUCK,
    DIE_LOST,
    DISCARD,
    EXTRA_DIE,
    EXTRA_DIE_PER_SELF_DAMAGE,
    FACES,
    FORFEITED,
    HERO_LOST,
    HEROES_LOST,
    LANE,
    LAST_TOKENS,
    LOSE_DICE,
    LOST,
    OVER,
    PICK_LOSS,
    PICK_LUCK,
    READY,
    RECRUIT,
    RECRUITED,
    REMOVE_DAMAGE,
    RESOLVE,
    RESOLVE_ABILITIES,
    RESOLVING,
    REWARDS,
    ROLLED,
    ROTATE_CCW,
    ROTATE_CW,
    SECTORS,
    SLOTS,
    STONE_COLLECTED,
    STONE_DIE,
    STONES,
    STONES_COLLECTED,
    SYMBOL_PLAYED,
    TEAM_ABILITY,
    TEAM_LOST,
    THANOS_ATTACK,
    THANOS_ATTACKED,
    THANOS_DIE,
    THANOS_LUCK,
    THANOS_ROLLED,
    THANOS_TURNED,
    THROW,
    THROWING,
    TOKEN_PLAYED,
    VILLAIN_DEFEATED,
    VILLAINS_ACT,
    VILLAINS_DEFEATED,
    WON,
    lane,
    total,
    unit,
)
from engine.thanos_rising.effects import SECTOR, SOURCE, VILLAIN_ACTS, Effects

FORFEIT_MADE: Final = -2  # as a target: this roll's die was forfeited, no other may be assigned
ABILITY: Final = 3  # as a target: from here on, an own hero
LAST_DIE_OP: Final = EXTRA_DIE_PER_SELF_DAMAGE


class Turn(Effects):
    """The rules of a turn; `ThanosState` adds the legal actions and the answers."""

    __slots__ = ()

    def run(self) -> None:
        """Continue until a decision is needed or the match is over."""
        while not self.over:
            if self.depth > 0:
                self.depth -= 1
                if self.perform(self.queue[self.depth]):
                    return
            elif self.step():
                return

    def step(self) -> bool:
        """Run the next stage of the turn; True when a player must answer."""
        stage: i64 = self.stage
        if stage == CHOOSING:
            if self.bases[self.active] < 0:
                return self.ask(CHOOSE_BASE, self.active, self.free_bases(), 0, 0)
            self.begin()
            return False
        if stage == DEPLOYING:
            return self.ask(DEPLOY, self.active, 7, 0, 0)
        if stage == BEFORE_OPENING:
            if self.token_open():
                return self.ask(READY, self.active, 0, 0, 0)
            self.opening_roll()
            return False
        if stage == THROWING:
            if self.dice > 0 or self.token_open():
                return self.ask(THROW, self.active, 0, 0, 0)
            self.stage = RESOLVE_ABILITIES
            return False
        if stage == RESOLVE_ABILITIES:
            if self.resolvable() or ((self.has_used(RESOLVE) or self.has_used(ASSIGN)) and self.token_open()):
                return self.ask(RESOLVING, self.active, 0, 0, 0)
            self.stage = RECRUIT
            return False
        if stage == LAST_TOKENS:
            if self.has_used(AFTER_DAMAGE) and self.token_open():
                return self.ask(RESOLVING, self.active, 0, 0, 0)
            self.stage = DISCARD
            return False
        if stage == LOSE_DICE:
            return self.lose_dice()
        self.stage = stage + 1
        if stage == STONE_DIE:
            self.roll_stone_die()
        elif stage == THANOS_DIE:
            self.roll_thanos_die()
        elif stage == THANOS_ATTACK:
            self.log_event(THANOS_ATTACKED, self.active, self.thanos)
            self.hurt_all(self.present(self.thanos), 1)
        elif stage == VILLAINS_ACT:
            self.villains_act(self.thanos)
        elif stage == COLLECT_DICE:
            self.collect_dice()
        elif stage == RECRUIT:
            self.recruit()
        elif stage == DAMAGE_VILLAINS:
            self.damage_villains()
        elif stage == REWARDS:
            self.reap_rewards()
        elif stage == DISCARD:
            self.end_turn()
        return False

    # -- the set-up

    def free_bases(self) -> i64:
        free: i64 = bit(BASES) - 1
        seat: i64 = 0
        while seat < self.players:
            if self.bases[seat] >= 0:
                free &= ~bit(self.bases[seat])
            seat += 1
        return free

    def lead(self, seat: i64, base: i64) -> None:
        """A player's team begins with the leader of the base."""
        self.bases[seat] = base
        self.teams[seat] = bit(self.cards.leader[base])
        self.log_event(BASE, seat, base)

    def begin(self) -> None:
        """The leaders are taken from the shuffled deck, unused ones stay in it; nine cards are shown."""
        leaders: i64 = self.all_teams()
        deck = vec[i64]()
        for card in self.deck:
            if not leaders >> card & 1:
                deck = append(deck, card)
        self.deck = deck
        self.fill_slots()
        self.stage = DEPLOYING

    # -- 2. stone die and Thanos die, attack, villains

    def roll_thanos_die(self) -> None:
        face: i64 = self.cards.thanos_face[self.chance(THANOS_LUCK, 0).below(FACES)]
        self.log_event(THANOS_ROLLED, self.active, face)
        if face in (ROTATE_CCW, ROTATE_CW):
            self.thanos = (self.thanos + (1 if face == ROTATE_CW else SECTORS - 1)) % SECTORS
            self.log_event(THANOS_TURNED, self.active, self.thanos)
        elif face == ACTIVATE_OTHER_VILLAINS:
            self.villains_act((self.thanos + 2) % SECTORS)
            self.villains_act((self.thanos + 1) % SECTORS)
        else:
            self.roll_stone_die()

    def villains_act(self, sector: i64) -> None:
        """All villains of a sector, slot by slot; what is queued last happens first."""
        slot: i64 = sector * 3 + 2
        while slot >= sector * 3:
            card: i64 = self.slots[slot]
            if card >= 0 and self.cards.villains >> card & 1:
                self.push(VILLAIN_ACTS | card << SOURCE | sector << SECTOR)
            slot -= 1

    # -- 3. power dice: collect, roll, assign or forfeit, roll again

    def collect_dice(self) -> None:
        """The dice of the base and of the team's heroes; choices of colour come after all else is taken."""
        self.hand = self.cards.pool[self.bases[self.active]]
        heroes: i64 = self.teams[self.active] & self.cards.at[BEFORE_ROLL]
        while heroes:
            card: i64 = lowest(heroes)
            if self.usable(card):
                self.used |= bit(card)
                self.log_event(ABILITY_USED, self.active, card)
                effect: i64 = self.cards.first[card]
                colours: i64 = self.cards.among[effect]
                if self.cards.many[card] == 1 and self.cards.op[effect] <= LAST_DIE_OP and colours & (colours - 1) == 0:
                    self.perform(effect | card << SOURCE)
                else:
                    self.push_ability(card, 0)
            heroes &= heroes - 1

    def lose_dice(self) -> bool:
        """Dice that a stone takes from the pool, down to one die; True when the player must choose which."""
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
        self.log_event(DIE_LOST, self.active, colour)

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
        if self.condition_met(self.cards.first_base + base):
            self.log_event(TEAM_ABILITY, self.active, base)
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
                self.log_event(ROLLED, self.active, lowest(kinds), self.pool[lowest(kinds)])
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
        self.log_event(ASSIGNED, self.active, kind, card)

    def forfeit(self, kind: i64) -> None:
        self.take_up(kind)
        self.target = FORFEIT_MADE
        self.touched = 1
        self.log_event(FORFEITED, self.active, kind)

    def completable(self) -> bool:
        """Whether the unassigned dice, at their luckiest, could complete a card of the sector."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            if self.slots[slot] >= 0:
                missing: i64 = self.remaining_cost(self.slots[slot])
                if missing and total(missing) <= self.dice * 2 and self.dice_needed(missing) <= self.dice:
                    return True
            slot += 1
        return False

    def dice_needed(self, missing: i64) -> i64:
        """How many of the dice could show all these symbols: doubles only when there are not enough for singles."""
        if total(missing) <= self.dice:
            return total(missing)
        dice: i64 = self.unassigned()
        needed: i64 = 0
        colour: i64 = 0
        while colour < COLOURS:
            symbol: i64 = self.cards.double[colour]
            if symbol >= 0:
                pairs: i64 = lane(missing, symbol) // 2
                if pairs > lane(dice, colour):
                    pairs = lane(dice, colour)
                missing -= pairs * 2 << (symbol * LANE)
                needed += pairs
            colour += 1
        return needed + total(missing)

    # -- bonus tokens: played by anyone from step 3 on
    #
    # Each kind of token has one action for each target it could have, so that playing one is a single answer and a
    # player who is not on turn never leaves a question open.

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
        self.log_event(TOKEN_PLAYED, seat, kind)
        if op == ASSIGN_SYMBOL:
            card: i64 = self.slots[self.deployed * 3 + target]
            self.put_symbols(card, lowest(self.cards.among[effect]), self.cards.count[effect], self.cards.symbols[card])
            self.log_event(SYMBOL_PLAYED, seat, kind, card)
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
        """Put symbols on a card, as many as it still needs; the rest is lost."""
        room: i64 = lane(wanted, symbol) - lane(self.paid[card], symbol)
        if amount > room:
            amount = room
        self.paid[card] += amount << (symbol * LANE)

    # -- 4. resolve abilities, recruit, damage villains

    def resolvable(self) -> i64:
        """The heroes whose ability can be used at the end of the turn: free ones, and those paid for in full."""
        if self.stage != RESOLVE_ABILITIES:
            return 0
        heroes: i64 = self.teams[self.active] & ~self.used & (self.cards.at[RESOLVE] | self.cards.at[ASSIGN])
        ready: i64 = 0
        while heroes:
            low: i64 = heroes & -heroes
            card: i64 = lowest(low)
            if self.unpaid(card) == 0 and self.usable(card):
                ready |= low
            heroes ^= low
        return ready

    def has_used(self, timing: i64) -> bool:
        """Whether the active team has used an ability with this timing in this turn."""
        return self.used & self.cards.at[timing] != 0

    def use(self, card: i64) -> None:
        """A hero uses its ability, once a turn."""
        self.used |= bit(card)
        self.log_event(ABILITY_USED, self.active, card)
        if self.cards.cost_damage[card]:
            self.hurt(card, self.cards.cost_damage[card])
        self.push_ability(card, 0)

    def recruit(self) -> None:
        """Heroes of the sector with all their symbols join the team, and leave their damage behind."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            card: i64 = self.slots[slot]
            if card >= 0 and self.cards.heroes >> card & 1 and self.remaining_cost(card) == 0:
                self.slots[slot] = -1
                self.teams[self.active] |= bit(card)
                self.recruits |= bit(card)
                self.damage[card] = 0
                self.paid[card] = 0
                self.log_event(RECRUITED, self.active, card)
            slot += 1

    def damage_villains(self) -> None:
        """Villains of the sector with all their symbols take one damage, and give a bonus token."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            card: i64 = self.slots[slot]
            if card >= 0 and self.cards.villains >> card & 1 and self.remaining_cost(card) == 0:
                self.strike(card, 1)
            slot += 1

    def reap_rewards(self) -> None:
        """Abilities that answer damage on villains; not those of heroes who joined just now."""
        heroes: i64 = self.teams[self.active] & ~self.recruits & ~self.used & self.cards.at[AFTER_DAMAGE]
        while heroes:
            card: i64 = lowest(heroes)
            if self.usable(card):
                self.use(card)
            heroes &= heroes - 1

    # -- 5. discard, collect stones, refill, recall

    def end_turn(self) -> None:
        self.discard_defeated()
        self.collect_stones()
        if self.check_end():
            return
        self.fill_slots()
        self.recall()

    def discard_defeated(self) -> None:
        """Cards with damage on every space leave the game, in sectors and in teams."""
        slot: i64 = 0
        while slot < SLOTS:
            card: i64 = self.slots[slot]
            if card >= 0 and self.damage[card] >= self.cards.capacity[card]:
                self.slots[slot] = -1
                self.paid[card] = 0
                if self.cards.villains >> card & 1:
                    self.defeated |= bit(card)
                    self.log_event(VILLAIN_DEFEATED, self.active, card)
                else:
                    self.lost |= bit(card)
                    self.log_event(HERO_LOST, -1, card)
            slot += 1
        seat: i64 = 0
        while seat < self.players:
            fallen: i64 = self.teams[seat] & ~self.open_to_damage(self.teams[seat])
            self.teams[seat] &= ~fallen
            self.lost |= fallen
            while fallen:
                self.paid[lowest(fallen)] = 0
                self.log_event(HERO_LOST, seat, lowest(fallen))
                fallen &= fallen - 1
            seat += 1

    def collect_stones(self) -> None:
        stone: i64 = 0
        while stone < STONES:
            if self.counters[stone] >= self.cards.stone_limit:
                self.counters[stone] = 0
                self.collected |= bit(stone)
                self.log_event(STONE_COLLECTED, self.active, stone)
            stone += 1

    def check_end(self) -> bool:
        """Whether the match is over; a win and a loss at once are a win."""
        if size(self.defeated) >= self.goal:
            self.reason = VILLAINS_DEFEATED
        elif size(self.collected) >= self.stones_to_lose:
            self.reason = STONES_COLLECTED
        elif size(self.lost) >= self.lost_limit:
            self.reason = HEROES_LOST
        elif self.team_loss and self.team_lost():
            self.reason = TEAM_LOST
        else:
            return False
        self.over = True
        self.phase = OVER
        self.log_event(WON if self.reason == VILLAINS_DEFEATED else LOST, -1, self.reason)
        return True

    def team_lost(self) -> bool:
        seat: i64 = 0
        while seat < self.players:
            if self.teams[seat] == 0:
                return True
            seat += 1
        return False

    def recall(self) -> None:
        """The team goes home, and everything of this turn is forgotten; the next player begins."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            if self.slots[slot] >= 0:
                self.paid[self.slots[slot]] = 0
            slot += 1
        heroes: i64 = self.teams[self.active] & self.cards.at[ASSIGN]
        while heroes:
            self.paid[lowest(heroes)] = 0
            heroes &= heroes - 1
        if self.fresh:
            kind: i64 = 0
            while kind < self.cards.tokens:
                self.tokens[FRESH * self.cards.tokens + kind] = 0
                kind += 1
            self.fresh = 0
        self.clear_pool()
        self.deployed = -1
        self.recruits = 0
        self.used = 0
        self.villain_damage = 0
        self.healing_forbidden = 0
        self.stone_rolls = 0
        self.picks = 0
        self.hand = 0
        self.to_lose = 0
        self.rolls = 0
        self.opening = 0
        self.target = -1
        self.touched = 0
        self.turn += 1
        self.active = (self.active + 1) % self.players
        self.stage = DEPLOYING
