"""Which worlds a seat cannot distinguish from the real one, by trying them all.

Start with every deal of the hidden cards. At each move play, in every world still possible, every move that the seat to
act could have made there (the seat's own moves are known to itself), with every random pick; keep the worlds in which
the onlooker would have seen exactly the same events. No knowledge of the engine's own bookkeeping is used.
"""

from contextlib import suppress
from itertools import permutations

from engine.infinity_gauntlet.event_kinds import REBUILT, SHUFFLED_IN
from engine.infinity_gauntlet.event_text import event_of
from engine.state import EVERYONE, Log
from tests.engine.infinity_gauntlet.invariants import bits
from tests.engine.infinity_gauntlet.positions import packed

PICKS = 12
SHUFFLES = 100
"""How often a random pick or a shuffle of a few cards is tried again, to see every way it can turn out."""


class Rebuilt(Exception):
    """The hero deck was rebuilt: too many worlds to try."""


def unpacked(deck, left):
    return [deck >> 4 * place & 15 for place in range(left)]


def world(state):
    """The hidden cards as one value: what lies where, Outriders alike."""
    hands = tuple(state.hands[seat] for seat in range(1, state.players))
    kinds = [0 if card == 1 else card for card in range(13)]
    hand = tuple(sorted(kinds[card] for card in bits(state.hands[0])))
    deck = tuple(kinds[card] for card in unpacked(state.thanos_deck, state.thanos_left))
    return hands, tuple(unpacked(state.hero_deck, state.hero_left)), hand, deck


def deals(state, onlooker):
    """Every deal of what the onlooker does not hold, before anybody has learnt anything."""
    seats = [seat for seat in range(1, state.players) if seat != onlooker]
    sizes = [len(bits(state.hands[seat])) for seat in seats]
    hidden = [card for seat in seats for card in bits(state.hands[seat])]
    hidden += unpacked(state.hero_deck, state.hero_left)
    mine = bits(state.hands[0])
    stack = unpacked(state.thanos_deck, state.thanos_left)
    if onlooker == 0:
        lower = [(mine, list(order)) for order in permutations(stack)]
    else:
        both = mine + stack
        lower = [(order[: len(mine)], list(order[len(mine) :])) for order in permutations(both)]
    worlds = {}
    for order in permutations(hidden):
        for hand, rest in lower:
            twin = state.clone()
            place = 0
            for seat, size in zip(seats, sizes, strict=True):
                twin.hands[seat] = sum(1 << card for card in order[place : place + size])
                place += size
            twin.hero_deck = packed(order[place:])[0]
            twin.hands[0] = sum(1 << card for card in hand)
            twin.thanos_deck = packed(rest)[0]
            worlds.setdefault(world(twin), twin)
    return worlds


def observed(state, rows, onlooker):
    """All that the onlooker sees: the events of a move, and the open table."""
    events = []
    for row in rows:
        known = row[2] == EVERYONE or (onlooker is not None and bool(row[2] >> onlooker & 1))
        events.append(event_of(row, known))
    counts = [len(bits(state.hands[seat])) for seat in range(state.players)]
    sight = (state.seat, state.phase, state.turn, state.over, tuple(state.faceup), tuple(state.power), state.count)
    if state.faceup[0] & 3 in (1, 2):  # which of the two Outriders lies there nobody can tell
        sight = (*sight[:4], (state.faceup[0] | 3, *list(state.faceup)[1:]), *sight[5:])
    return [event for event in events if event], counts, sight, state.heroes_life, state.thanos_life


def played(state, action):
    """The state after an action, and the rows it logged."""
    twin = state.clone()
    log = twin.log = Log()
    twin.apply(action)
    twin.log = None
    if any(row[0] == REBUILT for row in log.rows):
        raise Rebuilt
    return twin, log.rows


def outcomes(state, action):
    """Every way a move can turn out."""
    twin, rows = played(state, action)
    yield twin, rows
    shuffles = any(row[0] == SHUFFLED_IN for row in rows)
    if shuffles or twin.rng.ints() != state.rng.ints():
        for number in range(SHUFFLES if shuffles else PICKS):
            other = state.clone()
            other.rng = other.rng.fork(number)
            other.thanos_luck = other.thanos_luck.fork(number)
            yield played(other, action)


def followed(possible, before, action, after, rows, onlooker, acts):
    """The worlds still possible for the onlooker after the real move, by world."""
    wanted = observed(after, rows, onlooker)
    worlds = {}
    for state in possible.values():
        count = state.legal(acts)
        choices = [action] if before.seat == onlooker else [acts[index] for index in range(count)]
        for choice in choices:
            with suppress(Rebuilt):  # it was not in the real world, so that would have been noticed
                for twin, twin_rows in outcomes(state, choice):
                    if observed(twin, twin_rows, onlooker) == wanted:
                        worlds.setdefault(world(twin), twin)
    return worlds
