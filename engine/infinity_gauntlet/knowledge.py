"""The state of Infinity Gauntlet: where the cards are, and what each seat knows about them.

Cards are small numbers (0-15 hero cards, 0-12 Thanos cards, both by ascending number), sets of cards are bit masks,
decks are packed four bits a card with the top card lowest. Seat 0 is Thanos. A hand is a set: its order means nothing,
since Thanos may rearrange it at will.

What a seat knows is kept with the cards, so that it stays true in every imagined world:

- `known[seat]`: hero cards whose place this seat knows (fought against, or looked at on the deck).
- `loose[seat]`: hero cards it knew on the deck before a team-mate reordered them. They lie somewhere in the same
  `jumble`: places that were looked at together, followed into the hands that drew them. In the high half: cards
  in hands that others must assume to be from a jumble, while this seat knows better, because it knew the card that was
  revealed from the same hand.
- `cycle[card]`: the rebuild that last shuffled this hero card. All see which cards are shuffled and who draws, so all
  know the cycle of each place, except inside a jumble.
- `depth[seat]`, four bits a Thanos card: the card lies in Thanos's hand or among so many bottom cards of his deck; 0 is
  the hand itself, 15 anywhere. Seat 0's entry is what everyone knows. The two Outriders look the same, so what is
  known of one may be about the other.
- `placed`: Thanos cards whose place in his deck Thanos knows, because he put them there.
- `ruled[seat]`: cards that all know this seat not to hold (low half), and cards of which it holds one at most (high
  half: the first kind, after one unseen card came in). A missed guess, a fight won and a card shuffled back show it.
- `holds`: all know that Thanos holds one of these cards, for it won him a fight; 0 when there is no such knowledge.
- `ties`, four bits a hero seat: a card of this hero tied with one of Thanos's; 4 plus the difference of their numbers.
  The hero's card is in hand or among those revealed since, `shed[seat]`; 8 more when it is surely not in hand. The card
  of Thanos is in his hand or the one in `left_since_tie`. When a second card leaves his hand, ties are forgotten.
- `met`, four bits a hero seat: Thanos saw this hero's card in a fight; 1 plus how many cards the hero has played since.
- `sights`, four bits a hero seat: this hero saw a card of Thanos's hand; 1 plus how many cards have left it since. Both
  are what everyone knows about a secret of two players; 0 is none, or too long ago to matter.

Conclusions from what players chose to do are left to the players and bots.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import size
from engine.infinity_gauntlet import cards
from engine.rng import Rng
from engine.state import GameState

SEATS: Final = 6
HERO_CARDS: Final = 16
THANOS_CARDS: Final = 13
ALL_THANOS: Final = (1 << 13) - 1
HALF: Final = 16
LOW: Final = (1 << 16) - 1
ANYWHERE: Final = 15
GONE: Final = 0x888888
NOTHING_SEEN: Final = (1 << 52) - 1
LOWEST_BITS: Final = 0x1111111111111
OLDEST: Final = 0x7777777

NUMBER: Final = vec[i64](cards.HERO_NUMBERS)
THANOS_NUMBER: Final = vec[i64](cards.THANOS_NUMBERS)
HEROES_OF: Final = vec[i64](cards.numbered(cards.HERO_NUMBERS))
THANOS_OF: Final = vec[i64](cards.numbered(cards.THANOS_NUMBERS))
STONES: Final[i64] = cards.mask(cards.THANOS, "stone")
RETURNING: Final[i64] = cards.mask(cards.THANOS, "returns")
OUTRIDERS: Final[i64] = 3

LANE: Final = vec[i64]([15 << (4 * index) for index in range(THANOS_CARDS)])
"""The four bits of a card or a seat in a packed number. A table, since a shifted literal has 32 bits when compiled."""


def shuffled(deck: i64, count: i64, luck: Rng) -> i64:
    """Fisher-Yates over a packed deck."""
    i: i64 = count - 1
    while i > 0:
        j: i64 = luck.below(i + 1)
        change: i64 = ((deck >> (4 * i)) ^ (deck >> (4 * j))) & 15
        deck ^= (change << (4 * i)) | (change << (4 * j))
        i -= 1
    return deck


def aged(ages: i64, steps: i64) -> i64:
    """A packed number with its ages older by `steps`, 0 or 1 a lane; what is none stays none, 8 is too old to keep."""
    return (ages + ((ages | (ages >> 1) | (ages >> 2)) & steps)) & OLDEST


class Knowledge(GameState):
    """Cards, tokens, life, and what each seat knows."""

    __slots__ = (
        "card", "count", "cycle", "cycles", "depth", "ending", "faceup", "hands", "hero_deck", "hero_left", "hero_luck",
        "heroes_life", "holds", "jumble", "jumble_before", "known", "left_since_tie", "loose", "met", "phase", "placed",
        "power", "ruled", "shed", "sights", "target", "thanos_deck", "thanos_left", "thanos_life", "thanos_luck",
        "ties", "turn", "turns_left",
    )  # fmt: skip

    def __init__(
        self,
        players: i64,
        rng: Rng,
        hero_luck: Rng,
        thanos_luck: Rng,
        hands: vec[i64],
        faceup: vec[i64],
        power: vec[i64],
        known: vec[i64],
        loose: vec[i64],
        depth: vec[i64],
        ruled: vec[i64],
        shed: vec[i64],
        cycle: vec[i64],
    ) -> None:
        super().__init__(players, rng)
        self.hero_luck: Rng = hero_luck
        self.thanos_luck: Rng = thanos_luck
        self.heroes_life: i64 = 0
        self.thanos_life: i64 = 0
        self.ending: i64 = 0
        # the question being asked
        self.phase: i64 = 0
        self.turn: i64 = 0
        self.turns_left: i64 = 0
        self.card: i64 = 0
        self.target: i64 = 0
        self.count: i64 = 0
        # the cards
        self.hero_deck: i64 = 0
        self.hero_left: i64 = 0
        self.thanos_deck: i64 = 0
        self.thanos_left: i64 = 0
        self.hands: vec[i64] = hands
        self.faceup: vec[i64] = faceup
        self.power: vec[i64] = power
        # what is known
        self.known: vec[i64] = known
        self.loose: vec[i64] = loose
        self.depth: vec[i64] = depth
        self.ruled: vec[i64] = ruled
        self.shed: vec[i64] = shed
        self.cycle: vec[i64] = cycle
        self.cycles: i64 = 0
        self.jumble: i64 = 0
        self.jumble_before: i64 = 0
        self.placed: i64 = 0
        self.holds: i64 = 0
        self.left_since_tie: i64 = 0
        self.ties: i64 = 0
        self.met: i64 = 0
        self.sights: i64 = 0

    def copy_to(self, twin: "Knowledge") -> None:
        """All but what the constructor takes."""
        twin.seat = self.seat
        twin.over = self.over
        twin.luck = self.luck
        twin.heroes_life = self.heroes_life
        twin.thanos_life = self.thanos_life
        twin.ending = self.ending
        twin.phase = self.phase
        twin.turn = self.turn
        twin.turns_left = self.turns_left
        twin.card = self.card
        twin.target = self.target
        twin.count = self.count
        twin.hero_deck = self.hero_deck
        twin.hero_left = self.hero_left
        twin.thanos_deck = self.thanos_deck
        twin.thanos_left = self.thanos_left
        twin.cycles = self.cycles
        twin.jumble = self.jumble
        twin.jumble_before = self.jumble_before
        twin.placed = self.placed
        twin.holds = self.holds
        twin.left_since_tie = self.left_since_tie
        twin.ties = self.ties
        twin.met = self.met
        twin.sights = self.sights

    def ints(self) -> tuple[int, ...]:
        numbers: list[int] = [
            self.players, self.seat, int(self.over), self.ending, self.phase, self.turn, self.turns_left, self.card,
            self.target, self.count, self.heroes_life, self.thanos_life, self.hero_deck, self.hero_left,
            self.thanos_deck, self.thanos_left, self.cycles, self.jumble, self.jumble_before, self.placed,
            self.holds, self.left_since_tie, self.ties, self.met, self.sights,
        ]  # fmt: skip
        for row in (
            self.hands, self.faceup, self.power, self.known, self.loose, self.depth, self.ruled, self.shed,
            self.cycle,
        ):  # fmt: skip
            numbers.extend([int(number) for number in row])
        for luck in (self.rng, self.hero_luck, self.thanos_luck):
            numbers.extend(luck.ints())
        return tuple(numbers)

    def log_event(self, kind: i64, seat: i64, knowers: i64 = -1, a: i64 = -1, b: i64 = -1, c: i64 = -1) -> None:
        if self.log is not None:
            self.log.append(kind, seat, knowers, a, b, c)

    # -- knowledge

    def came_in(self, seat: i64) -> None:
        """An unseen card joined this hand: of the cards it could not hold, it now holds at most one."""
        self.ruled[seat] = (self.ruled[seat] & LOW) << HALF

    def went_out(self, seat: i64, card: i64) -> None:
        """A card left this hand openly: if it was the one of its set that could be there, the rest holds none."""
        if (self.ruled[seat] >> (HALF + card)) & 1:
            self.ruled[seat] = (self.ruled[seat] | (self.ruled[seat] >> HALF)) & LOW

    def rule_out(self, seat: i64, mask: i64) -> None:
        """All learn that this hand holds none of these cards."""
        self.ruled[seat] |= mask
        if seat == 0:
            self.holds &= ~mask

    def held_one_of(self, mask: i64) -> None:
        """All learn that Thanos holds one of these cards. Of two such facts the sharper is kept."""
        mask &= ~(self.ruled[0] | self.faceup[0])
        if self.holds == 0 or size(mask) <= size(self.holds):
            self.holds = mask

    def depth_of(self, seat: i64, card: i64) -> i64:
        return (self.depth[seat] >> (4 * card)) & 15

    def sink(self, seat: i64, card: i64, deep: i64) -> None:
        """A seat now knows only that a card is in the hand or this deep in the deck; this never adds knowledge."""
        if deep > self.depth_of(seat, card):
            self.depth[seat] = (self.depth[seat] & ~LANE[card]) | (deep << (4 * card))

    def see(self, seat: i64, card: i64) -> None:
        """A seat sees a card of Thanos's hand. An Outrider may be the one it had seen before."""
        if (OUTRIDERS >> card) & 1:
            self.sink(seat, 1 - card, self.depth_of(seat, card))
        self.depth[seat] &= ~LANE[card]
        self.sights = (self.sights & ~LANE[seat]) | (LANE[seat] & LOWEST_BITS)

    def hand_changed(self) -> None:
        """A card has left Thanos's hand; it may be the one that a hero saw."""
        self.sights = aged(self.sights, LOWEST_BITS)

    def show_hand(self) -> None:
        """All of Thanos's hand is known to all: it was revealed, or his deck is empty and nothing else is unseen."""
        card: i64 = 0
        while card < THANOS_CARDS:
            if (self.hands[0] >> card) & 1:
                seat: i64 = 0
                while seat < self.players:
                    self.depth[seat] &= ~LANE[card]
                    seat += 1
            card += 1
