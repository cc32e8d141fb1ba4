"""Where the hidden cards of Infinity Gauntlet are, and what a seat knows of each place.

A place is a position in a hand or a deck: hands by seat, then the hero deck from the top; Thanos's hand, then his
deck from the bottom. `sort_heroes` removes all hidden information from the places and leaves what the seat knows, so
that what is drawn from there depends on nothing hidden.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import size
from engine.infinity_gauntlet.knowledge import HALF, HERO_CARDS, LOW, THANOS_CARDS, Knowledge

PLACES: Final = vec[i64]([0] * 16)
"""An empty list of places."""


def hero_places(table: Knowledge, looking: i64) -> vec[i64]:
    """Which card is in which place. The two cards of another's hand are ordered by what the looking seat knows of them:
    nothing, the shuffle or the jumble they are from, or what they are."""
    places = PLACES[:]
    n: i64 = 0
    seat: i64 = 1
    while seat < table.players:
        card: i64 = 0
        first: i64 = n
        while card < HERO_CARDS:
            if (table.hands[seat] >> card) & 1:
                places[n] = card
                n += 1
            card += 1
        if n - first == 2 and mark(table, looking, places[first]) > mark(table, looking, places[first + 1]):
            card = places[first]
            places[first] = places[first + 1]
            places[first + 1] = card
        seat += 1
    deep: i64 = 0
    while deep < table.hero_left:
        places[n] = (table.hero_deck >> (4 * deep)) & 15
        n += 1
        deep += 1
    return places


def thanos_places(table: Knowledge) -> vec[i64]:
    places = PLACES[:]
    n: i64 = 0
    card: i64 = 0
    while card < THANOS_CARDS:
        if (table.hands[0] >> card) & 1:
            places[n] = card
            n += 1
        card += 1
    deep: i64 = table.thanos_left - 1
    while deep >= 0:
        places[n] = (table.thanos_deck >> (4 * deep)) & 15
        n += 1
        deep -= 1
    return places


def hidden_heroes(table: Knowledge) -> i64:
    """How many hero places there are."""
    n: i64 = table.hero_left
    seat: i64 = 1
    while seat < table.players:
        n += size(table.hands[seat])
        seat += 1
    return n


def spots(places: vec[i64], n: i64, mask: i64) -> i64:
    """Which of the first n places hold one of these cards."""
    chosen: i64 = 0
    place: i64 = 0
    while place < n:
        if (mask >> places[place]) & 1:
            chosen |= i64(1) << place
        place += 1
    return chosen


# -- what the seat knows of a place


def certain_of(table: Knowledge, seat: i64) -> i64:
    """The hero cards whose place the seat knows."""
    if seat < 0:
        return 0
    return table.known[seat] | (table.hands[seat] if seat else 0)


def outside_jumble(table: Knowledge, seat: i64) -> i64:
    """Cards in hands that the seat knows not to be from a jumble, though others do not know it."""
    return table.loose[seat] >> HALF if seat >= 0 else 0


def mark(table: Knowledge, looking: i64, card: i64) -> i64:
    """A number that differs for two cards of a hand when the looking seat can distinguish their places."""
    if (certain_of(table, looking) >> card) & 1:
        return -1 - card
    jumbled: i64 = ((table.jumble >> card) & 1) | (((table.jumble_before >> card) & 1) << 1)
    outside: i64 = (outside_jumble(table, looking) >> card) & 1
    shuffle: i64 = table.cycle[card] if jumbled == 0 or outside else 0
    return (shuffle << 3) | (outside << 2) | jumbled


def sort_heroes(table: Knowledge, seat: i64, places: vec[i64], real: vec[i64]) -> None:
    """Remove all hidden information from the places: only what the seat knows of each is left."""
    n: i64 = hidden_heroes(table)
    certain: i64 = certain_of(table, seat)
    still: i64 = certain | outside_jumble(table, seat)
    somewhere: i64 = table.loose[seat] & LOW & ~certain if seat >= 0 else 0
    if table.jumble:
        sort_jumble(table, places, spots(real, n, table.jumble & ~still), somewhere)
    if table.jumble_before:
        sort_jumble(table, places, spots(real, n, table.jumble_before & ~still), somewhere)
    pending: i64 = spots(places, n, LOW & ~(certain | somewhere))
    while pending:
        same: i64 = of_one_shuffle(table, places, n, pending)
        sort_among(places, same)
        pending &= ~same


def sort_jumble(table: Knowledge, places: vec[i64], chosen: i64, somewhere: i64) -> None:
    """Cards the seat knows to be of the jumble first, the others by their shuffle: insertion in order of place."""
    place: i64 = 0
    while chosen >> place:
        if (chosen >> place) & 1:
            rest: i64 = chosen & ((i64(1) << place) - 1)
            at: i64 = place
            before: i64 = place - 1
            while before >= 0:
                if (rest >> before) & 1:
                    if rank(table, places[before], somewhere) <= rank(table, places[at], somewhere):
                        break
                    in_hand: i64 = places[at]
                    places[at] = places[before]
                    places[before] = in_hand
                    at = before
                before -= 1
        place += 1


def rank(table: Knowledge, card: i64, somewhere: i64) -> i64:
    return card if (somewhere >> card) & 1 else HERO_CARDS + table.cycle[card]


def sort_among(places: vec[i64], chosen: i64) -> None:
    """The cards of the chosen places in order of number."""
    mask: i64 = 0
    place: i64 = 0
    while chosen >> place:
        if (chosen >> place) & 1:
            mask |= i64(1) << places[place]
        place += 1
    card: i64 = 0
    place = 0
    while chosen >> place:
        if (chosen >> place) & 1:
            while not (mask >> card) & 1:
                card += 1
            places[place] = card
            card += 1
        place += 1


def of_one_shuffle(table: Knowledge, places: vec[i64], n: i64, pending: i64) -> i64:
    """The first of these places and all others whose cards are from the same shuffle."""
    same: i64 = 0
    cycle: i64 = -1
    place: i64 = 0
    while place < n:
        if (pending >> place) & 1:
            if cycle < 0:
                cycle = table.cycle[places[place]]
            if table.cycle[places[place]] == cycle:
                same |= i64(1) << place
        place += 1
    return same
