"""The cards of Infinity Gauntlet as tables, loaded from `cards.json` and checked."""

import json
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "it", "pl")

DOCUMENT: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("cards.json").read_text(encoding="utf-8"))

HERO_SHARE: Final = {1: 3, 2: 3, 3: 3, 4: 3, 5: 2, 6: 2}
"""How many hero cards there are of each number: printed on the cards."""

THANOS_SHARE: Final = {1: 3, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1}
STONES: Final = 6


class CardError(ValueError):
    """The data file is not the game: which card or total, and why."""


def check(document: dict[str, Any]) -> None:
    """Counts, totals and names, so that a slip in the file is an error and never a slightly different game."""
    heroes, thanos = document["hero_deck"], unfolded(document["thanos_deck"])
    for deck, cards, share in (("hero_deck", heroes, HERO_SHARE), ("thanos_deck", thanos, THANOS_SHARE)):
        numbers = [card["number"] for card in cards]
        for number in sorted({*share, *numbers}):
            if numbers.count(number) != share.get(number, 0):
                raise CardError(f"{deck}: {numbers.count(number)} cards numbered {number}, not {share.get(number, 0)}")
        if numbers != sorted(numbers):
            raise CardError(f"{deck}: cards must be listed by number")
        for card in cards:
            if set(card["name"]) != set(LANGUAGES) or not all(card["name"].values()):
                raise CardError(f"{deck}, {card['id']}: needs a name in each of {', '.join(LANGUAGES)}")
            if card["effect"] not in document["effects"]:
                raise CardError(f"{deck}, {card['id']}: unknown effect {card['effect']!r}")
    kinds = [card["id"] for card in (*heroes, *document["thanos_deck"])]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise CardError(f"{kind}: listed twice")
    stones = sorted(card["number"] for card in thanos if card["stone"])
    if stones != list(range(1, STONES + 1)):
        raise CardError(f"thanos_deck: the stones are numbered {stones}, not one of each from 1 to {STONES}")
    for card in thanos:
        if card["returns"] != (card["stone"] or card["effect"] == "unplayable"):
            raise CardError(f"thanos_deck, {card['id']}: stones and Thanos himself return to the deck, no other card")
    for name, texts in document["effects"].items():
        if set(texts) != set(LANGUAGES) or not all(texts.values()):
            raise CardError(f"effects, {name}: needs a text in each of {', '.join(LANGUAGES)}")


def unfolded(deck: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry a card: a kind with two copies twice."""
    return [card for card in deck for _ in range(card["copies"])]


check(DOCUMENT)

HEROES: Final = DOCUMENT["hero_deck"]
THANOS: Final = unfolded(DOCUMENT["thanos_deck"])

HERO_IDS: Final[tuple[str, ...]] = tuple(card["id"] for card in HEROES)
THANOS_IDS: Final[tuple[str, ...]] = tuple(card["id"] for card in THANOS)
HERO_NUMBERS: Final[tuple[int, ...]] = tuple(card["number"] for card in HEROES)
THANOS_NUMBERS: Final[tuple[int, ...]] = tuple(card["number"] for card in THANOS)

EFFECTS: Final[tuple[str, ...]] = tuple(DOCUMENT["effects"])
"""An effect's place in this list is its number on the fast side."""

HERO_EFFECTS: Final[tuple[int, ...]] = tuple(EFFECTS.index(card["effect"]) for card in HEROES)
THANOS_EFFECTS: Final[tuple[int, ...]] = tuple(EFFECTS.index(card["effect"]) for card in THANOS)


def mask(cards: list[dict[str, Any]], field: str) -> int:
    """The cards of which `field` is true, one bit a card."""
    return sum(1 << place for place, card in enumerate(cards) if card[field])


def numbered(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """For each number from 0 to 7 the cards that bear it, one bit a card."""
    return tuple(sum(1 << place for place, bears in enumerate(numbers) if bears == number) for number in range(8))


HEROES_LIFE: Final[dict[int, int]] = {int(players): life for players, life in DOCUMENT["life"]["heroes"].items()}
THANOS_LIFE: Final[dict[int, int]] = {int(players): life for players, life in DOCUMENT["life"]["thanos"].items()}
