"""The table as text for the terminal."""

from collections.abc import Mapping
from typing import Any

from engine.infinity_gauntlet.cards import DOCUMENT, HEROES, THANOS

CARDS = {card["id"]: card for card in (*HEROES, *THANOS)}


def render(view: Mapping[str, Any]) -> str:
    """A seat's whole view: lives, decks, what lies open, and what this seat knows of the hands."""
    table = view["table"]
    life, decks = table["life"], table["decks"]
    lines = [
        f"Life: heroes {life['heroes']}, Thanos {life['thanos']}. "
        f"Decks: heroes {decks['heroes']['left']}, Thanos {decks['thanos']['left']}."
    ]
    for deck, place in (("heroes", "top"), ("thanos", "bottom")):
        if decks[deck][place]:
            known = ", ".join(named(card) if card else "?" for card in decks[deck][place])
            lines.append(f"  You know the {place} of the {deck} deck: {known}")
    for seat, side in enumerate(table["seats"]):
        lines += hand(seat, side, own=seat == view["seat"])
    for deck, cards in table["unseen"].items():
        counts = {number: numbers(cards).count(number) for number in sorted(set(numbers(cards)))}
        lines.append(f"Unseen {deck} cards: " + ", ".join(f"{count} x {number}" for number, count in counts.items()))
    if len(decks["heroes"]["shuffles"]) > 1:
        lines += [shuffled(shuffle) for shuffle in decks["heroes"]["shuffles"]]
    return "\n".join(lines)


def hand(seat: int, side: Mapping[str, Any], own: bool) -> list[str]:
    who = f"Seat {seat + 1}, {side['role']}{' (you)' if own else ''}"
    hidden = side["hand"] - len(side["cards"])
    held = [named(card) for card in side["cards"]] + (["?"] * hidden if hidden > 0 else [])
    lines = [f"{who}: holds {', '.join(held) or 'nothing'}; {side['power']} power"]
    if side["faceup"]:
        lines.append("  open: " + ", ".join(map(named, side["faceup"])))
    if side["ruled_out"] and not own:
        lines.append("  does not hold: " + ", ".join(map(str, side["ruled_out"])))
    return lines


def shuffled(shuffle: Mapping[str, Any]) -> str:
    """Which unseen hero cards one shuffle left, and where they can be."""
    hands = [f"the hand of seat {seat + 1}" for seat in shuffle["hands"]]
    places = hands + ([f"{len(shuffle['deck'])} in the deck"] if shuffle["deck"] else [])
    when = f"shuffled at rebuild {shuffle['rebuilt']}" if shuffle["rebuilt"] else "dealt from the first deck"
    lie = ", ".join(places) or "an order that a player changed"
    return f"  {when}: {', '.join(map(named, shuffle['cards']))}; in {lie}"


def named(card: str) -> str:
    return f"{CARDS[card]['number']} {CARDS[card]['name']['en']}"


def numbers(cards: list[str]) -> list[int]:
    return [CARDS[card]["number"] for card in cards]


def explain_move(move: str) -> str:
    """A move that names a card with what the card does; seats as people count them."""
    verb, _, rest = move.partition(" ")
    if verb in ("play", "copy") and rest in CARDS:
        return f"{move}: {named(rest)}. {DOCUMENT['effects'][CARDS[rest]['effect']]['en']}"
    if rest in CARDS:
        return f"{move}: {named(rest)}"
    return f"{move}: seat {int(rest) + 1}" if rest.isdigit() and verb != "guess" else move
