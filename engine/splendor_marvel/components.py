"""The components on the table: supply, decks, market, locations; and what each player cannot see of them.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from engine.bitset import bit
from engine.rng import Rng
from engine.splendor_marvel import cards
from engine.splendor_marvel.packed_counts import lane, minus, one
from engine.splendor_marvel.player_board import Team
from engine.state import EVERYONE, GameState

# What happened, for the log, and its operands.
TOOK: Final = 0  # colour
RESERVED: Final = 1  # card
RESERVED_UNSEEN: Final = 2  # level
DREW: Final = 3  # card, for its owner alone
GOT_GREY: Final = 4
PAID: Final = 5  # packed tokens, grey tokens
RECRUITED: Final = 6  # card
REVEALED: Final = 7  # card, place in the market
GOT_TIME_STONE: Final = 8
GOT_TILE: Final = 9
WON_TILE: Final = 10  # the seat that lost it
RETURNED: Final = 11  # colour or grey
VISITED: Final = 12  # location
ASSEMBLED: Final = 13
LAPSED: Final = 14
PASSED: Final = 15
ENDED: Final = 16
STALLED: Final = 17
NO_RECRUITS: Final = 18  # rounds without a recruit

LEVEL_2: Final = 40  # the first card of the level
LEVEL_3: Final = 70
LOCATION_POINTS: Final = 3
BONUSES_FOR_LOCATION: Final = 8  # no location asks for fewer

NEEDS: Final = vec[i64](cards.SITE_NEEDS)
DECK_START: Final = vec[i64]([0, LEVEL_2, LEVEL_3])
DECK_SIZE: Final = vec[i64](cards.LEVELS)
FULL_DECKS: Final = 40 + (30 << 6) + (20 << 12)  # the sizes as lanes


def level_of(card: i64) -> i64:
    """0, 1 or 2."""
    if card < LEVEL_2:
        return 0
    return 1 if card < LEVEL_3 else 2


class Components(GameState):
    """Supply, decks, market, locations, tile and teams; the rules of a turn are in `state`."""

    __slots__ = (
        "bank", "card", "deck", "drawn", "ending", "goal", "green", "grey", "greys", "last_recruit", "locations",
        "market", "offer", "owner", "passes", "phase", "price", "rounds", "sites", "stall_rounds", "taken", "teams",
    )  # fmt: skip

    def __init__(self, players: i64, rng: Rng, goal: i64, stall_rounds: i64, deck: vec[i64], sites: vec[i64]) -> None:
        super().__init__(players, rng)
        self.goal: i64 = goal  # points that the Gauntlet asks for
        self.stall_rounds: i64 = stall_rounds  # rounds without a recruit that end the match
        self.phase: i64 = 0  # what is asked; see `legal_moves`
        self.taken: i64 = 0  # operand of TAKE, packed
        self.card: i64 = -1  # operands of PAY
        self.price: i64 = 0
        self.greys: i64 = 0
        self.teams: list[Team] = []
        self.bank: i64 = 0  # the coloured tokens in the supply, packed
        self.grey: i64 = 0
        self.green: i64 = 0
        self.deck: vec[i64] = deck  # the three decks in a row, never changed: clones share it
        self.drawn: i64 = 0  # cards drawn from each deck, a lane a level
        self.market: vec[i64] = vec[i64]()  # twelve places, four a level, -1 where empty
        self.offer: vec[i64] = vec[i64]()  # the cards of the market, ascending
        self.sites: vec[i64] = sites  # the locations of this match, ascending, never changed
        self.locations: i64 = 0  # which are still to be had, bit mask
        self.owner: i64 = -1  # of the Avengers Assemble tile
        self.passes: i64 = 0  # turns in a row
        self.rounds: i64 = 0  # completed
        self.last_recruit: i64 = -1  # how many rounds were completed before the one with the latest recruit
        self.ending: i64 = 0  # how the match ended: ENDED, STALLED or NO_RECRUITS

    # -- decks and market

    def deal_market(self) -> None:
        """Four cards of each level."""
        place: i64 = 0
        while place < 12:
            self.market = append(self.market, self.draw(place // 4))
            place += 1
        self.offer = vec[i64](sorted(self.market))

    def draw(self, level: i64) -> i64:
        """The top card of a deck, -1 when it is empty."""
        place = lane(self.drawn, level)
        if place == DECK_SIZE[level]:
            return -1
        self.drawn += one(level)
        self.luck += 1
        return self.deck[DECK_START[level] + place]

    def replace(self, card: i64) -> None:
        """Fill the place of a card that leaves the market from the deck of its level, while there is one."""
        level = level_of(card)
        place: i64 = 4 * level
        while self.market[place] != card:
            place += 1
        new = self.draw(level)
        self.market[place] = new
        offer = self.offer
        last: i64 = len(offer) - 1
        i: i64 = 4 * level if last == 11 else 0
        while offer[i] != card:
            i += 1
        if new < 0:
            self.offer = extend(offer[:i], offer[i + 1 :])
            return
        while i > 0 and offer[i - 1] > new:
            offer[i] = offer[i - 1]
            i -= 1
        while i < last and offer[i + 1] < new:
            offer[i] = offer[i + 1]
            i += 1
        offer[i] = new
        if self.log is not None:
            self.log.append(REVEALED, self.seat, EVERYONE, new, place)

    # -- locations

    def earned_by(self, team: Team) -> i64:
        if team.cards < BONUSES_FOR_LOCATION or self.locations == 0:
            return 0
        earned: i64 = 0
        i: i64 = 0
        while i < self.players:
            site = self.sites[i]
            if (self.locations >> site) & 1 and minus(NEEDS[site], team.bonuses) == 0:
                earned |= bit(site)
            i += 1
        return earned

    # -- the end

    def standing(self, seat: i64) -> i64:
        """Higher is better: the Gauntlet assembled, then points, then the Avengers tile, then the fewest cards."""
        team = self.teams[seat]
        value: i64 = 256 if team.assembles(self.goal) else 0
        value = (value + team.points) * 2
        if self.owner == seat:
            value += 1
        return value * 128 + 127 - team.cards

    def rounds_without_recruit(self) -> i64:
        """Completed rounds in a row in which nobody recruited a card."""
        return self.rounds - 1 - self.last_recruit if self.last_recruit < self.rounds else 0

    def reward(self, seat: i64) -> float:
        best: i64 = self.standing(seat)
        sharers: i64 = 0
        i: i64 = 0
        while i < self.players:
            other = self.standing(i)
            if other > best:
                return 0.0
            if other == best:
                sharers += 1
            i += 1
        return 1.0 / float(sharers)

    # -- what a seat cannot see

    def determinise(self, seat: i64, rng: Rng) -> None:
        """Level by level, shuffle what is left of the deck together with the unseen cards in other hands.

        Every deal of them is as likely as any other, but for what a pass has shown: only who can pay for no card may
        pass. A deal that contradicts a pass is drawn again. The cards are gathered as a set, so that nothing of the
        true order is left in what is drawn.
        """
        self.shuffle_unseen(seat, False, rng)

    def redraw(self, rng: Rng) -> None:
        """What is left of each deck; cards that a player has reserved unseen stay where they are."""
        self.shuffle_unseen(-1, True, rng)

    def shuffle_unseen(self, seat: i64, hands_stay: bool, rng: Rng) -> None:
        deck = vec[i64](self.deck)
        level: i64 = 0
        while level < 3:
            first = DECK_START[level] + lane(self.drawn, level)
            end = DECK_START[level] + DECK_SIZE[level]
            hidden = vec[i64]() if hands_stay else self.hidden_from(seat, level)
            unseen: i64 = 0
            i: i64 = first
            while i < end:
                unseen |= bit(deck[i] - DECK_START[level])
                i += 1
            for spot in hidden:
                unseen |= bit(self.teams[spot >> 2].card_at(spot & 3) - DECK_START[level])
            pool = vec[i64]()
            i = 0
            while unseen >> i != 0:
                if (unseen >> i) & 1:
                    pool = append(pool, DECK_START[level] + i)
                i += 1
            rng.shuffle(pool)
            while self.contradicts_a_pass(hidden, pool, end - first):
                rng.shuffle(pool)
            i = DECK_START[level]
            while i < first:  # dealt: never looked at again, and some of it lies face down before others
                deck[i] = -1
                i += 1
            while i < end:
                deck[i] = pool[i - first]
                i += 1
            dealt: i64 = end - first
            for spot in hidden:
                self.teams[spot >> 2].swap(spot & 3, pool[dealt])
                dealt += 1
            level += 1
        self.deck = deck
        self.rng = rng.fork(1)  # the true one can be run backwards, to the shuffle of the decks

    def hidden_from(self, seat: i64, level: i64) -> vec[i64]:
        """Where cards of a level are held that this seat has not seen: four times the holder, plus the place."""
        spots = vec[i64]()
        i: i64 = 0
        while i < self.players:
            team = self.teams[i]
            place: i64 = 0
            while place < team.reserved and i != seat:
                if team.hides(place) and level_of(team.card_at(place)) == level:
                    spots = append(spots, 4 * i + place)
                place += 1
            i += 1
        return spots

    def contradicts_a_pass(self, hidden: vec[i64], pool: vec[i64], dealt: i64) -> bool:
        """Whether dealing the pool, from `dealt` on, to the hidden places gives a card that a pass has excluded."""
        for spot in hidden:
            if self.teams[spot >> 2].excludes(spot & 3, pool[dealt]):
                return True
            dealt += 1
        return False

    # -- copies and the canonical form

    def copy_onto(self, twin: "Components") -> None:
        twin.seat = self.seat
        twin.over = self.over
        twin.luck = self.luck
        twin.phase = self.phase
        twin.taken = self.taken
        twin.card = self.card
        twin.price = self.price
        twin.greys = self.greys
        for team in self.teams:
            twin.teams.append(team.clone())
        twin.bank = self.bank
        twin.grey = self.grey
        twin.green = self.green
        twin.drawn = self.drawn
        twin.market = self.market[:]
        twin.offer = self.offer[:]
        twin.locations = self.locations
        twin.owner = self.owner
        twin.passes = self.passes
        twin.rounds = self.rounds
        twin.last_recruit = self.last_recruit
        twin.ending = self.ending

    def ints(self) -> tuple[int, ...]:
        rows: list[int] = [
            self.players, self.goal, self.stall_rounds, self.seat, int(self.over), self.phase, self.taken, self.card,
            self.price, self.greys, self.bank, self.grey, self.green, self.locations, self.owner, self.passes,
            self.rounds, self.last_recruit, self.ending, self.drawn, *self.market,
        ]  # fmt: skip
        for team in self.teams:
            rows.extend(team.ints())
        level: i64 = 0
        while level < 3:
            start = DECK_START[level]
            rows.extend(self.deck[start + lane(self.drawn, level) : start + DECK_SIZE[level]])
            level += 1
        return tuple(rows)
