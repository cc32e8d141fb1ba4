"""A scripted table: put cards, tokens and counters where a test wants them, and load the dice.

Luck is a function of the match's root stream, so a roll is loaded by looking for a root that brings it.
"""

from itertools import count

import engine
from engine.bitset import lowest
from engine.rng import stream
from engine.state import Log
from engine.thanos_rising import card_tables as t
from engine.thanos_rising.event_text import die
from engine.thanos_rising.vocabulary import COLOUR_WORDS, THANOS_FACES
from tests.engine.thanos_rising.invariants import check

BASES = ("avengers-compound", "wakanda", "sanctum-sanctorum", "knowhere")
QUIET = (
    ("hawkeye", "wong", "mantis"),
    ("okoye", "groot", "shuri"),
    ("vision", "rocket", "loki"),
)
"""Sectors without villains, unless a test wants others."""


SPARE = ("statesman", "guardians-ship", "quinjet", "royal-talon-fighter")
"""Who stands in for a hero of the sectors that a test has put into a team."""


def sector_with(*cards):
    """The first sector as a test wants it, the others quiet."""
    return (tuple(cards), *QUIET[1:])


class Table:
    def __init__(
        self,
        players=2,
        sectors=QUIET,
        teams=None,
        thanos=0,
        tokens=None,
        counters=None,
        collected=(),
        damage=None,
        bases=BASES,
        deck=None,
        **options,
    ):
        options = {"bases": ",".join(bases[:players]), "first_player": 1, **options}
        self.match = engine.game("thanos-rising").start(players, "table", options)
        self.state = state = self.match.state
        self.cards = state.cards
        self.place(sectors, teams or {}, deck)
        state.thanos = thanos
        for seat, kinds in (tokens or {}).items():
            for kind in kinds:
                self.hand_token(seat, kind)
        for stone, amount in (counters or {}).items():
            state.counters[self.stone(stone)] = amount
        for stone in collected:
            state.collected |= 1 << self.stone(stone)
        for card, amount in (damage or {}).items():
            state.damage[self.card(card)] = amount
        check(state)

    # -- arranging

    def place(self, sectors, teams, deck):
        """Leaders stay; named cards go where they are wanted; all others form the deck (or are out of the game)."""
        state = self.state
        for seat, heroes in teams.items():
            for hero in heroes:
                state.teams[seat] |= 1 << self.card(hero)
        spare = [name for name in SPARE if not any(name in heroes for heroes in teams.values())]
        named = [card for sector in sectors for card in sector]
        for slot, name in enumerate(named):
            if any(name in heroes for heroes in teams.values()):
                named[slot] = spare.pop()
        placed = [None if name is None else self.card(name) for name in named]
        for slot, card in enumerate(placed):
            state.slots[slot] = -1 if card is None else card
        used = {card for card in placed if card is not None}
        used |= {card for card in range(self.cards.assets) if any(team >> card & 1 for team in state.teams)}
        rest = [card for card in range(self.cards.assets) if card not in used]
        if deck is not None:
            wanted = [self.card(card) for card in deck]
            for card in rest:
                if card not in wanted:
                    if self.cards.villains >> card & 1:
                        state.defeated |= 1 << card
                    else:
                        state.lost |= 1 << card
            rest = wanted
        state.deck = t.table(rest)
        state.revealed = 0

    def hand_token(self, seat, kind):
        number, state = self.token(kind), self.state
        supply = list(state.supply[state.drawn :])
        supply.remove(number)
        state.supply, state.drawn = t.table(supply), 0
        state.tokens[seat * self.cards.tokens + number] += 1
        state.held += 1

    def stack_tokens(self, *kinds):
        """The next tokens of the supply."""
        state = self.state
        supply = list(state.supply[state.drawn :])
        for kind in kinds:
            supply.remove(self.token(kind))
        state.supply, state.drawn = t.table([self.token(kind) for kind in kinds] + supply), 0

    def card(self, name):
        return self.cards.ids.index(name)

    def stone(self, name):
        return self.cards.ids.index(name, int(self.cards.first_stone)) - int(self.cards.first_stone)

    def token(self, name):
        return self.cards.ids.index(name, int(self.cards.first_token)) - int(self.cards.first_token)

    def kind(self, name):
        return next(kind for kind in range(t.KINDS) if die(self.cards, kind) == name and self.cards.face[kind] == kind)

    # -- playing

    def deploy(self, sector, stones=("red",), thanos="roll_stone_die_again", opening=None):
        """Deploy with loaded dice: the stone rolls in their order, the Thanos face, the opening roll (a test of it).

        By default the Thanos die makes him stay and roll the stone die again, and no base's ability wakes.
        """
        if thanos == "roll_stone_die_again" and len(stones) == 1:
            stones = (*stones, stones[0])
        wanted = [self.stone(stone) for stone in stones]
        for number in count():
            twin = self.state.clone()
            twin.rng = stream("loaded", str(number))
            twin.log = Log()
            twin.apply(sector - 1)
            while twin.phase in (t.PICK_HURT, t.PICK_COLOUR, t.PICK_LOSS):  # luck does not depend on the answers
                twin.apply(lowest(twin.choices))
            rows = twin.log.rows
            if [row[3] for row in rows if row[0] == t.STONE_ROLLED][: len(wanted)] != wanted:
                continue
            if [row[3] for row in rows if row[0] == t.THANOS_ROLLED] != [THANOS_FACES[thanos]]:
                continue
            if opening is None and any(row[0] == t.TEAM_ABILITY for row in rows):
                continue
            if opening is not None and not opening(twin):
                continue
            self.state.rng = stream("loaded", str(number))
            break
        return self.play(f"deploy {sector}")

    def throw(self, *dice):
        """Lay these dice before the active player, as if just rolled."""
        state = self.state
        state.clear_pool()
        state.hand = 0
        for name in dice:
            state.hand += t.unit(COLOUR_WORDS.index(name.split()[0]))
            state.put_up(self.kind(name), 1)
        state.stage, state.depth = t.THROWING, 0
        state.rolls = max(state.rolls, 1)
        state.target, state.touched = -1, 0
        state.ask(t.THROW, state.active, 0, 0, 0)
        return self

    def load_roll(self, *dice):
        """The next roll of the power dice brings these."""
        wanted = sorted(self.kind(name) for name in dice)
        for number in count():
            twin = self.state.clone()
            twin.rng = stream("loaded roll", str(number))
            twin.apply(t.ROLL)
            if sorted(kind for kind in range(t.KINDS) for _ in range(twin.pool[kind])) == wanted:
                self.state.rng = stream("loaded roll", str(number))
                break
        return self

    def play(self, *moves, seat=None):
        for move in moves:
            self.match.play(move, seat)
            check(self.state)
        return self

    def finish(self):
        """On to the next player's turn: dice not yet assigned are put away, abilities left unused."""
        turn = self.state.turn
        while self.match.to_act is not None and self.state.turn == turn:
            if self.question == "assign":
                self.state.clear_pool()
            self.play("stop" if "stop" in self.may() else self.may()[-1])
        return self

    # -- looking

    def may(self, seat=None):
        return [self.match.notation(action, seat) for action in self.match.legal(seat)]

    @property
    def question(self):
        return self.match.view(None)["table"]["question"]

    @property
    def seen(self):
        return self.match.view(None)["table"]

    def damage(self, card):
        return self.state.damage[self.card(card)]

    def assigned(self, card):
        packed = self.state.paid[self.card(card)]
        return [int(t.lane(packed, symbol)) for symbol in range(t.SYMBOLS)]

    def team(self, seat):
        return {hero["id"] for hero in self.seen["teams"][seat]["heroes"]}

    def tokens(self, seat):
        return self.seen["teams"][seat]["tokens"]

    def counters(self, stone):
        return self.state.counters[self.stone(stone)]

    def events(self, *kinds):
        """The events of these kinds since the last move."""
        events = self.match.events(None, self.match.ply)
        return [event for event in events if not kinds or event["event"] in kinds]
