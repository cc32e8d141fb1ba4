"""Imagined worlds: redraw all that one seat cannot know, each deal that agrees with what it has seen as likely as any.

Hero cards are permuted among the places the seat does not know: inside each jumble first, then among all places of the
same shuffle. Thanos cards are laid into his hand and deck from the best known to the least: a card known to lie in the
hand or among the bottom cards takes any free place there, and as those ranges lie one inside the other this favours no
deal. What all know of a hand (`ruled`, `holds`, `ties`) is then tested, and a world that fails is drawn again. The
real world always passes, so there is an end to it.

What other seats know moves with the place: they know what lies there now, so an imagined world is sound for all.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.infinity_gauntlet.memory import (
    ANYWHERE,
    HALF,
    HERO_CARDS,
    LANE,
    LOW,
    NOTHING_SEEN,
    NUMBER,
    THANOS_CARDS,
    THANOS_OF,
    Memory,
    size,
)  # fmt: skip
from engine.rng import Rng

PLACES: Final = vec[i64]([0] * 16)
"""Room for one card a place."""


def redraw(table: Memory, seat: i64, hit: i64, rng: Rng) -> None:
    """Imagine the world anew for a seat (-1 a spectator). `hit` is a number all know Thanos to hold, or 0."""
    rng.word()
    heroes = hero_places(table)
    thanos = thanos_places(table)
    old_heroes = heroes[:]
    old_thanos = thanos[:]
    while True:
        shuffle_heroes(table, seat, heroes, rng)
        while not heroes_agree(table, heroes):
            shuffle_heroes(table, seat, heroes, rng)
        shuffle_thanos(table, seat, thanos, old_thanos, rng)
        while not thanos_agrees(table, thanos, hit):
            shuffle_thanos(table, seat, thanos, old_thanos, rng)
        if ties_agree(table, heroes, thanos):
            break
    lay_heroes(table, seat, old_heroes, heroes)
    lay_thanos(table, seat, old_thanos, thanos)
    table.rng = rng.fork(1)
    table.hero_luck = rng.fork(2)
    table.thanos_luck = rng.fork(3)


# -- places: hands by seat, then the hero deck from the top; Thanos's hand, then his deck from the bottom


def hero_places(table: Memory) -> vec[i64]:
    places = PLACES[:]
    n: i64 = 0
    seat: i64 = 1
    while seat < table.players:
        card: i64 = 0
        while card < HERO_CARDS:
            if (table.hands[seat] >> card) & 1:
                places[n] = card
                n += 1
            card += 1
        seat += 1
    deep: i64 = 0
    while deep < table.hero_left:
        places[n] = (table.hero_deck >> (4 * deep)) & 15
        n += 1
        deep += 1
    return places


def thanos_places(table: Memory) -> vec[i64]:
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


def hidden_heroes(table: Memory) -> i64:
    """How many hero places there are."""
    n: i64 = table.hero_left
    seat: i64 = 1
    while seat < table.players:
        n += size(table.hands[seat])
        seat += 1
    return n


# -- the draw


def shuffle_heroes(table: Memory, seat: i64, places: vec[i64], rng: Rng) -> None:
    """Permute what the seat does not know. `table` itself still holds the world the places were read from."""
    n: i64 = hidden_heroes(table)
    certain: i64 = 0
    somewhere: i64 = 0
    apart: i64 = 0
    if seat >= 0:
        certain = table.known[seat] | (table.hands[seat] if seat else 0)
        somewhere = table.loose[seat] & LOW & ~certain
        apart = table.loose[seat] >> HALF
    real = hero_places(table)
    if table.jumble:
        shuffle_among(places, spots(real, n, table.jumble & ~certain & ~apart), rng)
    if table.jumble_before:
        shuffle_among(places, spots(real, n, table.jumble_before & ~certain & ~apart), rng)
    pending: i64 = spots(places, n, LOW & ~(certain | somewhere))
    while pending:
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
        shuffle_among(places, same, rng)
        pending &= ~same


def spots(places: vec[i64], n: i64, mask: i64) -> i64:
    """Which of the first n places hold one of these cards."""
    found: i64 = 0
    place: i64 = 0
    while place < n:
        if (mask >> places[place]) & 1:
            found |= i64(1) << place
        place += 1
    return found


def shuffle_among(places: vec[i64], chosen: i64, rng: Rng) -> None:
    """Fisher-Yates over the chosen places."""
    left: i64 = size(chosen)
    place: i64 = 0
    while left > 1:
        if (chosen >> place) & 1:
            skip: i64 = rng.below(left)
            other: i64 = place
            while skip > 0:
                other += 1
                if (chosen >> other) & 1:
                    skip -= 1
            held: i64 = places[place]
            places[place] = places[other]
            places[other] = held
            left -= 1
        place += 1


def shuffle_thanos(table: Memory, seat: i64, places: vec[i64], real: vec[i64], rng: Rng) -> None:
    held: i64 = size(table.hands[0])
    n: i64 = held + table.thanos_left
    if seat == 0:
        shuffle_among(places, spots(real, n, ~(table.hands[0] | table.placed)), rng)
        return
    seen: i64 = table.depth[seat if seat > 0 else 0]
    if seen == NOTHING_SEEN:
        shuffle_among(places, (i64(1) << n) - 1, rng)
        return
    free: i64 = (i64(1) << n) - 1
    deep: i64 = 0
    while deep <= ANYWHERE:
        reach: i64 = n if held + deep > n else held + deep
        index: i64 = 0
        while index < n:
            if (seen >> (4 * real[index])) & 15 == deep:
                place: i64 = some_bit(free & ((i64(1) << reach) - 1), rng)
                places[place] = real[index]
                free &= ~(i64(1) << place)
            index += 1
        deep += 1


def some_bit(mask: i64, rng: Rng) -> i64:
    skip: i64 = rng.below(size(mask))
    bit: i64 = 0
    while True:
        if (mask >> bit) & 1:
            if skip == 0:
                return bit
            skip -= 1
        bit += 1


# -- the test


def hand_of(places: vec[i64], first: i64, count: i64) -> i64:
    mask: i64 = 0
    place: i64 = first
    while place < first + count:
        mask |= i64(1) << places[place]
        place += 1
    return mask


def allowed(hand: i64, ruled: i64) -> bool:
    return hand & ruled & LOW == 0 and size(hand & (ruled >> HALF)) <= 1


def heroes_agree(table: Memory, places: vec[i64]) -> bool:
    first: i64 = 0
    seat: i64 = 1
    while seat < table.players:
        count: i64 = size(table.hands[seat])
        if table.ruled[seat] and not allowed(hand_of(places, first, count), table.ruled[seat]):
            return False
        first += count
        seat += 1
    return True


def thanos_agrees(table: Memory, places: vec[i64], hit: i64) -> bool:
    hand: i64 = hand_of(places, 0, size(table.hands[0]))
    if not allowed(hand, table.ruled[0]) or (hit and hand & THANOS_OF[hit] == 0):
        return False
    return table.holds == 0 or hand & table.holds != 0


def ties_agree(table: Memory, heroes: vec[i64], thanos: vec[i64]) -> bool:
    hand: i64 = hand_of(thanos, 0, size(table.hands[0])) | table.laid
    first: i64 = 0
    seat: i64 = 1
    while seat < table.players:
        tie: i64 = (table.ties >> (4 * seat)) & 15
        held: i64 = size(table.hands[seat])
        if tie:
            fought: i64 = table.shed[seat]
            if tie < 8:
                fought |= hand_of(heroes, first, held)
            if not matches(fought, (tie & 7) - 4, hand):
                return False
        first += held
        seat += 1
    return True


def matches(heroes: i64, difference: i64, thanos: i64) -> bool:
    """Whether some hero card plus the difference is the number of some Thanos card."""
    card: i64 = 0
    while card < HERO_CARDS:
        if (heroes >> card) & 1:
            number: i64 = NUMBER[card] + difference
            if 1 <= number <= 7 and thanos & THANOS_OF[number]:
                return True
        card += 1
    return False


# -- the new world


def lay_heroes(table: Memory, seat: i64, old: vec[i64], new: vec[i64]) -> None:
    n: i64 = hidden_heroes(table)
    first: i64 = 0
    other: i64 = 1
    while other < table.players:
        count: i64 = size(table.hands[other])
        table.hands[other] = hand_of(new, first, count)
        first += count
        other += 1
    deck: i64 = 0
    deep: i64 = 0
    while deep < table.hero_left:
        deck |= new[first + deep] << (4 * deep)
        deep += 1
    table.hero_deck = deck
    other = 0
    while other < table.players:
        somewhere: i64 = table.loose[other] & LOW
        if other != seat:
            table.known[other] = moved(table.known[other], old, new, n)
            somewhere = moved(somewhere, old, new, n)
        table.loose[other] = somewhere | (moved(table.loose[other] >> HALF, old, new, n) << HALF)
        other += 1
    table.jumble = moved(table.jumble, old, new, n)
    table.jumble_before = moved(table.jumble_before, old, new, n)


def lay_thanos(table: Memory, seat: i64, old: vec[i64], new: vec[i64]) -> None:
    held: i64 = size(table.hands[0])
    n: i64 = held + table.thanos_left
    table.hands[0] = hand_of(new, 0, held)
    deck: i64 = 0
    deep: i64 = 0
    while deep < table.thanos_left:
        deck |= new[n - 1 - deep] << (4 * deep)
        deep += 1
    table.thanos_deck = deck
    table.placed = moved(table.placed, old, new, n)
    public: i64 = table.depth[0]
    other: i64 = 1
    while other < table.players:
        if other != seat and table.depth[other] != public:
            table.depth[other] = moved_depth(table.depth[other], public, old, new, n)
        other += 1


def moved(mask: i64, old: vec[i64], new: vec[i64], n: i64) -> i64:
    """The cards that now lie where these lay; those that lie open stay as they are."""
    result: i64 = mask
    place: i64 = 0
    while place < n:
        result &= ~(i64(1) << old[place])
        place += 1
    place = 0
    while place < n:
        if (mask >> old[place]) & 1:
            result |= i64(1) << new[place]
        place += 1
    return result


def moved_depth(seen: i64, public: i64, old: vec[i64], new: vec[i64], n: i64) -> i64:
    """What a seat alone knows goes to the cards now in those places; what all know stays with the cards it is about."""
    result: i64 = public
    place: i64 = 0
    while place < n:
        deep: i64 = (seen >> (4 * old[place])) & 15
        if deep < (public >> (4 * old[place])) & 15:
            card: i64 = new[place]
            if deep < (result >> (4 * card)) & 15:
                result = (result & ~LANE[card]) | (deep << (4 * card))
        place += 1
    return result
