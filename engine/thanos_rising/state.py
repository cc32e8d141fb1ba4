"""A match of Thanos Rising: the deal, the legal actions and the answers. The rules of the turn are in `turn.py`.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from engine.bitset import lowest
from engine.rng import Rng
from engine.thanos_rising.board import SEATS, USED
from engine.thanos_rising.card_tables import (
    AFTER_ROLL,
    ASSIGN,
    BASES_LUCK,
    CHOOSE_BASE,
    DECK_LUCK,
    DEPLOY,
    DEPLOYED,
    FACING_LUCK,
    FIRST_LUCK,
    FORFEIT,
    KINDS,
    PASS,
    PICK_FACE,
    PICK_LOSS,
    READY,
    RESOLVE_ABILITIES,
    RESOLVING,
    ROLL,
    SECTORS,
    SLOTS,
    STONE_DIE,
    STONES,
    STOP,
    SYMBOLS,
    THROW,
    TOKENS_LUCK,
    USE,
    VILLAINS_DEFEATED,
    CardSet,
    lane,
)
from engine.thanos_rising.turn import ABILITY, Turn


class ThanosState(Turn):
    """The full state of one match."""

    __slots__ = ()

    # -- legal actions

    def legal(self, acts: vec[i64]) -> i64:
        if self.phase == THROW:
            return self.legal_throw(acts)
        if self.phase == READY:
            acts[0] = ROLL
            return self.legal_tokens(self.active, acts, 1)
        if self.phase == RESOLVING:
            count: i64 = self.write(acts, 0, self.resolvable(), USE)
            acts[count] = STOP
            return self.legal_tokens(self.active, acts, count + 1)
        count = self.write(acts, 0, self.choices, 0)
        if self.may_pass:
            acts[count] = PASS
            count += 1
        return count

    def write(self, acts: vec[i64], count: i64, mask: i64, first: i64) -> i64:
        while mask:
            acts[count] = first + lowest(mask)
            count += 1
            mask &= mask - 1
        return count

    def legal_throw(self, acts: vec[i64]) -> i64:
        """Assign a die, forfeit one, use or pay an ability, roll the rest, stop, play a token."""
        count: i64 = 0
        if self.target < ABILITY and self.target != -2:
            slot: i64 = 0
            while slot < SECTORS:
                card: i64 = self.slots[self.deployed * 3 + slot]
                if card >= 0 and (self.target < 0 or self.target == slot):
                    missing: i64 = self.remaining_cost(card)
                    if missing:
                        count = self.write(acts, count, self.fitting(missing), slot * KINDS)
                slot += 1
        if self.target >= ABILITY:
            hero: i64 = self.target - ABILITY
            count = self.write(acts, count, self.fitting(self.unpaid(hero)), FORFEIT)
        elif self.target == -1 and count == 0:
            count = self.write(acts, count, self.up, FORFEIT)
        count = self.write(acts, count, self.abilities(), USE)
        if self.touched and self.dice > 0:
            acts[count] = ROLL
            count += 1
        if self.dice == 0 or not self.completable():
            acts[count] = STOP
            count += 1
        return self.legal_tokens(self.active, acts, count)

    def fitting(self, missing: i64) -> i64:
        """The kinds of unassigned dice that show a missing symbol."""
        kinds: i64 = 0
        symbol: i64 = 0
        while symbol < SYMBOLS:
            if lane(missing, symbol):
                kinds |= self.cards.showing[symbol]
            symbol += 1
        return kinds & self.up

    def abilities(self) -> i64:
        """Own heroes whose ability can be used on this roll, or paid for with it. Dice are rolled again or turned
        before the first die of the roll is assigned. After naming an ability to pay for, a die must go on it first."""
        if self.target >= ABILITY and not self.touched:
            return 0
        team: i64 = self.teams[self.active] & ~self.used
        ready: i64 = 0
        heroes: i64 = team & self.cards.at[AFTER_ROLL]
        if self.touched:
            heroes &= ~self.cards.before_assigning
        if self.target == -1:
            heroes |= team & self.cards.at[ASSIGN]
        while heroes:
            low: i64 = heroes & -heroes
            card: i64 = lowest(low)
            if self.cards.at[ASSIGN] & low:
                if self.fitting(self.unpaid(card)):
                    ready |= low
            elif self.usable(card):
                ready |= low
            heroes ^= low
        return ready

    def legal_aside(self, seat: i64, acts: vec[i64]) -> i64:
        if self.over or seat == self.active or not self.token_time():
            return 0
        return self.legal_tokens(seat, acts, 0)

    # -- answers

    def apply(self, action: i64) -> None:
        phase: i64 = self.phase
        if phase in (THROW, READY, RESOLVING):
            if action > STOP:
                self.play_token(self.active, action)
                return
            if phase == THROW:
                self.apply_throw(action)
            elif phase == READY:
                self.opening_roll()
            elif action == STOP:
                self.stage += 1
            else:
                self.use(action - USE)
        elif phase == CHOOSE_BASE:
            self.lead(self.active, action)
            self.active = (self.active + 1) % self.players
        elif phase == DEPLOY:
            self.deployed = action
            self.stage = STONE_DIE
            self.log_event(DEPLOYED, self.active, action)
        elif phase == PICK_LOSS:
            self.to_lose -= 1
            self.lose_die(action)
        else:
            self.answer(action)
            if self.phase != phase and self.phase == PICK_FACE:
                return
        self.run()

    def apply_throw(self, action: i64) -> None:
        if action < FORFEIT:
            slot: i64 = action // KINDS
            card: i64 = self.slots[self.deployed * 3 + slot]
            self.target = slot
            self.assign(action % KINDS, card, self.cards.symbols[card])
        elif action < USE:
            if self.target >= ABILITY:
                hero: i64 = self.target - ABILITY
                self.assign(action - FORFEIT, hero, self.cards.cost_symbols[hero])
            else:
                self.forfeit(action - FORFEIT)
        elif action == ROLL:
            self.roll_again()
        elif action == STOP:
            self.clear_pool()
            self.stage = RESOLVE_ABILITIES
        elif self.cards.at[ASSIGN] >> (action - USE) & 1:
            self.target = ABILITY + action - USE
        else:
            self.use(action - USE)

    def apply_aside(self, seat: i64, action: i64) -> None:
        self.play_token(seat, action)

    # -- copies

    def clone(self) -> "ThanosState":
        twin = ThanosState(
            self.players,
            self.rng,
            self.cards,
            self.goal,
            self.lost_limit,
            self.stones_to_lose,
            self.team_loss,
            self.deck,
            self.supply,
            self.bases[:],
            self.slots[:],
            self.damage[:],
            self.paid[:],
            self.teams[:],
            self.counters[:],
            self.tokens[:],
            self.pool[:],
            self.queue[:],
        )
        twin.seat = self.seat
        twin.over = self.over
        twin.luck = self.luck
        twin.revealed = self.revealed
        twin.drawn = self.drawn
        twin.reshuffles = self.reshuffles
        twin.collected = self.collected
        twin.held = self.held
        twin.fresh = self.fresh
        twin.thanos = self.thanos
        twin.defeated = self.defeated
        twin.lost = self.lost
        twin.reason = self.reason
        twin.first = self.first
        twin.turn = self.turn
        twin.active = self.active
        twin.stage = self.stage
        twin.deployed = self.deployed
        twin.recruits = self.recruits
        twin.used = self.used
        twin.villain_damage = self.villain_damage
        twin.healing_forbidden = self.healing_forbidden
        twin.stone_rolls = self.stone_rolls
        twin.picks = self.picks
        twin.hand = self.hand
        twin.up = self.up
        twin.dice = self.dice
        twin.to_lose = self.to_lose
        twin.rolls = self.rolls
        twin.opening = self.opening
        twin.target = self.target
        twin.touched = self.touched
        twin.phase = self.phase
        twin.choices = self.choices
        twin.may_pass = self.may_pass
        twin.asked = self.asked
        twin.depth = self.depth
        twin.hit = self.hit
        twin.looked = self.looked
        return twin

    def determinise(self, seat: i64, rng: Rng) -> None:
        """Hidden from all seats: the order of the deck and of the face-down tokens, and all future rolls."""
        self.deck = reordered(self.deck, self.revealed, self.cards.assets, rng)
        self.supply = reordered(self.supply, self.drawn, self.cards.tokens, rng)
        self.revealed = 0
        self.drawn = 0
        self.rng = rng.fork(1)

    def redraw(self, rng: Rng) -> None:
        """Nobody has a secret: what is hidden from one seat is the luck to come."""
        self.determinise(-1, rng)

    def reward(self, seat: i64) -> float:
        return 1.0 if self.reason == VILLAINS_DEFEATED else 0.0

    def ints(self) -> tuple[int, ...]:
        table = (
            self.players, self.seat, self.over, self.goal, self.lost_limit, self.stones_to_lose, self.team_loss,
            self.collected, self.held, self.fresh,
            self.thanos, self.defeated, self.lost, self.reason, self.first, self.turn, self.active, self.stage,
            self.deployed, self.recruits, self.used, self.villain_damage, self.healing_forbidden, self.stone_rolls,
            self.picks, self.hand, self.up, self.dice, self.to_lose, self.rolls, self.opening, self.target,
            self.touched, self.phase, self.choices, self.may_pass, self.asked, self.hit, self.looked, self.reshuffles,
        )  # fmt: skip
        return (
            *table, *self.rng.ints(), -1, *self.deck[self.revealed:], -1, *self.supply[self.drawn:], -1,
            *self.bases, *self.slots, *self.damage, *self.paid, *self.teams, *self.counters, *self.tokens, *self.pool,
            *self.queue[: self.depth],
        )  # fmt: skip


def reordered(pile: vec[i64], start: i64, kinds: i64, rng: Rng) -> vec[i64]:
    """What is left of a pile in a new order, whatever the old one was: sorted first, by counting."""
    counts = vec[i64]([0] * kinds)
    place: i64 = start
    while place < len(pile):
        counts[pile[place]] += 1
        place += 1
    left = vec[i64]()
    kind: i64 = 0
    while kind < kinds:
        while counts[kind] > 0:
            left = append(left, kind)
            counts[kind] -= 1
        kind += 1
    rng.shuffle(left)
    return left


def deal(
    players: i64,
    root: Rng,
    cards: CardSet,
    goal: i64,
    lost_limit: i64,
    stones_to_lose: i64,
    team_loss: i64,
    counters: i64,
    first: i64,
    choosing: bool,
    bases: vec[i64],
) -> ThanosState:
    """A new match at its first decision. All luck is forked from `root`, so a deal costs one hash at most.

    `first` is a seat, or -1 for a random one; `bases` are those of the seats, or empty for random ones. When players
    are `choosing`, the match begins with that.
    """
    deck = vec[i64]()
    card: i64 = 0
    while card < cards.assets:
        deck = append(deck, card)
        card += 1
    root.fork(DECK_LUCK).shuffle(deck)
    supply = vec[i64]()
    kind: i64 = 0
    while kind < cards.tokens:
        left: i64 = cards.token_count[kind]
        while left > 0:
            supply = append(supply, kind)
            left -= 1
        kind += 1
    root.fork(TOKENS_LUCK).shuffle(supply)
    state = ThanosState(
        players,
        root,
        cards,
        goal,
        lost_limit,
        stones_to_lose,
        team_loss,
        deck,
        supply,
        vec[i64]([-1] * SEATS),
        vec[i64]([-1] * SLOTS),
        vec[i64]([0] * cards.assets),
        vec[i64]([0] * cards.assets),
        vec[i64]([0] * SEATS),
        vec[i64]([counters] * STONES),
        vec[i64]([0] * ((USED + 1) * cards.tokens)),
        vec[i64]([0] * KINDS),
        vec[i64]([0] * SLOTS),
    )
    state.thanos = root.fork(FACING_LUCK).below(SECTORS)
    state.first = root.fork(FIRST_LUCK).below(players) if first < 0 else first
    state.active = state.first
    if not choosing:
        if len(bases) == 0:
            bases = vec[i64]([0, 1, 2, 3])
            root.fork(BASES_LUCK).shuffle(bases)
        seat: i64 = 0
        while seat < players:
            state.lead(seat, bases[seat])
            seat += 1
    state.run()
    return state
