"""The turn of Thanos Rising, in the order of the rulebook.

A turn: deploy; stone die and Thanos die; his attack, then the villains of his sector; collect, roll and assign power
dice; resolve abilities, recruit, damage villains, draw tokens; discard, collect stones, refill, recall.

Rulings, where the rulebook leaves a choice:
- Extra dice from heroes are taken without asking, single colours first; only a choice of colour is asked.
- The active player settles ties between heroes of equal health.
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

from librt.vecs import append, vec
from mypy_extensions import i64

from engine.bits import bit, lowest, size
from engine.thanos_rising.agenda import SECTOR, SOURCE, VILLAIN_ACTS
from engine.thanos_rising.board import FRESH
from engine.thanos_rising.tables import (
    ABILITY_USED,
    ACTIVATE_OTHER_VILLAINS,
    AFTER_DAMAGE,
    ASSIGN,
    BASE,
    BASES,
    BEFORE_OPENING,
    CHOOSE_BASE,
    CHOOSING,
    COLLECT_DICE,
    DAMAGE_VILLAINS,
    DEPLOY,
    DEPLOYING,
    DISCARD,
    FACES,
    HERO_LOST,
    HEROES_LOST,
    LAST_TOKENS,
    LOSE_DICE,
    LOST,
    OVER,
    READY,
    RECRUIT,
    RECRUITED,
    RESOLVE,
    RESOLVE_ABILITIES,
    RESOLVING,
    REWARDS,
    ROTATE_CCW,
    ROTATE_CW,
    SECTORS,
    SLOTS,
    STONE_COLLECTED,
    STONE_DIE,
    STONES,
    STONES_COLLECTED,
    TEAM_LOST,
    THANOS_ATTACK,
    THANOS_ATTACKED,
    THANOS_DIE,
    THANOS_LUCK,
    THANOS_ROLLED,
    THANOS_TURNED,
    THROW,
    THROWING,
    VILLAIN_DEFEATED,
    VILLAINS_ACT,
    VILLAINS_DEFEATED,
    WON,
)
from engine.thanos_rising.throws import Throws


class Turn(Throws):
    """The rules of a turn; `ThanosState` adds the answers."""

    __slots__ = ()

    def run(self) -> None:
        """Go on until a decision is needed or the match is over."""
        while not self.over:
            if self.depth > 0:
                self.depth -= 1
                if self.perform(self.agenda[self.depth]):
                    return
            elif self.step():
                return

    def step(self) -> bool:
        """The next stage of the turn; True when a question has been put."""
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
            self.note(THANOS_ATTACKED, self.active, self.thanos)
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
        self.note(BASE, seat, base)

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
        self.note(THANOS_ROLLED, self.active, face)
        if face in (ROTATE_CCW, ROTATE_CW):
            self.thanos = (self.thanos + (1 if face == ROTATE_CW else SECTORS - 1)) % SECTORS
            self.note(THANOS_TURNED, self.active, self.thanos)
        elif face == ACTIVATE_OTHER_VILLAINS:
            self.villains_act((self.thanos + 2) % SECTORS)
            self.villains_act((self.thanos + 1) % SECTORS)
        else:
            self.roll_stone_die()

    def villains_act(self, sector: i64) -> None:
        """All villains of a sector, slot by slot; what is put on the agenda last comes first."""
        slot: i64 = sector * 3 + 2
        while slot >= sector * 3:
            card: i64 = self.slots[slot]
            if card >= 0 and self.cards.villains >> card & 1:
                self.push(VILLAIN_ACTS | card << SOURCE | sector << SECTOR)
            slot -= 1

    # -- 4. resolve abilities, recruit, damage villains

    def resolvable(self) -> i64:
        """The heroes whose ability can be used at the end of the turn: free ones, and those paid for in full."""
        if self.stage != RESOLVE_ABILITIES:
            return 0
        heroes: i64 = self.teams[self.active] & ~self.used & (self.cards.at[RESOLVE] | self.cards.at[ASSIGN])
        found: i64 = 0
        while heroes:
            low: i64 = heroes & -heroes
            card: i64 = lowest(low)
            if self.unpaid(card) == 0 and self.usable(card):
                found |= low
            heroes ^= low
        return found

    def has_used(self, timing: i64) -> bool:
        """Whether the active team has used an ability with this timing in this turn."""
        return self.used & self.cards.at[timing] != 0

    def use(self, card: i64) -> None:
        """A hero uses its ability, once a turn."""
        self.used |= bit(card)
        self.note(ABILITY_USED, self.active, card)
        if self.cards.cost_damage[card]:
            self.hurt(card, self.cards.cost_damage[card])
        self.push_ability(card, 0)

    def recruit(self) -> None:
        """Heroes of the sector with all their symbols join the team, and leave their damage behind."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            card: i64 = self.slots[slot]
            if card >= 0 and self.cards.heroes >> card & 1 and self.owed(card) == 0:
                self.slots[slot] = -1
                self.teams[self.active] |= bit(card)
                self.recruits |= bit(card)
                self.damage[card] = 0
                self.paid[card] = 0
                self.note(RECRUITED, self.active, card)
            slot += 1

    def damage_villains(self) -> None:
        """Villains of the sector with all their symbols take one damage, and give a bonus token."""
        slot: i64 = self.deployed * 3
        while slot < self.deployed * 3 + 3:
            card: i64 = self.slots[slot]
            if card >= 0 and self.cards.villains >> card & 1 and self.owed(card) == 0:
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
        if self.judged():
            return
        self.fill_slots()
        self.recall()

    def discard_defeated(self) -> None:
        """Whoever has damage on every space is out of the game, in sectors and in teams."""
        slot: i64 = 0
        while slot < SLOTS:
            card: i64 = self.slots[slot]
            if card >= 0 and self.damage[card] >= self.cards.capacity[card]:
                self.slots[slot] = -1
                self.paid[card] = 0
                if self.cards.villains >> card & 1:
                    self.defeated |= bit(card)
                    self.note(VILLAIN_DEFEATED, self.active, card)
                else:
                    self.lost |= bit(card)
                    self.note(HERO_LOST, -1, card)
            slot += 1
        seat: i64 = 0
        while seat < self.players:
            fallen: i64 = self.teams[seat] & ~self.open_to_damage(self.teams[seat])
            self.teams[seat] &= ~fallen
            self.lost |= fallen
            while fallen:
                self.paid[lowest(fallen)] = 0
                self.note(HERO_LOST, seat, lowest(fallen))
                fallen &= fallen - 1
            seat += 1

    def collect_stones(self) -> None:
        stone: i64 = 0
        while stone < STONES:
            if self.counters[stone] >= self.cards.stone_limit:
                self.counters[stone] = 0
                self.collected |= bit(stone)
                self.note(STONE_COLLECTED, self.active, stone)
            stone += 1

    def judged(self) -> bool:
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
        self.note(WON if self.reason == VILLAINS_DEFEATED else LOST, -1, self.reason)
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
