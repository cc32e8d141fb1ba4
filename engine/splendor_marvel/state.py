"""The rules of Splendor: Marvel, in the order of a turn.

On a turn a player takes tokens, reserves a card or recruits one; then returns tokens above ten, takes a location when
one is earned, and the next seat plays. The end is tested when every seat has had the same number of turns.

Rulings, where the rulebook is silent:

- With three or more colours in the supply exactly three different tokens are taken (or two alike); with fewer, a
  player may stop after any of them.
- When only one answer remains in a turn it is played without asking, but a pass is always the player's own move.
- Coloured tokens are spent before grey ones. A player with grey tokens to spare is asked whether some of them shall
  stand in for coloured ones, one at a time.
- The Avengers Assemble tile moves right after a recruit, before the location and the end are looked at.
- Tokens are returned before a location is taken; neither bears on the other.
- A player passes when there is no other legal action, and only then: a player who can pay for a card reserved unseen
  must recruit it when nothing else can be done. So a pass reveals that none of the hidden cards could be paid for.
- When all pass in one round, or no card is left to recruit and no location to earn, nothing can change any more: the
  game ends. It also ends after so many rounds in a row without a recruit (an option). Both ways the players are ranked
  as ever: by points, then the Avengers Assemble tile, then the fewest cards.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import extend, vec
from mypy_extensions import i64

from engine.bitset import bit, lowest
from engine.rng import Rng
from engine.splendor_marvel import cards
from engine.splendor_marvel.components import (  # fmt: skip
    ASSEMBLED,
    DECK_SIZE,
    DECK_START,
    DREW,
    ENDED,
    GOT_GREY,
    GOT_TILE,
    GOT_TIME_STONE,
    LAPSED,
    LEVEL_3,
    LOCATION_POINTS,
    NO_RECRUITS,
    PAID,
    PASSED,
    RECRUITED,
    RESERVED,
    RESERVED_UNSEEN,
    RETURNED,
    STALLED,
    TOOK,
    VISITED,
    WON_TILE,
)
from engine.splendor_marvel.legal_moves import (  # fmt: skip
    CHOOSE,
    GIVE_BACK,
    GREY,
    PAY,
    PAY_NOW,
    PILE_FOR_TWO,
    RESERVE,
    RESERVE_BLIND,
    RETURN,
    SPEND_GREY,
    STOP,
    TAKE,
    TAKE_LOCATION,
    TAKE_TOKEN,
    VISIT,
    LegalMoves,
)
from engine.splendor_marvel.packed_counts import ONES, lane, minus, one, present, total
from engine.splendor_marvel.player_board import COST, HIDDEN, Team
from engine.state import EVERYONE

TOKEN_LIMIT: Final = 10
TAGS_FOR_TILE: Final = 3
TILE_POINTS: Final = 3

BONUS: Final = vec[i64](cards.BONUSES)
POINTS: Final = vec[i64](cards.CARD_POINTS)
TAGS: Final = vec[i64](cards.CARD_TAGS)
EVERY_CARD: Final = vec[i64](range(90))


class SplendorState(LegalMoves):
    """One match; `deal` makes it."""

    __slots__ = ()

    def apply(self, action: i64) -> None:
        if self.phase == CHOOSE:
            if action < RESERVE:
                self.recruit(action)
            elif action < RESERVE_BLIND:
                self.reserve(action - RESERVE)
            elif action < TAKE_TOKEN:
                self.reserve_blind(action - RESERVE_BLIND)
            elif action < STOP:
                self.take(action - TAKE_TOKEN)
            else:
                self.pass_turn()
        elif self.phase == TAKE:
            if action == STOP:
                self.end_turn()
            else:
                self.take(action - TAKE_TOKEN)
        elif self.phase == PAY:
            if action == PAY_NOW:
                self.pay()
            else:
                self.spend_grey(action - SPEND_GREY)
        elif self.phase == RETURN:
            self.give_back(action - GIVE_BACK)
        else:
            self.visit(action - TAKE_LOCATION)
            self.next_turn()

    # -- take tokens

    def take(self, colour: i64) -> None:
        me = self.teams[self.seat]
        token = one(colour)
        before = self.taken
        me.tokens += token
        self.bank -= token
        self.taken = before + token
        if self.log is not None:
            self.log.append(TOOK, self.seat, EVERYONE, colour)
        if before == token or before & (before - 1) != 0:  # the twin of the first, or the third
            self.end_turn()
            return
        new = present(self.bank) & ~self.taken
        if new & (new - 1) != 0 or (before == 0 and (new != 0 or lane(self.bank, colour) + 1 >= PILE_FOR_TWO)):
            self.phase = TAKE
        elif new != 0:
            self.take(first_lane(new))
        else:
            self.end_turn()

    # -- reserve a card

    def reserve(self, card: i64) -> None:
        me = self.teams[self.seat]
        me.keep(card)
        if self.log is not None:
            self.log.append(RESERVED, self.seat, EVERYONE, card)
        self.replace(card)
        self.gain_grey()
        self.end_turn()

    def reserve_blind(self, level: i64) -> None:
        card = self.draw(level)
        self.teams[self.seat].keep(card | HIDDEN)
        if self.log is not None:
            self.log.append(RESERVED_UNSEEN, self.seat, EVERYONE, level)
            self.log.append(DREW, self.seat, bit(self.seat), card)
        self.gain_grey()
        self.end_turn()

    def gain_grey(self) -> None:
        if self.grey == 0:
            return
        self.grey -= 1
        self.teams[self.seat].grey += 1
        if self.log is not None:
            self.log.append(GOT_GREY, self.seat)

    # -- recruit a card

    def recruit(self, card: i64) -> None:
        me = self.teams[self.seat]
        if me.show(card):
            self.luck += 1
        cost = minus(COST[card], me.bonuses)
        short = minus(cost, me.tokens)
        self.card = card
        self.price = cost - short
        self.greys = total(short)
        self.pay_or_ask()

    def pay_or_ask(self) -> None:
        """Ask about grey tokens only while there is one to spare and a coloured one that it could save."""
        if self.price != 0 and self.teams[self.seat].grey > self.greys:
            self.phase = PAY
        else:
            self.pay()

    def spend_grey(self, colour: i64) -> None:
        self.price -= one(colour)
        self.greys += 1
        self.pay_or_ask()

    def pay(self) -> None:
        me = self.teams[self.seat]
        card = self.card
        me.tokens -= self.price
        self.bank += self.price
        me.grey -= self.greys
        self.grey += self.greys
        reserved = me.release(card)
        me.enlist(card)
        me.bonuses += BONUS[card]
        me.points += POINTS[card]
        self.last_recruit = self.rounds
        if self.log is not None:
            self.log.append(RECRUITED, self.seat, EVERYONE, card)
            if self.price + self.greys > 0:
                self.log.append(PAID, self.seat, EVERYONE, self.price, self.greys)
        if not reserved:
            self.replace(card)
        if card >= LEVEL_3 and me.green == 0:
            self.gain_time_stone()
        if TAGS[card] > 0:
            me.tags += TAGS[card]
            self.assemble_avengers()
        self.end_turn()

    def gain_time_stone(self) -> None:
        self.green -= 1
        self.teams[self.seat].green = 1
        if self.log is not None:
            self.log.append(GOT_TIME_STONE, self.seat)

    def assemble_avengers(self) -> None:
        """The tile goes to the first with three tags, then to a player with more than its owner."""
        me = self.teams[self.seat]
        loser = self.owner
        if loser == self.seat or me.tags < TAGS_FOR_TILE:
            return
        lapsed = False
        if loser >= 0:
            other = self.teams[loser]
            if me.tags <= other.tags:
                return
            lapsed = other.assembles(self.goal)
            other.points -= TILE_POINTS
            lapsed = lapsed and not other.assembles(self.goal)
        me.points += TILE_POINTS
        self.owner = self.seat
        if self.log is not None:
            if loser < 0:
                self.log.append(GOT_TILE, self.seat)
            else:
                self.log.append(WON_TILE, self.seat, EVERYONE, loser)
            if lapsed:
                self.log.append(LAPSED, loser)

    # -- the end of a turn

    def pass_turn(self) -> None:
        self.passes += 1
        self.teams[self.seat].record_pass()
        if self.log is not None:
            self.log.append(PASSED, self.seat)
        self.visit_or_ask()

    def end_turn(self) -> None:
        self.passes = 0
        self.return_or_ask()

    def return_or_ask(self) -> None:
        """Return tokens down to ten. More than ten are never all the same, so there is always a choice to ask about."""
        if self.teams[self.seat].held() > TOKEN_LIMIT:
            self.phase = RETURN
        else:
            self.visit_or_ask()

    def give_back(self, kind: i64) -> None:
        me = self.teams[self.seat]
        if kind == GREY:
            me.grey -= 1
            self.grey += 1
        else:
            me.tokens -= one(kind)
            self.bank += one(kind)
        if self.log is not None:
            self.log.append(RETURNED, self.seat, EVERYONE, kind)
        self.return_or_ask()

    def visit_or_ask(self) -> None:
        earned = self.earned_by(self.teams[self.seat])
        if earned & (earned - 1) != 0:
            self.phase = VISIT
            return
        if earned != 0:
            self.visit(lowest(earned))
        self.next_turn()

    def visit(self, site: i64) -> None:
        me = self.teams[self.seat]
        self.locations &= ~bit(site)
        me.locations |= bit(site)
        me.points += LOCATION_POINTS
        self.passes = 0
        if self.log is not None:
            self.log.append(VISITED, self.seat, EVERYONE, site)

    def next_turn(self) -> None:
        self.phase = CHOOSE
        self.taken = 0
        self.card = -1
        self.price = 0
        self.greys = 0
        if self.log is not None and self.teams[self.seat].assembles(self.goal):
            self.log.append(ASSEMBLED, self.seat)
        self.seat += 1
        if self.seat == self.players:
            self.seat = 0
            self.end_round()

    def end_round(self) -> None:
        """Everyone has had the same number of turns: players who meet the conditions now have assembled the Gauntlet.

        Where none has, the match still ends when nothing can change any more or no card is recruited for too long.
        """
        self.rounds += 1
        for team in self.teams:
            if team.assembles(self.goal):
                self.ending = ENDED
        if self.ending == 0:
            if self.passes >= self.players or (len(self.offer) == 0 and self.nothing_left()):
                self.ending = STALLED
            elif self.rounds_without_recruit() >= self.stall_rounds:
                self.ending = NO_RECRUITS
        if self.ending != 0:
            self.over = True
            if self.log is not None:
                self.log.append(self.ending, -1, EVERYONE, self.rounds_without_recruit())

    def nothing_left(self) -> bool:
        """Whether every card is recruited and nobody has a location to take: tokens alone decide nothing."""
        cards_left: i64 = len(self.offer)
        earned: i64 = 0
        for team in self.teams:
            cards_left += team.reserved
            earned |= self.earned_by(team)
        return cards_left == 0 and earned == 0

    def clone(self) -> "SplendorState":
        twin = SplendorState(self.players, self.rng.clone(), self.goal, self.stall_rounds, self.deck, self.sites)
        self.copy_onto(twin)
        return twin


def first_lane(counts: i64) -> i64:
    """The first colour that there is any of."""
    colour: i64 = 0
    while lane(counts, colour) == 0:
        colour += 1
    return colour


def deal(players: i64, goal: i64, stall_rounds: i64, luck: Rng) -> SplendorState:
    """Set up a match. Each deck and the locations have their own random stream, forked from one that cost a hash."""
    state = SplendorState(players, luck, goal, stall_rounds, shuffled_decks(luck), random_sites(players, luck))
    i: i64 = 0
    while i < players:
        state.teams.append(Team())
        i += 1
    state.bank = ONES * i64(cards.TOKENS[players])
    state.grey = cards.GREYS[players]
    state.green = players
    i = 0
    while i < players:
        state.locations |= bit(state.sites[i])
        i += 1
    state.deal_market()
    return state


def shuffled_decks(luck: Rng) -> vec[i64]:
    decks = vec[i64]()
    level: i64 = 0
    while level < 3:
        deck = EVERY_CARD[DECK_START[level] : DECK_START[level] + DECK_SIZE[level]]
        luck.fork(level).shuffle(deck)
        decks = extend(decks, deck)
        level += 1
    return decks


def random_sites(players: i64, luck: Rng) -> vec[i64]:
    """A random side of as many random tiles as there are players, ascending; tile t has the sides 2t and 2t + 1."""
    pick = luck.fork(3)
    tiles = vec[i64]([0, 1, 2, 3])
    pick.shuffle(tiles)
    return vec[i64](sorted([2 * tiles[i] + pick.below(2) for i in range(players)]))
