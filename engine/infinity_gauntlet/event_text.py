"""Rows of the log as events, and events as English sentences.

One line a kind: its name, what its operands are, and the sentence. The sentences are templates with named places, kept
as a table, so that a site can look up its own in another language by the event's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.infinity_gauntlet import cards, event_kinds
from engine.state import EVERYONE, Row


@dataclass(frozen=True)
class Kind:
    """What an event is called, the meaning of its operands in order, and its sentence."""

    name: str
    operands: tuple[str, ...]
    sentence: str


KINDS: Final = {
    event_kinds.DREW: Kind("drew", (), "{seat} draws a card."),
    event_kinds.DREW_CARD: Kind("drew-card", ("card",), "It is {card}."),
    event_kinds.PLAYED: Kind("played", ("card",), "{seat} plays {card}."),
    event_kinds.PASSED: Kind("passed", (), "{seat} has nothing to play but Thanos, and passes."),
    event_kinds.TARGETED: Kind("targeted", ("target",), "{seat} chooses {target}."),
    event_kinds.GUESSED_THANOS: Kind("guessed-thanos", ("number",), "{seat} guesses that Thanos holds a {number}."),
    event_kinds.GUESSED_HERO: Kind(
        "guessed-hero", ("number", "target"), "{seat} guesses that {target} holds a {number}."
    ),
    event_kinds.GUESSED_ALL: Kind("guessed-all", ("number",), "{seat} guesses that heroes hold a {number}."),
    event_kinds.MISSED: Kind("missed", ("number",), "{seat} holds no {number}."),
    event_kinds.SPARED: Kind("spared", (), "{seat}'s card is not hit."),
    event_kinds.DEFEATED: Kind(
        "defeated", ("card", "life"), "{seat}'s {card} is defeated; the team has {life} life left."
    ),
    event_kinds.SHUFFLED_IN: Kind("shuffled-in", ("card",), "{card} is shuffled back into the Thanos deck."),
    event_kinds.REBUILT: Kind(
        "rebuilt", ("count", "cards"), "Thanos looks at the {count} faceup hero cards, then they are shuffled: {cards}."
    ),
    event_kinds.PEEKED: Kind("peeked", (), "{seat} looks at a random card of Thanos."),
    event_kinds.PEEKED_CARD: Kind("peeked-card", ("thanos_card",), "It is {thanos_card}."),
    event_kinds.DECLINED: Kind("declined", (), "{seat} does not fight."),
    event_kinds.FOUGHT: Kind(
        "fought", ("bonus", "thanos_bonus"), "{seat} (+{bonus}) and Thanos (+{thanos_bonus}) fight."
    ),
    event_kinds.FOUGHT_CARDS: Kind("fought-cards", ("card", "thanos_card"), "It is {card} against {thanos_card}."),
    event_kinds.TIED: Kind("tied", (), "The fight is a tie: both cards stay."),
    event_kinds.TOOK_POWER: Kind("took-power", ("count",), "{seat} takes power tokens: {count}."),
    event_kinds.LOOKED: Kind("looked", (), "{seat} looks at the top three cards of the hero deck."),
    event_kinds.LOOKED_CARDS: Kind(
        "looked-cards", ("card", "card_2", "card_3"), "They are {card}, {card_2}, {card_3}."
    ),
    event_kinds.ARRANGED: Kind("arranged", (), "{seat} puts them back."),
    event_kinds.BOTTOMED: Kind("bottomed", (), "{seat} puts a card under the Thanos deck."),
    event_kinds.BOTTOMED_CARD: Kind("bottomed-card", ("card",), "It is {card}."),
    event_kinds.COPIED: Kind("copied", ("card",), "The Time Stone copies {card}."),
    event_kinds.SNAPPED: Kind("snapped", ("hand",), "{seat} reveals {hand} and snaps."),
    event_kinds.ENDED + event_kinds.SNAP_ENDING: Kind("ended-snap", (), "Thanos has all six Infinity Stones and wins."),
    event_kinds.ENDED + event_kinds.HEROES_OUT: Kind(
        "ended-heroes-out", (), "The heroes have no life left: Thanos wins."
    ),
    event_kinds.ENDED + event_kinds.THANOS_OUT: Kind(
        "ended-thanos-out", (), "Thanos has no life left: the heroes win."
    ),
}

SENTENCES: Final = {kind.name: kind.sentence for kind in KINDS.values()}
HERO_NAMES: Final = {card["id"]: card["name"] for card in cards.HEROES}
THANOS_NAMES: Final = {card["id"]: card["name"] for card in cards.THANOS}
NAMES: Final[dict[str, dict[str, str]]] = HERO_NAMES | THANOS_NAMES
"""The name of every card in each language, by card id."""


def event_of(row: Row, known: bool) -> dict[str, Any] | None:
    """A row of the log as an event; what is secret comes in rows of its own, which others do not get at all."""
    number, seat, knowers, *operands = row
    if knowers != EVERYONE and not known:
        return None
    kind = KINDS[number]
    event: dict[str, Any] = {"event": kind.name, "seat": seat}
    for name, operand in zip(kind.operands, operands, strict=False):
        event[name] = meant(name, seat, operand)
    return event


def meant(name: str, seat: int, operand: int) -> Any:
    if name == "cards":
        return [card for number, card in enumerate(cards.HERO_IDS) if operand >> number & 1]
    if name == "thanos_card" or (name.startswith("card") and seat == 0):
        return cards.THANOS_IDS[operand]
    if name.startswith("card"):
        return cards.HERO_IDS[operand]
    if name == "hand":
        return [cards.THANOS_IDS[card] for card in range(len(cards.THANOS_IDS)) if operand >> card & 1]
    return operand


def sentence(event: Mapping[str, Any]) -> str:
    """The event in plain English."""
    words = dict(event)
    for name, value in event.items():
        if name in ("seat", "target"):
            words[name] = "Thanos" if value == 0 else f"seat {value + 1}"
        elif name == "hand":
            words[name] = ", ".join(NAMES[card]["en"] for card in value) or "an empty hand"
        elif name == "cards":
            words[name] = ", ".join(NAMES[card]["en"] for card in value)
        elif name.startswith("card") or name == "thanos_card":
            words[name] = NAMES[value]["en"]
    text = SENTENCES[event["event"]].format(**words)
    return text[:1].upper() + text[1:]
