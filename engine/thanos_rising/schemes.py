"""What stones and villains do.

Who decides, when the card does not say: the active player, also between heroes of equal health. No hero without a
free damage space can be picked for damage, and where no more heroes are left than are to be picked, nobody is asked.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64

from engine.bits import lowest, size
from engine.thanos_rising.agenda import LEFT, SEAT, SECTOR, STARTED, Agenda
from engine.thanos_rising.tables import (
    ACTIVE_TEAM,
    ALL_SECTORS,
    CLOCKWISE_SECTOR,
    DEPLOYED_SECTOR,
    EACH_TEAM,
    FACES,
    LEAST_REMAINING_HEALTH,
    MOST_REMAINING_HEALTH,
    OWN_SECTOR,
    OWNER,
    PICK_HURT,
    PICK_LUCK,
    RANDOM,
    SECTORS,
    STONE_LUCK,
    STONE_POWER,
    STONE_ROLLED,
    STONES,
)


class Schemes(Agenda):
    """The table, and how Thanos and his allies change it."""

    __slots__ = ()

    def roll_stone_die(self) -> None:
        """A counter on the stone rolled; one that is already in the gauntlet shows its power instead."""
        self.stone_rolls += 1
        stone: i64 = self.cards.stone_face[self.chance(STONE_LUCK, self.stone_rolls).below(FACES)]
        self.note(STONE_ROLLED, self.active, stone)
        if self.collected >> stone & 1:
            self.note(STONE_POWER, self.active, stone)
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
        """Those among whom the pick lies: one when chance or health has decided, several when a player must."""
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
