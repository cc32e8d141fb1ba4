"""Which hidden cards lie where, worked out from a seat's view alone: what a careful reader of the screen could know.

Nothing of the engine is used but the numbers printed on the cards. Every way to lay the unseen cards that agrees with
the view counts once; `chances` adds them up.
"""

from collections import Counter
from itertools import permutations
from math import factorial, prod

from engine.infinity_gauntlet.cards import HERO_IDS, HERO_NUMBERS, THANOS_IDS, THANOS_NUMBERS

HERO_NUMBER = dict(zip(HERO_IDS, HERO_NUMBERS, strict=True))
THANOS_NUMBER = dict(zip(THANOS_IDS, THANOS_NUMBERS, strict=True))
MOST = 60_000


class TooMany(Exception):
    """More ways than a test has time to count."""


def chances(view):
    """(place, card) -> how likely it lies there; places are the seats' hands and "top" for the top of the hero deck."""
    table, mine = view["table"], view["seat"]
    thanos = list(thanos_hands(table, mine))
    counts, total = Counter(), 0
    for heroes in hero_hands(table, mine):
        for hand, weight in thanos:
            if ties_hold(table, heroes, hand):
                ways = weight * heroes["weight"]
                total += ways
                for seat in range(view["players"]):
                    for card in set(hand if seat == 0 else heroes[seat]):
                        counts[seat, card] += ways
                for card, share in heroes["top"].items():
                    counts["top", card] += ways * share
    return {at: count / total for at, count in counts.items()}


# -- heroes


def hero_hands(table, mine):
    """Every way to fill the heroes' hands: {seat: cards, "top": what then lies on the deck, "weight": the ways}."""
    deck = table["decks"]["heroes"]
    pools = {shuffle["rebuilt"]: shuffle["cards"] for shuffle in deck["shuffles"]}
    for labels in arrangements(deck["among"]):
        slots = [(("hands", seat), shuffle["rebuilt"]) for shuffle in deck["shuffles"] for seat in shuffle["hands"]]
        slots += [(("deck", place), shuffle["rebuilt"]) for shuffle in deck["shuffles"] for place in shuffle["deck"]]
        slots += labels
        held = [slot for slot in slots if slot[0][0] == "hands"]
        ways = prod(len(pools[label]) - k for k, (_, label) in enumerate(held) if label in pools)
        if ways > MOST:
            raise TooMany
        for cards in fillings([label for _, label in held], pools, ()):
            hands = {seat: list(one["cards"]) for seat, one in enumerate(table["seats"])}
            for ((_, seat), _label), card in zip(held, cards, strict=True):
                hands[seat].append(card)
            if all(may_hold(table["seats"][seat], hands[seat]) for seat in range(1, len(hands))):
                rest = [len(set(pool) - set(cards)) for pool in pools.values()]
                yield {**hands, "top": on_top(deck, slots, pools, cards), "weight": prod(map(factorial, rest))}


def arrangements(among):
    """The distinct ways to say which card or shuffle lies in each of the places that were put into a new order."""
    if not among:
        yield []
        return
    first, *rest = among
    places = [("hands", seat) for seat in first["hands"]] + [("deck", place) for place in first["deck"]]
    labels = list(first["cards"])
    for shuffle in first["shuffles"]:
        labels += [shuffle["rebuilt"]] * shuffle["count"]
    assert len(labels) == len(places)
    if len(labels) > 6:
        raise TooMany
    for order in set(permutations(labels)):
        for others in arrangements(rest):
            yield [*zip(places, order, strict=True), *others]


def fillings(labels, pools, used):
    """Every choice of a card for each label: the card itself, or one of its shuffle that is not used yet."""
    if not labels:
        yield used
        return
    label, *rest = labels
    for card in [label] if isinstance(label, str) else pools[label]:
        if card not in used:
            yield from fillings(rest, pools, (*used, card))


def may_hold(seat, hand):
    return not set(hand) & set(seat["not_held"]) and len(set(hand) & set(seat["one_at_most"])) <= 1


def on_top(deck, slots, pools, used):
    """What lies on top of the deck: a card for sure, or any left of its shuffle."""
    if not deck["left"]:
        return {}
    if deck["top"] and deck["top"][0]:
        return {deck["top"][0]: 1}
    label = next(label for place, label in slots if place == ("deck", 0))
    left = [label] if isinstance(label, str) else [card for card in pools[label] if card not in used]
    return dict.fromkeys(left, 1 / len(left))


# -- Thanos


def thanos_hands(table, mine):
    """Every hand of Thanos, with the number of ways to lay the rest into his deck."""
    thanos, left = table["seats"][0], table["decks"]["thanos"]["left"]
    if mine == 0:
        yield thanos["cards"], 1
        return
    deep = {entry["card"]: entry["bottom"] for entry in thanos["hand_or_bottom"]}
    unseen = [(index, card) for index, card in enumerate(table["unseen"]["thanos"])]
    size = thanos["hand"] - len(thanos["cards"])
    for order in permutations(unseen, size):
        if list(order) != sorted(order):
            continue
        hand = [*thanos["cards"], *(card for _, card in order)]
        number = table["number"]
        if (
            may_hold_thanos(thanos, hand)
            and (number is None or number in [THANOS_NUMBER[card] for card in hand])
            and (not thanos["holds_one_of"] or set(hand) & set(thanos["holds_one_of"]))
        ):
            rest = sorted(min(deep.get(card, left), left) for index, card in unseen if (index, card) not in order)
            ways = prod(max(reach - taken, 0) for taken, reach in enumerate(rest))
            if ways:
                yield hand, ways


def may_hold_thanos(thanos, hand):
    barred, once = Counter(thanos["not_held"]), Counter(thanos["one_at_most"])
    # Two Outriders in the list are both; one of them alone is the one that is not faceup.
    return not any(card in barred for card in hand) and sum(card in once for card in hand) <= 1


def ties_hold(table, heroes, hand):
    for tie in table["seats"][0]["ties"]:
        fought = [*tie["cards"], *(heroes[tie["seat"]] if tie["in_hand"] else [])]
        numbers = {THANOS_NUMBER[card] for card in [*hand, *tie["thanos_cards"]]}
        if not any(HERO_NUMBER[card] + tie["difference"] in numbers for card in fought):
            return False
    return True
