"""Everything on the table in Thanos Rising, and the basic operations that all rules use.

Cards are numbers in their card set; a team is a mask of cards. Sectors are numbered clockwise, three slots each.
Symbols put on a card stay in `paid` until the end of the turn: on a card of the sector they recruit or attack, on a
hero of the team they pay for its ability.

Random numbers have no state of their own: every roll, draw and pick is a fork of the match's one stream, by what is
rolled, in which turn, and how often before. So the same turn brings the same dice, whatever was decided before it.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from engine.bitset import bit, lowest
from engine.rng import Rng
from engine.state import EVERYONE, GameState
from engine.thanos_rising.card_tables import (
    CHOOSING,
    COLOURS,
    COUNTER_ADDED,
    COUNTER_REMOVED,
    DAMAGED,
    DICE_LUCK,
    DIE_GAINED,
    FACES,
    HEALED,
    REVEALED,
    ROLLED,
    SLOTS,
    STONES,
    TOKEN_DISCARDED,
    TOKEN_DRAWN,
    TOKENS_LUCK,
    TOKENS_SHUFFLED,
    CardSet,
    lane,
    total,
    unit,
)

SEATS: Final = 4
FRESH: Final = 4  # the rows of `tokens` after the seats: drawn this turn, and so unusable
USED: Final = 5  # the discard pile


class Board(GameState):
    """The table, without the order of play."""

    __slots__ = (
        "active", "asked", "bases", "cards", "choices", "collected", "counters", "damage", "deck",
        "defeated", "deployed", "depth", "dice", "drawn", "first", "fresh", "goal", "hand", "healing_forbidden",
        "held", "hit", "looked", "lost", "lost_limit", "may_pass", "opening", "paid", "phase", "picks", "pool", "queue",
        "reason", "recruits", "reshuffles", "revealed", "rolls", "slots", "stage", "stone_rolls", "stones_to_lose",
        "supply", "target", "team_loss", "teams", "thanos", "to_lose", "tokens", "touched", "turn", "up", "used",
        "villain_damage",
    )  # fmt: skip

    def __init__(
        self,
        players: i64,
        rng: Rng,
        cards: CardSet,
        goal: i64,
        lost_limit: i64,
        stones_to_lose: i64,
        team_loss: i64,
        deck: vec[i64],
        supply: vec[i64],
        bases: vec[i64],
        slots: vec[i64],
        damage: vec[i64],
        paid: vec[i64],
        teams: vec[i64],
        counters: vec[i64],
        tokens: vec[i64],
        pool: vec[i64],
        queue: vec[i64],
    ) -> None:
        super().__init__(players, rng)
        self.cards: CardSet = cards
        self.goal: i64 = goal  # villains to defeat
        self.lost_limit: i64 = lost_limit  # heroes whose defeat loses the match
        self.stones_to_lose: i64 = stones_to_lose  # collected stones that lose the match
        self.team_loss: i64 = team_loss  # whether a team without heroes loses it

        self.deck: vec[i64] = deck  # never changed: clones share it
        self.revealed: i64 = 0  # how many of the deck are on the table or were
        self.supply: vec[i64] = supply  # kinds of token, face down; never changed
        self.drawn: i64 = 0
        self.reshuffles: i64 = 0
        self.bases: vec[i64] = bases  # by seat
        self.slots: vec[i64] = slots  # a card, or -1
        self.damage: vec[i64] = damage  # by card
        self.paid: vec[i64] = paid  # by card: symbols put on it this turn, packed
        self.teams: vec[i64] = teams  # by seat: a mask of heroes
        self.counters: vec[i64] = counters  # by stone
        self.collected: i64 = 0  # stones in the gauntlet
        self.tokens: vec[i64] = tokens  # rows of kinds: the four seats, FRESH, USED
        self.held: i64 = 0  # bonus tokens with players
        self.fresh: i64 = 0  # of those, drawn this turn
        self.thanos: i64 = 0  # the sector he faces
        self.defeated: i64 = 0  # villains
        self.lost: i64 = 0  # heroes
        self.reason: i64 = 0

        self.first: i64 = 0
        self.turn: i64 = 0
        self.active: i64 = 0
        self.stage: i64 = CHOOSING
        self.deployed: i64 = -1
        self.recruits: i64 = 0  # heroes who joined this turn
        self.used: i64 = 0  # heroes whose ability was used this turn
        self.villain_damage: i64 = 0  # dealt this turn
        self.healing_forbidden: i64 = 0
        self.stone_rolls: i64 = 0
        self.picks: i64 = 0

        self.hand: i64 = 0  # dice taken from the box this turn, by colour, packed
        self.pool: vec[i64] = pool  # rolled and not yet assigned, by kind
        self.up: i64 = 0  # the kinds in the pool
        self.dice: i64 = 0  # how many those are
        self.to_lose: i64 = 0
        self.rolls: i64 = 0
        self.opening: i64 = 0  # symbols of the opening roll, packed
        self.target: i64 = -1  # what this roll's dice go to: a slot of the sector, 3 + an own hero, or not yet chosen
        self.touched: i64 = 0  # whether a die was assigned or forfeited since the last roll

        self.phase: i64 = 0  # what is asked
        self.choices: i64 = 0  # where one thing is asked: the answers, a mask
        self.may_pass: i64 = 0
        self.asked: i64 = 0  # the pending effect that the answer is for
        self.queue: vec[i64] = queue  # effects to come, the next one last
        self.depth: i64 = 0
        self.hit: i64 = 0  # heroes already picked by the effect in hand
        self.looked: i64 = 0  # tokens to choose from, three bits a kind

    def log_event(self, kind: i64, seat: i64, a: i64 = -1, b: i64 = -1, c: i64 = -1) -> None:
        if self.log is not None:
            self.log.append(kind, seat, EVERYONE, a, b, c)

    def chance(self, source: i64, time: i64) -> Rng:
        """The luck of one source, this turn, for the `time`-th time."""
        self.luck += 1
        return self.rng.fork(source | self.turn << 12 | time)

    # -- cards in sectors and teams

    def sector(self, sector: i64) -> i64:
        """The cards there, as a mask."""
        cards: i64 = 0
        slot: i64 = sector * 3
        while slot < sector * 3 + 3:
            if self.slots[slot] >= 0:
                cards |= bit(self.slots[slot])
            slot += 1
        return cards

    def in_sectors(self) -> i64:
        return self.sector(0) | self.sector(1) | self.sector(2)

    def present(self, sector: i64) -> i64:
        """The heroes there: those of the sector, and the active team when it is deployed to it."""
        heroes: i64 = self.sector(sector) & self.cards.heroes
        if self.deployed == sector:
            heroes |= self.teams[self.active]
        return heroes

    def all_teams(self) -> i64:
        return self.teams[0] | self.teams[1] | self.teams[2] | self.teams[3]

    def hurt(self, card: i64, amount: i64) -> i64:
        """Put damage on a card, never more than its spaces; returns how much was placed."""
        room: i64 = self.cards.capacity[card] - self.damage[card]
        if amount > room:
            amount = room
        if amount > 0:
            self.damage[card] += amount
            self.log_event(DAMAGED, self.active, card, amount, self.damage[card])
        return amount

    def hurt_all(self, cards: i64, amount: i64) -> None:
        while cards:
            self.hurt(lowest(cards), amount)
            cards &= cards - 1

    def heal(self, card: i64, amount: i64) -> None:
        if amount > self.damage[card]:
            amount = self.damage[card]
        if amount > 0:
            self.damage[card] -= amount
            self.log_event(HEALED, self.active, card, amount, self.damage[card])

    def damaged(self, cards: i64) -> i64:
        """Those of the cards with damage on them."""
        hurt: i64 = 0
        while cards:
            low: i64 = cards & -cards
            if self.damage[lowest(low)] > 0:
                hurt |= low
            cards ^= low
        return hurt

    def open_to_damage(self, cards: i64) -> i64:
        """Those of the cards with a free damage space."""
        with_room: i64 = 0
        while cards:
            low: i64 = cards & -cards
            card: i64 = lowest(low)
            if self.damage[card] < self.cards.capacity[card]:
                with_room |= low
            cards ^= low
        return with_room

    def remaining_cost(self, card: i64) -> i64:
        """The symbols still missing on a card of the sector, packed; no more than needed are ever put there."""
        return self.cards.symbols[card] - self.paid[card]

    def unpaid(self, hero: i64) -> i64:
        """The same for the cost of an own hero's ability."""
        return self.cards.cost_symbols[hero] - self.paid[hero]

    def fill_slots(self) -> None:
        """Replace missing cards from the deck while it lasts."""
        slot: i64 = 0
        while slot < SLOTS:
            if self.slots[slot] < 0 and self.revealed < len(self.deck):
                self.slots[slot] = self.deck[self.revealed]
                self.revealed += 1
                self.luck += 1
                self.log_event(REVEALED, self.active, self.slots[slot], slot)
            slot += 1

    # -- stones

    def add_counter(self, stone: i64, amount: i64) -> None:
        self.counters[stone] += amount
        self.log_event(COUNTER_ADDED, self.active, stone, amount, self.counters[stone])

    def remove_counter(self, stone: i64, amount: i64) -> None:
        if amount > self.counters[stone]:
            amount = self.counters[stone]
        self.counters[stone] -= amount
        self.log_event(COUNTER_REMOVED, self.active, stone, amount, self.counters[stone])

    def countered(self) -> i64:
        """The stones with counters on them."""
        stones: i64 = 0
        stone: i64 = 0
        while stone < STONES:
            if self.counters[stone] > 0:
                stones |= bit(stone)
            stone += 1
        return stones

    # -- bonus tokens

    def next_token(self) -> i64:
        """The kind of the next face-down token; -1 when even the discard pile is empty."""
        if self.drawn >= len(self.supply):
            self.shuffle_used()
        if self.drawn >= len(self.supply):
            return -1
        kind: i64 = self.supply[self.drawn]
        self.drawn += 1
        self.luck += 1
        return kind

    def shuffle_used(self) -> None:
        kinds: i64 = self.cards.tokens
        supply = vec[i64]()
        kind: i64 = 0
        while kind < kinds:
            while self.tokens[USED * kinds + kind] > 0:
                self.tokens[USED * kinds + kind] -= 1
                supply = append(supply, kind)
            kind += 1
        if len(supply) > 0:
            self.reshuffles += 1
            self.luck += 1
            self.rng.fork(TOKENS_LUCK | self.reshuffles).shuffle(supply)
            self.supply = supply
            self.drawn = 0
            self.log_event(TOKENS_SHUFFLED, self.active)

    def gain_token(self, kind: i64) -> None:
        """The active player takes a token, unusable before the next turn."""
        self.tokens[self.active * self.cards.tokens + kind] += 1
        self.tokens[FRESH * self.cards.tokens + kind] += 1
        self.held += 1
        self.fresh += 1
        self.log_event(TOKEN_DRAWN, self.active, kind)

    def draw_token(self) -> None:
        kind: i64 = self.next_token()
        if kind >= 0:
            self.gain_token(kind)

    def discard_token(self, kind: i64) -> None:
        self.tokens[USED * self.cards.tokens + kind] += 1
        self.log_event(TOKEN_DISCARDED, self.active, kind)

    def tokens_left(self) -> bool:
        """Whether a token can be drawn."""
        if self.drawn < len(self.supply):
            return True
        kind: i64 = 0
        while kind < self.cards.tokens:
            if self.tokens[USED * self.cards.tokens + kind] > 0:
                return True
            kind += 1
        return False

    def usable_tokens(self, seat: i64, kind: i64) -> i64:
        count: i64 = self.tokens[seat * self.cards.tokens + kind]
        if seat == self.active:
            count -= self.tokens[FRESH * self.cards.tokens + kind]
        return count

    # -- power dice

    def colours_left(self, colours: i64) -> i64:
        """Those of the colours of which the box still has a die."""
        left: i64 = 0
        colour: i64 = 0
        while colour < COLOURS:
            if colours >> colour & 1 and lane(self.hand, colour) < self.cards.box[colour]:
                left |= bit(colour)
            colour += 1
        return left

    def take_die(self, colour: i64) -> None:
        """A die from the box. After the opening roll it is rolled at once and joins the dice that lie there; when
        none does, it makes a roll of its own."""
        self.hand += unit(colour)
        self.log_event(DIE_GAINED, self.active, colour)
        if self.rolls > 0:
            if self.dice == 0:
                self.target = -1
                self.touched = 0
            kind: i64 = self.rolled(colour, self.chance(DICE_LUCK, 256 + total(self.hand)))
            self.put_up(kind, 1)
            self.log_event(ROLLED, self.active, kind, 1)

    def rolled(self, colour: i64, luck: Rng) -> i64:
        return self.cards.face[colour * FACES + luck.below(FACES)]

    def put_up(self, kind: i64, count: i64) -> None:
        self.pool[kind] += count
        self.up |= bit(kind)
        self.dice += count

    def take_up(self, kind: i64) -> None:
        """One die of this kind leaves the pool."""
        self.pool[kind] -= 1
        if self.pool[kind] == 0:
            self.up &= ~bit(kind)
        self.dice -= 1

    def clear_pool(self) -> None:
        while self.up:
            self.pool[lowest(self.up)] = 0
            self.up &= self.up - 1
        self.dice = 0
