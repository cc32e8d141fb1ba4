"""Imagined worlds: redraw all that one seat cannot know, each deal that agrees with what it has seen as likely as any.

Hero cards are permuted among the places the seat does not know: inside each jumble first, then among all places of the
same shuffle. Thanos cards are put into his hand and deck from the best known to the least: a card known to lie in the
hand or among the bottom cards takes any free place there, and as those ranges lie one inside the other this favours no
deal. What all know of a hand (`ruled`, `holds`, `ties`) is then tested, and a world that fails is drawn again. The
real world always passes, so the loop ends.

The draw starts from the cards that may be in each place, in order of their numbers, so it depends on nothing hidden.
What others know is drawn too, as far as this seat cannot know it: that is the last part of this module.

Compiled by mypyc; see `engine.build`.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from engine.bitset import size
from engine.infinity_gauntlet.hidden_cards import (  # fmt: skip
    certain_of,
    hero_places,
    hidden_heroes,
    of_one_shuffle,
    outside_jumble,
    sort_among,
    sort_heroes,
    spots,
    thanos_places,
)
from engine.infinity_gauntlet.knowledge import (  # fmt: skip
    ALL_THANOS,
    ANYWHERE,
    HALF,
    HERO_CARDS,
    LANE,
    LOW,
    NOTHING_SEEN,
    NUMBER,
    OUTRIDERS,
    THANOS_OF,
    Knowledge,
)
from engine.infinity_gauntlet.legal_moves import PLAY
from engine.rng import Rng


def redraw(table: Knowledge, seat: i64, hit: i64, rng: Rng) -> None:
    """Redraw the hidden cards for a seat (-1 is a spectator). `hit` is a number all know Thanos to hold, or 0."""
    rng.word()
    if seat:
        name_outriders(table, seat)
    real_heroes = hero_places(table, seat)
    real_thanos = thanos_places(table)
    heroes = real_heroes[:]
    sort_heroes(table, seat, heroes, real_heroes)
    thanos = real_thanos[:]
    unknown: i64 = ~(table.hands[0] | table.placed) if seat == 0 else ALL_THANOS
    sort_among(thanos, spots(real_thanos, size(table.hands[0]) + table.thanos_left, unknown))
    cards = thanos[:]
    while True:
        shuffle_heroes(table, seat, heroes, real_heroes, rng)
        while not heroes_agree(table, heroes):
            shuffle_heroes(table, seat, heroes, real_heroes, rng)
        shuffle_thanos(table, seat, thanos, cards, rng)
        while not thanos_agrees(table, thanos, hit):
            shuffle_thanos(table, seat, thanos, cards, rng)
        if ties_agree(table, heroes, thanos):
            break
    place_heroes(table, seat, real_heroes, heroes)
    place_thanos(table, real_thanos, thanos)
    if seat:
        thanos_knows_heroes(table, seat, rng)
        heroes_know_thanos(table, seat, rng)
    table.rng = rng.fork(1)
    table.hero_luck = rng.fork(2)
    table.thanos_luck = rng.fork(3)


def redraw_decks(table: Knowledge, rng: Rng) -> None:
    """Shuffle the places of both decks that no seat knows, and draw new streams of luck; all hands stay."""
    seen: i64 = 0
    seat: i64 = 0
    while seat < table.players:
        seen |= table.known[seat]
        seat += 1
    table.hero_deck = reshuffled(table.hero_deck, table.hero_left, seen, rng)
    table.thanos_deck = reshuffled(table.thanos_deck, table.thanos_left, table.placed, rng)
    table.rng = rng.fork(1)
    table.hero_luck = rng.fork(2)
    table.thanos_luck = rng.fork(3)


def reshuffled(deck: i64, count: i64, seen: i64, rng: Rng) -> i64:
    """A packed deck in a new order; cards that somebody has seen keep their places."""
    rng.word()
    places = vec[i64]()
    place: i64 = 0
    while place < count:
        places = append(places, (deck >> (4 * place)) & 15)
        place += 1
    shuffle_among(places, spots(places, count, ~seen), rng)
    packed: i64 = 0
    while place > 0:
        place -= 1
        packed = (packed << 4) | places[place]
    return packed


def name_outriders(table: Knowledge, seat: i64) -> None:
    """Number the two Outriders by what the seat knows of them. They look alike: which of them was played or seen would
    reveal more than the seat saw. (Thanos keeps his numbers: he names his cards by them, and has seen both alike.)"""
    if table.phase == PLAY:
        table.card = 0  # left over from the turn before; nothing is asked about it
    if outrider_key(table, seat, 1) < outrider_key(table, seat, 0):
        table.hands[0] = exchanged(table.hands[0])
        table.faceup[0] = exchanged(table.faceup[0])
        table.placed = exchanged(table.placed)
        table.left_since_tie = exchanged(table.left_since_tie)
        table.holds = exchanged(table.holds)
        table.ruled[0] = exchanged(table.ruled[0] & LOW) | (exchanged(table.ruled[0] >> HALF) << HALF)
        other: i64 = 0
        while other < table.players:
            lanes: i64 = table.depth[other]
            table.depth[other] = (lanes & ~i64(255)) | ((lanes & 15) << 4) | ((lanes >> 4) & 15)
            other += 1
        deck: i64 = 0
        place: i64 = table.thanos_left - 1
        while place >= 0:
            card: i64 = (table.thanos_deck >> (4 * place)) & 15
            deck = (deck << 4) | (card ^ 1 if card < 2 else card)
            place -= 1
        table.thanos_deck = deck
        if table.turn == 0 and table.phase != PLAY and table.card < 2:
            table.card ^= 1


def outrider_key(table: Knowledge, seat: i64, card: i64) -> i64:
    """All that a seat knows of one Outrider, as a number; those played come first."""
    key: i64 = 1 - ((table.faceup[0] >> card) & 1)
    key = (key << 4) | ((table.depth[0] >> (4 * card)) & 15)
    key = (key << 4) | ((table.depth[seat if seat > 0 else 0] >> (4 * card)) & 15)
    key = (key << 1) | ((table.left_since_tie >> card) & 1)
    key = (key << 1) | ((table.holds >> card) & 1)
    key = (key << 1) | ((table.ruled[0] >> card) & 1)
    key = (key << 1) | ((table.ruled[0] >> (HALF + card)) & 1)
    return (key << 1) | (1 if table.turn == 0 and table.phase != PLAY and table.card == card else 0)


def exchanged(mask: i64) -> i64:
    """A set of Thanos cards with the numbers of the two Outriders exchanged."""
    return (mask & ~OUTRIDERS) | ((mask & 1) << 1) | ((mask >> 1) & 1)


# -- the draw


def shuffle_heroes(table: Knowledge, seat: i64, places: vec[i64], real: vec[i64], rng: Rng) -> None:
    """Permute what the seat does not know. `real` and `table` still hold the world the places were read from."""
    n: i64 = hidden_heroes(table)
    certain: i64 = certain_of(table, seat)
    still: i64 = certain | outside_jumble(table, seat)
    somewhere: i64 = table.loose[seat] & LOW & ~certain if seat >= 0 else 0
    if table.jumble:
        shuffle_among(places, spots(real, n, table.jumble & ~still), rng)
    if table.jumble_before:
        shuffle_among(places, spots(real, n, table.jumble_before & ~still), rng)
    pending: i64 = spots(places, n, LOW & ~(certain | somewhere))
    while pending:
        same: i64 = of_one_shuffle(table, places, n, pending)
        shuffle_among(places, same, rng)
        pending &= ~same


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
            in_hand: i64 = places[place]
            places[place] = places[other]
            places[other] = in_hand
            left -= 1
        place += 1


def shuffle_thanos(table: Knowledge, seat: i64, places: vec[i64], real: vec[i64], rng: Rng) -> None:
    in_hand: i64 = size(table.hands[0])
    n: i64 = in_hand + table.thanos_left
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
        reach: i64 = n if in_hand + deep > n else in_hand + deep
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


def heroes_agree(table: Knowledge, places: vec[i64]) -> bool:
    first: i64 = 0
    seat: i64 = 1
    while seat < table.players:
        count: i64 = size(table.hands[seat])
        if table.ruled[seat] and not allowed(hand_of(places, first, count), table.ruled[seat]):
            return False
        first += count
        seat += 1
    return True


def thanos_agrees(table: Knowledge, places: vec[i64], hit: i64) -> bool:
    hand: i64 = hand_of(places, 0, size(table.hands[0]))
    if not allowed(hand, table.ruled[0]) or (hit and hand & THANOS_OF[hit] == 0):
        return False
    return table.holds == 0 or hand & table.holds != 0


def ties_agree(table: Knowledge, heroes: vec[i64], thanos: vec[i64]) -> bool:
    hand: i64 = hand_of(thanos, 0, size(table.hands[0])) | table.left_since_tie
    first: i64 = 0
    seat: i64 = 1
    while seat < table.players:
        tie: i64 = (table.ties >> (4 * seat)) & 15
        in_hand: i64 = size(table.hands[seat])
        if tie:
            fought: i64 = table.shed[seat]
            if tie < 8:
                fought |= hand_of(heroes, first, in_hand)
            if not matches(fought, (tie & 7) - 4, hand):
                return False
        first += in_hand
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


def place_heroes(table: Knowledge, seat: i64, old: vec[i64], new: vec[i64]) -> None:
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
    in_deck: i64 = hand_of(new, first, table.hero_left)
    other = 0
    while other < table.players:
        if other == seat:
            outside: i64 = moved(outside_jumble(table, other), old, new, n)
            table.loose[other] = (table.loose[other] & LOW) | (outside << HALF)
        elif other == 0:
            # Whether Thanos knew a revealed card is his secret: what he concluded would name the other card there.
            table.loose[other] = 0
        else:
            # All saw which places of the deck this hero looked at; what became of a card drawn from there is less sure.
            table.known[other] = moved(table.known[other], old, new, n) & in_deck
            table.loose[other] = 0
        other += 1
    table.jumble = moved(table.jumble, old, new, n)
    table.jumble_before = moved(table.jumble_before, old, new, n)


def place_thanos(table: Knowledge, old: vec[i64], new: vec[i64]) -> None:
    in_hand: i64 = size(table.hands[0])
    n: i64 = in_hand + table.thanos_left
    table.hands[0] = hand_of(new, 0, in_hand)
    deck: i64 = 0
    deep: i64 = 0
    while deep < table.thanos_left:
        deck |= new[n - 1 - deep] << (4 * deep)
        deep += 1
    table.thanos_deck = deck
    table.placed = moved(table.placed, old, new, n)


def moved(mask: i64, old: vec[i64], new: vec[i64], n: i64) -> i64:
    """The cards that are now in the places of these."""
    result: i64 = 0
    place: i64 = 0
    while place < n:
        if (mask >> old[place]) & 1:
            result |= i64(1) << new[place]
        place += 1
    return result


# -- what others know, as far as one seat can know: who saw a card when, and how many left that hand since


def thanos_knows_heroes(table: Knowledge, seat: i64, rng: Rng) -> None:
    """Of the seat's own hand it knows what Thanos saw; any other card he saw is the one still held or one played."""
    known: i64 = table.known[0] & table.hands[seat] if seat > 0 else 0
    other: i64 = 1
    while other < table.players:
        age: i64 = (table.met >> (4 * other)) & 15
        if other != seat and age and rng.below(i64(1) << (age - 1)) == 0:
            known |= i64(1) << some_bit(table.hands[other], rng)
        other += 1
    table.known[0] = known


def heroes_know_thanos(table: Knowledge, seat: i64, rng: Rng) -> None:
    """A card that another hero saw in Thanos's hand is one of those that left it since, or still there."""
    other: i64 = 1
    while other < table.players:
        if other != seat:
            table.depth[other] = table.depth[0]
            age: i64 = (table.sights >> (4 * other)) & 15
            while age > 1 and rng.below(3) > 0:
                age -= 1
            if age == 1 and table.hands[0]:
                table.depth[other] &= ~LANE[some_bit(table.hands[0], rng)]
        other += 1
