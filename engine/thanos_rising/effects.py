"""What abilities, stones and villains do: one verb of the card vocabulary after another.

An effect that is still to happen is one number in the queue: which effect, whose, how often still, for which seat,
from which sector. `perform` applies it, or asks the question it depends on; `answer` continues after the answer.

When a card does not say who decides, the active player does, also between heroes of equal health. A hero without a
free damage space cannot be picked for damage. Where no more heroes are left than must be picked, nobody is asked.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from engine.bitset import bit, lowest, size
from engine.thanos_rising.board import Board
from engine.thanos_rising.card_tables import (
    ACTIVE_PLAYER,
    ACTIVE_TEAM,
    ADD_STONE_COUNTER,
    AFTER_ROLL,
    ALL_SECTORS,
    ASSIGN,
    CHANGE_FACE,
    CHOOSE_BONUS_TOKEN,
    CLOCKWISE_SECTOR,
    DAMAGE_HEROES,
    DAMAGE_VILLAIN,
    DEPLOYED_SECTOR,
    DICE_LUCK,
    DRAW_BONUS_TOKEN,
    EACH_TEAM,
    EXTRA_DIE,
    EXTRA_DIE_PER_SELF_DAMAGE,
    FACES,
    FORBID_REMOVE_DAMAGE,
    HEAL_VILLAINS,
    HEALING_FORBIDDEN,
    LEAST_REMAINING_HEALTH,
    LOSE_DIE,
    MOST_REMAINING_HEALTH,
    OPENING_ROLL_SYMBOLS,
    OWN_SECTOR,
    OWN_TEAM,
    OWNER,
    PASS,
    PICK_COLOUR,
    PICK_DIE,
    PICK_FACE,
    PICK_HEAL,
    PICK_HURT,
    PICK_LUCK,
    PICK_REROLL,
    PICK_STONE,
    PICK_TOKEN,
    PICK_VILLAIN,
    RANDOM,
    REMOVE_DAMAGE,
    REMOVE_DAMAGE_PER_VILLAIN_DAMAGE,
    REMOVE_STONE_COUNTER,
    REROLL,
    REROLLED,
    RESOLVE,
    ROLL_STONE_DIE,
    SECTORS,
    STONE_LUCK,
    STONE_POWER,
    STONE_ROLLED,
    STONES,
    TEAM_HAS_TYPE,
    TURNED,
    VILLAIN_ACTED,
    VILLAIN_DAMAGE_DEALT,
    VILLAIN_IN_DEPLOYED_SECTOR,
    lane,
)

VILLAIN_ACTS: Final = 255  # in place of an effect: a villain's whole ability
SOURCE: Final = 8  # the first bit of each part of an item in the queue
LEFT: Final = 16
SEAT: Final = 24
STARTED: Final = 27  # whether part of the effect has already happened
SECTOR: Final = 28
KIND: Final = 32
BELOW_KIND: Final = (1 << 32) - 1


class Effects(Board):
    """The board, the queue of effects, and how each effect changes the board."""

    __slots__ = ()

    # -- questions, and the queue of effects

    def ask(self, phase: i64, seat: i64, choices: i64, item: i64, may_pass: i64) -> bool:
        self.phase = phase
        self.seat = seat
        self.choices = choices
        self.asked = item
        self.may_pass = may_pass
        return True

    def push(self, item: i64) -> None:
        if self.depth == len(self.queue):
            self.queue = append(self.queue, item)
        else:
            self.queue[self.depth] = item
        self.depth += 1

    def push_ability(self, ability: i64, sector: i64) -> None:
        """Queue all effects of an ability, in their order."""
        effect: i64 = self.cards.first[ability] + self.cards.many[ability] - 1
        while effect >= self.cards.first[ability]:
            left: i64 = self.cards.count[effect]
            if self.cards.op[effect] == REMOVE_DAMAGE_PER_VILLAIN_DAMAGE:
                left = self.villain_damage
            self.push(effect | ability << SOURCE | left << LEFT | sector << SECTOR)
            effect -= 1

    def optional(self, ability: i64) -> i64:
        """Whether an effect can be declined: not when its hero's whole ability was asked for."""
        timing: i64 = self.cards.timing[ability]
        asked_for: bool = timing in (AFTER_ROLL, ASSIGN, RESOLVE)
        return 0 if asked_for and self.cards.many[ability] == 1 else 1

    # -- can an ability be used

    def condition_met(self, ability: i64) -> bool:
        """Whether the condition of the ability is met."""
        cards = self.cards
        condition: i64 = cards.condition[ability]
        if condition == TEAM_HAS_TYPE:
            team: i64 = self.teams[self.active] & cards.of_type[cards.condition_a[ability]]
            if cards.condition_b[ability]:
                team &= ~bit(ability)
            return team != 0
        if condition == VILLAIN_IN_DEPLOYED_SECTOR:
            return self.sector(self.deployed) & cards.villains != 0
        if condition == VILLAIN_DAMAGE_DEALT:
            return self.villain_damage >= cards.condition_b[ability]
        if condition == OPENING_ROLL_SYMBOLS:
            return lane(self.opening, cards.condition_a[ability]) >= cards.condition_b[ability]
        return True

    def usable(self, card: i64) -> bool:
        """Whether a hero's ability can be used: condition met, damage bearable, and something to do."""
        if not self.condition_met(card) or self.damage[card] + self.cards.cost_damage[card] > self.cards.capacity[card]:
            return False
        effect: i64 = self.cards.first[card]
        while effect < self.cards.first[card] + self.cards.many[card]:
            if self.possible(effect, card):
                return True
            effect += 1
        return False

    def possible(self, effect: i64, card: i64) -> bool:
        """Whether an effect of this card would change anything."""
        op: i64 = self.cards.op[effect]
        if op == EXTRA_DIE:
            return self.colours_left(self.cards.among[effect]) != 0
        if op == EXTRA_DIE_PER_SELF_DAMAGE:
            return self.damage[card] >= self.cards.amount[effect] and self.colours_left(self.cards.among[effect]) != 0
        if op == REROLL:
            return self.dice > 0
        if op == CHANGE_FACE:
            return self.showing(self.cards.among[effect]) != 0
        if op == REMOVE_DAMAGE:
            return self.patients(effect, self.active) != 0
        if op == REMOVE_DAMAGE_PER_VILLAIN_DAMAGE:
            return self.villain_damage > 0 and self.patients(effect, self.active) != 0
        if op in (DRAW_BONUS_TOKEN, CHOOSE_BONUS_TOKEN):
            return self.tokens_left()
        if op == REMOVE_STONE_COUNTER:
            return self.countered() != 0
        if op == DAMAGE_VILLAIN:
            return self.foes(effect) != 0
        return True

    def patients(self, effect: i64, seat: i64) -> i64:
        """The heroes whose damage the effect may remove."""
        if self.healing_forbidden:
            return 0
        if self.cards.scope[effect] == OWN_TEAM:
            return self.damaged(self.teams[seat])
        return self.damaged(self.all_teams() | (self.in_sectors() & self.cards.heroes))

    def foes(self, effect: i64) -> i64:
        """The villains the effect may damage."""
        cards: i64 = self.sector(self.deployed) if self.cards.scope[effect] == DEPLOYED_SECTOR else self.in_sectors()
        cards = self.open_to_damage(cards & self.cards.villains)
        return cards & ~self.damaged(cards) if self.cards.among[effect] else cards

    def showing(self, symbols: i64) -> i64:
        """The kinds of unassigned dice that show one of the symbols, once or twice."""
        kinds: i64 = 0
        while symbols:
            kinds |= self.cards.showing[lowest(symbols)]
            symbols &= symbols - 1
        return kinds & self.up

    # -- apply an effect

    def perform(self, item: i64) -> bool:
        """Apply one item of the queue; True when a player must answer first."""
        cards = self.cards
        effect: i64 = item & 255
        source: i64 = (item >> SOURCE) & 255
        left: i64 = (item >> LEFT) & 255
        if effect == VILLAIN_ACTS:
            self.log_event(VILLAIN_ACTED, self.active, source)
            self.push_ability(source, (item >> SECTOR) & 3)
            return False
        op: i64 = cards.op[effect]
        if op == DAMAGE_HEROES:
            return self.damage_heroes(item)
        if op == EXTRA_DIE:
            return self.extra_die(item, self.colours_left(cards.among[effect]))
        if op == EXTRA_DIE_PER_SELF_DAMAGE:
            dice: i64 = self.damage[source] // cards.amount[effect]
            while dice > 0 and self.colours_left(cards.among[effect]):
                self.take_die(lowest(cards.among[effect]))
                dice -= 1
        elif op == REROLL:
            if self.dice > 0 and left > 0:
                return self.ask(PICK_REROLL, self.active, self.up, item, 1 if left < cards.count[effect] else 0)
        elif op == CHANGE_FACE:
            if left > 0 and self.showing(cards.among[effect]):
                shown: i64 = self.showing(cards.among[effect])
                return self.ask(PICK_DIE, self.active, shown, item, 1 if left < cards.count[effect] else 0)
        elif op in (REMOVE_DAMAGE, REMOVE_DAMAGE_PER_VILLAIN_DAMAGE):
            return self.remove_damage(item)
        elif op == REMOVE_STONE_COUNTER:
            return self.remove_stone_counter(item)
        elif op == DAMAGE_VILLAIN:
            return self.damage_villain(item)
        elif op == DRAW_BONUS_TOKEN:
            while left > 0:
                self.draw_token()
                left -= 1
        elif op == CHOOSE_BONUS_TOKEN:
            return self.choose_bonus_token(item)
        elif op == ROLL_STONE_DIE:
            if left > 1:
                self.push(item - (i64(1) << LEFT))
            self.roll_stone_die()
        elif op == HEAL_VILLAINS:
            self.heal_villains(item)
        elif op == ADD_STONE_COUNTER:
            self.add_to_fewest(left)
        elif op == FORBID_REMOVE_DAMAGE:
            self.healing_forbidden = 1
            self.log_event(HEALING_FORBIDDEN, self.active)
        elif op == LOSE_DIE:
            self.to_lose += left if cards.pick[effect] == ACTIVE_PLAYER else left << 8
        return False

    def answer(self, choice: i64) -> None:
        """Continue the effect that was asked about; `PASS` skips the rest of it."""
        item: i64 = self.asked
        effect: i64 = item & 255
        left: i64 = (item >> LEFT) & 255
        if choice == PASS:
            return
        if self.phase == PICK_COLOUR:
            self.take_die(choice)
            return
        if self.phase == PICK_DIE:
            faces: i64 = 0
            face: i64 = choice // FACES * FACES
            while face < choice // FACES * FACES + FACES:
                faces |= bit(self.cards.face[face])
                face += 1
            self.ask(PICK_FACE, self.active, faces & ~bit(choice), item | choice << KIND, 0)
            return
        if self.phase == PICK_HURT:
            self.hit |= bit(choice)
            self.hurt(choice, self.cards.amount[effect])
        elif self.phase == PICK_HEAL:
            self.hit |= bit(choice)
            self.heal(choice, self.cards.amount[effect])
        elif self.phase == PICK_VILLAIN:
            self.hit |= bit(choice)
            self.strike(choice, self.cards.amount[effect])
        elif self.phase == PICK_STONE:
            self.remove_counter(choice, 1)
        elif self.phase == PICK_REROLL:
            self.picks += 1
            self.swap_die(choice, self.rolled(choice // FACES, self.chance(DICE_LUCK, 512 + self.picks)), REROLLED)
        elif self.phase == PICK_FACE:
            self.swap_die((item >> KIND) & 31, choice, TURNED)
            item &= BELOW_KIND
        elif self.phase == PICK_TOKEN:
            self.keep_token(choice)
        if left > 1:
            self.push((item & ~(i64(255) << LEFT)) | (left - 1) << LEFT | i64(1) << STARTED)
        elif self.phase == PICK_TOKEN:
            self.drop_looked()

    def extra_die(self, item: i64, colours: i64) -> bool:
        if colours & (colours - 1):
            return self.ask(PICK_COLOUR, self.active, colours, item, 0)
        if colours:
            self.take_die(lowest(colours))
        return False

    def swap_die(self, before: i64, after: i64, how: i64) -> None:
        self.take_up(before)
        self.put_up(after, 1)
        self.log_event(how, self.active, before, after)

    # -- effects of stones and villains

    def roll_stone_die(self) -> None:
        """A counter on the stone rolled; one that is already in the gauntlet shows its power instead."""
        self.stone_rolls += 1
        stone: i64 = self.cards.stone_face[self.chance(STONE_LUCK, self.stone_rolls).below(FACES)]
        self.log_event(STONE_ROLLED, self.active, stone)
        if self.collected >> stone & 1:
            self.log_event(STONE_POWER, self.active, stone)
            self.push_ability(self.cards.first_stone + stone, 0)
        else:
            self.add_counter(stone, 1)

    def add_to_fewest(self, amount: i64) -> None:
        """Counters on every stone tied for the fewest, of those not yet collected."""
        fewest: i64 = 1000
        stone: i64 = 0
        while stone < STONES:
            if not self.collected >> stone & 1 and self.counters[stone] < fewest:
                fewest = self.counters[stone]
            stone += 1
        stone = 0
        while stone < STONES:
            if not self.collected >> stone & 1 and self.counters[stone] == fewest:
                self.add_counter(stone, amount)
            stone += 1

    def heal_villains(self, item: i64) -> None:
        effect: i64 = item & 255
        scope: i64 = self.cards.scope[effect]
        villains: i64 = self.in_sectors()
        if scope == OWN_SECTOR:
            villains = self.sector((item >> SECTOR) & 3)
        elif scope == DEPLOYED_SECTOR:
            villains = self.sector(self.deployed)
        villains &= self.cards.villains
        while villains:
            self.heal(lowest(villains), self.cards.amount[effect])
            villains &= villains - 1

    def damage_heroes(self, item: i64) -> bool:
        """Damage all heroes in scope, or so many as are picked: by chance, by health, by a player."""
        effect: i64 = item & 255
        left: i64 = (item >> LEFT) & 255
        seat: i64 = ((item >> SEAT) & 7) - 1
        amount: i64 = self.cards.amount[effect]
        if self.cards.scope[effect] == EACH_TEAM and seat < 0:
            self.each_team(item)
            return False
        heroes: i64 = self.in_reach(effect, (item >> SECTOR) & 3, seat) & self.cards.among[effect]
        if self.cards.count[effect] == 0:
            self.hurt_all(heroes, amount)
            return False
        if not item >> STARTED & 1:
            self.hit = 0
        while True:
            heroes = self.open_to_damage(heroes & ~self.hit)
            if size(heroes) <= left:
                self.hurt_all(heroes, amount)
                return False
            picked: i64 = self.candidates(heroes, self.cards.pick[effect])
            if picked & (picked - 1):
                asked: i64 = seat if self.cards.pick[effect] == OWNER and seat >= 0 else self.active
                whole: i64 = (item & ~(i64(255) << LEFT)) | left << LEFT | i64(1) << STARTED
                return self.ask(PICK_HURT, asked, picked, whole, 0)
            self.hit |= picked
            self.hurt(lowest(picked), amount)
            left -= 1
            if left == 0:
                return False

    def each_team(self, item: i64) -> None:
        """The same for every team, the active one first."""
        step: i64 = self.players - 1
        while step >= 0:
            self.push(item | ((self.active + step) % self.players + 1) << SEAT)
            step -= 1

    def in_reach(self, effect: i64, sector: i64, seat: i64) -> i64:
        scope: i64 = self.cards.scope[effect]
        if scope == OWN_SECTOR:
            return self.present(sector)
        if scope == CLOCKWISE_SECTOR:
            return self.present((sector + 1) % SECTORS)
        if scope == DEPLOYED_SECTOR:
            return self.present(self.deployed)
        if scope == ALL_SECTORS:
            return self.present(0) | self.present(1) | self.present(2)
        if scope == ACTIVE_TEAM:
            return self.teams[self.active]
        return self.teams[seat]

    def candidates(self, heroes: i64, pick: i64) -> i64:
        """The heroes to pick from: one when chance or health decides, several when a player must."""
        if pick == RANDOM:
            self.picks += 1
            skip: i64 = self.chance(PICK_LUCK, self.picks).below(size(heroes))
            while skip > 0:
                heroes &= heroes - 1
                skip -= 1
            return heroes & -heroes
        if pick != MOST_REMAINING_HEALTH and pick != LEAST_REMAINING_HEALTH:
            return heroes
        best: i64 = 0
        tied: i64 = 0
        while heroes:
            low: i64 = heroes & -heroes
            card: i64 = lowest(low)
            health: i64 = self.cards.capacity[card] - self.damage[card]
            if tied == 0 or (health > best if pick == MOST_REMAINING_HEALTH else health < best):
                best = health
                tied = low
            elif health == best:
                tied |= low
            heroes ^= low
        return tied

    # -- effects of heroes

    def remove_damage(self, item: i64) -> bool:
        """Heal heroes: all in scope, or so many as are chosen. A hero healed per villain damage may be the same."""
        effect: i64 = item & 255
        amount: i64 = self.cards.amount[effect]
        per_damage: bool = self.cards.op[effect] == REMOVE_DAMAGE_PER_VILLAIN_DAMAGE
        left: i64 = (item >> LEFT) & 255
        if not item >> STARTED & 1 or per_damage:
            self.hit = 0
        heroes: i64 = self.patients(effect, self.active) & ~self.hit
        if self.cards.count[effect] == 0:
            while heroes:
                self.heal(lowest(heroes), amount)
                heroes &= heroes - 1
            return False
        if heroes == 0 or left == 0:
            return False
        return self.ask(PICK_HEAL, self.active, heroes, item, self.optional((item >> SOURCE) & 255))

    def remove_stone_counter(self, item: i64) -> bool:
        stones: i64 = self.countered()
        if stones == 0:
            return False
        return self.ask(PICK_STONE, self.active, stones, item, self.optional((item >> SOURCE) & 255))

    def damage_villain(self, item: i64) -> bool:
        effect: i64 = item & 255
        if not item >> STARTED & 1:
            self.hit = 0
        villains: i64 = self.foes(effect) & ~self.hit
        if self.cards.count[effect] == 0 or villains & (villains - 1) == 0:
            while villains:
                self.strike(lowest(villains), self.cards.amount[effect])
                villains &= villains - 1
            return False
        return self.ask(PICK_VILLAIN, self.active, villains, item, 0)

    def strike(self, villain: i64, amount: i64) -> None:
        """Damage a villain, and draw a bonus token for every damage counter that was placed."""
        amount = self.hurt(villain, amount)
        self.villain_damage += amount
        while amount > 0:
            self.draw_token()
            amount -= 1

    def choose_bonus_token(self, item: i64) -> bool:
        """Look at some tokens, keep a few of them, discard the rest."""
        effect: i64 = item & 255
        if not item >> STARTED & 1:
            self.looked = 0
            draws: i64 = self.cards.amount[effect]
            while draws > 0:
                kind: i64 = self.next_token()
                if kind >= 0:
                    self.looked += bit(kind * 3)
                draws -= 1
        kinds: i64 = 0
        kind = 0
        while kind < self.cards.tokens:
            if self.looked >> (kind * 3) & 7:
                kinds |= bit(kind)
            kind += 1
        if kinds == 0:
            return False
        if kinds & (kinds - 1):
            return self.ask(PICK_TOKEN, self.active, kinds, item, 0)
        left: i64 = (item >> LEFT) & 255
        while left > 0 and self.looked:
            self.keep_token(lowest(kinds))
            left -= 1
        self.drop_looked()
        return False

    def keep_token(self, kind: i64) -> None:
        self.looked -= bit(kind * 3)
        self.gain_token(kind)

    def drop_looked(self) -> None:
        kind: i64 = 0
        while self.looked:
            while self.looked >> (kind * 3) & 7:
                self.looked -= bit(kind * 3)
                self.discard_token(kind)
            kind += 1
