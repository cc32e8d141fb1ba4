"""What one seat may know of the table, as plain data.

Everything here is either public or comes from the knowledge kept for that seat; see `knowledge.py`.
"""

from collections import Counter
from typing import Any, Final

from engine.infinity_gauntlet import cards
from engine.infinity_gauntlet.knowledge import ANYWHERE, HALF, LOW
from engine.infinity_gauntlet.legal_moves import CHALLENGE, END, LOSE, PLAY
from engine.infinity_gauntlet.state import GauntletState

PHASES: Final = (
    "play", "target", "guess", "fight", "arrange", "lose", "challenge", "with", "bottom", "copy", "end",
)  # fmt: skip
"""Names of the questions, in the order of their numbers."""

HERO_SIDE: Final = (cards.HERO_IDS, cards.HERO_NUMBERS)
THANOS_SIDE: Final = (cards.THANOS_IDS, cards.THANOS_NUMBERS)


def view(state: GauntletState, seat: int | None) -> dict[str, Any]:
    looking = -1 if seat is None else seat
    asking = state.phase not in (PLAY, END) and not state.over
    return {
        "phase": "over" if state.over else PHASES[state.phase],
        "turn": int(state.turn),
        "turns_left": int(state.turns_left) if state.turn else 1,
        "card": using(state) if asking else None,
        "target": int(state.target) if asking and state.target else None,
        "number": int(state.count) if asking and state.phase == LOSE else None,
        "count": int(state.count) if asking and state.phase != LOSE else 0,
        "second_fight": asking and state.phase == CHALLENGE and state.count > 0,
        "life": {"heroes": int(state.heroes_life), "thanos": int(state.thanos_life)},
        "decks": {"heroes": hero_deck(state, looking), "thanos": thanos_deck(state, looking)},
        "seats": [thanos(state, looking), *(hero(state, each, looking) for each in range(1, state.players))],
        "unseen": unseen(state, looking),
    }


def using(state: GauntletState) -> str:
    """The card whose effect is being used."""
    return (cards.HERO_IDS if state.turn else cards.THANOS_IDS)[state.card]


def ids(mask: int, names: tuple[str, ...]) -> list[str]:
    return [name for card, name in enumerate(names) if mask >> card & 1]


def certain(state: GauntletState, looking: int) -> int:
    """The hero cards whose place this seat knows, its own hand included."""
    if looking < 0:
        return 0
    return int(state.known[looking] | (state.hands[looking] if looking else 0))


def deep(state: GauntletState, looking: int, card: int) -> int:
    return int(state.depth_of(max(looking, 0), card))


def in_hand(state: GauntletState, looking: int) -> int:
    """The cards of Thanos's hand that this seat knows to be there."""
    if looking == 0:
        return int(state.hands[0])
    return sum(1 << card for card in range(len(cards.THANOS_IDS)) if deep(state, looking, card) == 0)


# -- hands


def thanos(state: GauntletState, looking: int) -> dict[str, Any]:
    hand = int(state.hands[0])
    held = in_hand(state, looking)
    known: dict[str, Any] = {
        "role": "thanos",
        "power": int(state.power[0]),
        "faceup": ids(int(state.faceup[0]), cards.THANOS_IDS),
        "hand": hand.bit_count(),
        "cards": ids(held, cards.THANOS_IDS),
        **ruled(int(state.ruled[0]), ~int(state.faceup[0]), THANOS_SIDE),
        "holds_one_of": ids(int(state.holds), cards.THANOS_IDS),
        "ties": [tie(state, each) for each in range(1, state.players) if int(state.ties) >> 4 * each & 15],
        "hand_or_bottom": [
            {"card": name, "bottom": deep(state, looking, card)}
            for card, name in enumerate(cards.THANOS_IDS)
            if looking and 0 < deep(state, looking, card) < ANYWHERE
        ],
    }
    if looking == 0:
        known["seen_by"] = [
            [each for each in range(1, state.players) if state.depth_of(each, card) == 0]
            for card in range(len(cards.THANOS_IDS))
            if hand >> card & 1
        ]
    return known


def tie(state: GauntletState, seat: int) -> dict[str, Any]:
    """A tied fight of this hero: with the card in hand or one revealed since, against one that Thanos then held."""
    facts = int(state.ties) >> 4 * seat & 15
    return {
        "seat": seat,
        "difference": (facts & 7) - 4,
        "in_hand": facts < 8,
        "cards": ids(int(state.shed[seat]), cards.HERO_IDS),
        "thanos_cards": ids(int(state.left_since_tie), cards.THANOS_IDS),
    }


def hero(state: GauntletState, seat: int, looking: int) -> dict[str, Any]:
    hand = int(state.hands[seat])
    known: dict[str, Any] = {
        "role": "hero",
        "power": int(state.power[seat]),
        "faceup": ids(int(state.faceup[seat]), cards.HERO_IDS),
        "hand": hand.bit_count(),
        "cards": ids(hand & certain(state, looking), cards.HERO_IDS),
        **ruled(int(state.ruled[seat]), ~open_heroes(state), HERO_SIDE),
    }
    if looking == seat:
        known["seen_by"] = [
            [0] if state.known[0] >> card & 1 else [] for card in range(len(cards.HERO_IDS)) if hand >> card & 1
        ]
    return known


def ruled(facts: int, hidden: int, side: tuple[tuple[str, ...], tuple[int, ...]]) -> dict[str, Any]:
    """What all know of a hand: numbers and cards it does not hold, and cards of which it holds one at most."""
    names, numbers = side
    no, once = facts & LOW & hidden, facts >> HALF & hidden
    left = {number for card, number in enumerate(numbers) if hidden >> card & 1 and not no >> card & 1}
    return {
        "ruled_out": sorted({number for card, number in enumerate(numbers) if no >> card & 1} - left),
        "not_held": ids(no, names),
        "one_at_most": ids(once, names),
    }


# -- decks


def hero_deck(state: GauntletState, looking: int) -> dict[str, Any]:
    """How many are left, and what this seat knows of them, the top card first."""
    deck = packed(int(state.hero_deck), state.hero_left)
    known = certain(state, looking)
    return {
        "left": int(state.hero_left),
        "rebuilt": int(state.cycles),
        "top": trimmed([cards.HERO_IDS[card] if known >> card & 1 else None for card in deck]),
        **hidden_heroes(state, looking),
    }


def packed(deck: int, left: int) -> list[int]:
    """The cards of a packed deck, the top card first."""
    return [deck >> 4 * place & 15 for place in range(left)]


def hidden_heroes(state: GauntletState, looking: int) -> dict[str, Any]:
    """From which shuffle the unseen hero card in each place is, and which unseen cards were in that shuffle.

    Everyone knows this: the faceup cards are in view before they are shuffled, and so is who draws. Of places that a
    player put into a new order (`among`) only this is known: the `cards` that this seat has seen there, and how many
    of the others are from each shuffle. A shuffle is named by how often the deck had been rebuilt by then.
    """
    known = certain(state, looking)
    loose = int(state.loose[looking]) & LOW & ~known if looking >= 0 else 0
    outside = int(state.loose[looking]) >> HALF if looking >= 0 else 0
    hands = {("hands", seat): int(state.hands[seat]) for seat in range(1, state.players)}
    deck = packed(int(state.hero_deck), state.hero_left)
    places = [(place, card) for place, hand in hands.items() for card in range(len(cards.HERO_IDS)) if hand >> card & 1]
    places += [(("deck", depth), card) for depth, card in enumerate(deck)]
    places = [(place, card) for place, card in places if not known >> card & 1]
    among = []
    for jumble in (int(state.jumble) & ~outside, int(state.jumble_before) & ~outside):
        inside = [(place, card) for place, card in places if jumble >> card & 1]
        others = Counter(int(state.cycle[card]) for _, card in inside if not loose >> card & 1)
        if loose & jumble or len(others) > 1:
            places = [each for each in places if each not in inside]
            counts = [{"rebuilt": cycle, "count": count} for cycle, count in sorted(others.items())]
            among.append({"cards": ids(loose & jumble, cards.HERO_IDS), **where(inside), "shuffles": counts})
    unseen = LOW & ~open_heroes(state) & ~known & ~loose
    shuffles = []
    for cycle in range(state.cycles + 1):
        mask = sum(
            1 << card for card in range(len(cards.HERO_IDS)) if unseen >> card & 1 and state.cycle[card] == cycle
        )
        if mask:
            inside = [(place, card) for place, card in places if mask >> card & 1]
            shuffles.append({"rebuilt": cycle, "cards": ids(mask, cards.HERO_IDS), **where(inside)})
    return {"shuffles": shuffles, "among": among}


def where(places: list[tuple[tuple[str, int], int]]) -> dict[str, list[int]]:
    """Places of cards without the cards: seats whose hands they are in, one entry a card, and places of the deck."""
    return {kind: [number for (area, number), _ in places if area == kind] for kind in ("hands", "deck")}


def thanos_deck(state: GauntletState, looking: int) -> dict[str, Any]:
    """How many are left, and what Thanos knows of them, the bottom card first."""
    deck = packed(int(state.thanos_deck), state.thanos_left)
    known = int(state.placed) if looking == 0 else 0
    return {
        "left": int(state.thanos_left),
        "bottom": trimmed([cards.THANOS_IDS[card] if known >> card & 1 else None for card in reversed(deck)]),
    }


def trimmed(places: list[str | None]) -> list[str | None]:
    while places and places[-1] is None:
        places.pop()
    return places


# -- the rest


def open_heroes(state: GauntletState) -> int:
    """The faceup hero cards."""
    return sum(int(state.faceup[seat]) for seat in range(1, state.players))


def unseen(state: GauntletState, looking: int) -> dict[str, list[str]]:
    """The cards whose place this seat does not know."""
    heroes = LOW & ~open_heroes(state) & ~certain(state, looking)
    thanos = (1 << len(cards.THANOS_IDS)) - 1 & ~int(state.faceup[0]) & ~in_hand(state, looking)
    if looking == 0:
        thanos &= ~int(state.placed)
    return {"heroes": ids(heroes, cards.HERO_IDS), "thanos": ids(thanos, cards.THANOS_IDS)}
