"""Made-up positions: a dealt match, moved about piece by piece so that nothing is lost or doubled."""

from librt.vecs import vec
from mypy_extensions import i64

import engine
from engine.splendor_marvel.cards import BONUSES, CARD_IDS, CARD_NAMES, CARD_POINTS, CARD_TAGS, COLOURS, SITE_NAMES
from engine.splendor_marvel.components import DECK_SIZE, DECK_START, level_of
from engine.splendor_marvel.packed_counts import lane, one
from engine.splendor_marvel.player_board import HIDDEN
from tests.engine.splendor_marvel.invariants import check


class Position:
    """A match under construction; seats, colours, cards and locations go by their names."""

    def __init__(self, players=2, sites=None, **options):
        self.match = engine.game("splendor-marvel").start(players, "position", options)
        self.state = self.match.state
        self.state.deck = vec[i64](self.state.deck)
        if sites is not None:
            numbers = sorted(SITE_NAMES.index(name) for name in sites)
            self.state.sites = vec[i64](numbers)
            self.state.locations = sum(1 << site for site in numbers)

    # -- setting up

    def tokens(self, seat, **counts):
        """Hand tokens out of the supply to a seat."""
        team = self.state.teams[seat]
        for name, count in counts.items():
            if name == "grey":
                self.state.grey -= count
                team.grey += count
            else:
                self.state.bank -= count * one(COLOURS.index(name))
                team.tokens += count * one(COLOURS.index(name))
        return self

    def recruits(self, seat, *names):
        """Put cards into a seat's team, with all that they bring but the Avengers tile."""
        team = self.state.teams[seat]
        for name in names:
            card = self.draw(name)
            team.enlist(card)
            team.bonuses += BONUSES[card]
            team.points += CARD_POINTS[card]
            team.tags += CARD_TAGS[card]
            if level_of(card) == 2 and team.green == 0:
                team.green = 1
                self.state.green -= 1
        return self

    def tile(self, seat):
        self.state.owner = seat
        self.state.teams[seat].points += 3
        return self

    def reserves(self, seat, *names, hidden=False):
        for name in names:
            self.state.teams[seat].keep(self.draw(name) | (HIDDEN if hidden else 0))
        return self

    def market(self, *names):
        """See to it that these cards lie face up, the first of a level in its first place."""
        state, places = self.state, [0, 4, 8]
        for name in names:
            card = number(name)
            place = places[level_of(card)]
            places[level_of(card)] += 1
            self.exchange(card, state.market[place])
        self.sort_offer()
        return self

    def empty_decks(self, *levels, to):
        """Put what is left of these decks into a seat's team without counting it for anything: cards out of reach."""
        for level in levels:
            while lane(self.state.drawn, level - 1) < DECK_SIZE[level - 1]:
                self.recruits(to, CARD_NAMES[self.top(level - 1)])
        return self

    def to_act(self, seat):
        self.state.seat = seat
        return self

    # -- playing

    def play(self, *moves):
        """Play moves of the seat to act, and check after each that nothing got lost."""
        for move in moves:
            self.match.play(move)
            check(self.state)
        return self

    @property
    def legal(self):
        return [self.match.notation(action) for action in self.match.legal()]

    def may(self, verb):
        """What follows this word in the legal moves."""
        return [move.removeprefix(verb + " ") for move in self.legal if move.startswith(verb + " ")]

    def seat(self, seat, viewer=None):
        """A seat's side of the table as a viewer sees it."""
        return self.match.view(viewer)["table"]["teams"][seat]

    @property
    def table(self):
        return self.match.view(None)["table"]

    def events(self, name, viewer=None):
        """The events of that name."""
        return [event for event in self.match.events(viewer) if event["event"] == name]

    # -- inside

    def top(self, level):
        return self.state.deck[DECK_START[level] + lane(self.state.drawn, level)]

    def draw(self, name):
        card = number(name)
        level = level_of(card)
        if card != self.top(level):
            self.exchange(card, self.top(level))
        self.sort_offer()
        self.state.drawn += one(level)
        return card

    def exchange(self, card, other):
        """Swap two cards of the market or the decks."""
        undrawn = [place for place in range(90) if self.undrawn(place)]
        for cards, places in ((self.state.deck, undrawn), (self.state.market, range(12))):
            for place in places:
                if cards[place] in (card, other):
                    cards[place] = other if cards[place] == card else card

    def undrawn(self, place):
        level = level_of(place)
        return place >= DECK_START[level] + lane(self.state.drawn, level)

    def sort_offer(self):
        self.state.offer = vec[i64](sorted(card for card in self.state.market if card >= 0))


def number(name):
    return CARD_NAMES.index(name)


def ident(name):
    return CARD_IDS[number(name)]


def counts(**named):
    """Counts by colour as a view shows them, those not named being none."""
    return dict.fromkeys(COLOURS, 0) | named
