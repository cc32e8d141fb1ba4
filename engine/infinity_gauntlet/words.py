"""What the log says: events as plain data, and as sentences.

One line a kind: its name, what its operands are, and the sentence. The sentences are templates with named places, kept
as a table, so that a site can look up its own in another language by the event's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.infinity_gauntlet import cards, kinds
from engine.state import EVERYONE, Row


@dataclass(frozen=True)
class Kind:
    """What an event is called, the meaning of its operands in order, and how it is told."""

    name: str
    operands: tuple[str, ...]
    sentence: str


KINDS: Final = {
    kinds.DREW: Kind("drew", (), "{seat} draws a card."),
    kinds.DREW_CARD: Kind("drew-card", ("card",), "It is {card}."),
    kinds.PLAYED: Kind("played", ("card",), "{seat} plays {card}."),
    kinds.PASSED: Kind("passed", (), "{seat} has nothing to play but Thanos, and passes."),
    kinds.TARGETED: Kind("targeted", ("target",), "{seat} chooses {target}."),
    kinds.GUESSED_THANOS: Kind("guessed-thanos", ("number",), "{seat} guesses that Thanos holds a {number}."),
    kinds.GUESSED_HERO: Kind("guessed-hero", ("number", "target"), "{seat} guesses that {target} holds a {number}."),
    kinds.GUESSED_ALL: Kind("guessed-all", ("number",), "{seat} guesses that heroes hold a {number}."),
    kinds.MISSED: Kind("missed", ("number",), "{seat} holds no {number}."),
    kinds.SPARED: Kind("spared", (), "{seat}'s card is not hit."),
    kinds.DEFEATED: Kind("defeated", ("card", "life"), "{seat}'s {card} is defeated; the team has {life} life left."),
    kinds.SHUFFLED_IN: Kind("shuffled-in", ("card",), "{card} is shuffled back into the Thanos deck."),
    kinds.REBUILT: Kind(
        "rebuilt", ("count", "cards"), "Thanos looks at the {count} faceup hero cards, then they are shuffled: {cards}."
    ),
    kinds.PEEKED: Kind("peeked", (), "{seat} looks at a random card of Thanos."),
    kinds.PEEKED_CARD: Kind("peeked-card", ("thanos_card",), "It is {thanos_card}."),
    kinds.DECLINED: Kind("declined", (), "{seat} does not fight."),
    kinds.FOUGHT: Kind("fought", ("bonus", "thanos_bonus"), "{seat} (+{bonus}) and Thanos (+{thanos_bonus}) fight."),
    kinds.FOUGHT_CARDS: Kind("fought-cards", ("card", "thanos_card"), "It is {card} against {thanos_card}."),
    kinds.TIED: Kind("tied", (), "The fight is a tie: both cards stay."),
    kinds.TOOK_POWER: Kind("took-power", ("count",), "{seat} takes power tokens: {count}."),
    kinds.LOOKED: Kind("looked", (), "{seat} looks at the top three cards of the hero deck."),
    kinds.LOOKED_CARDS: Kind("looked-cards", ("card", "card_2", "card_3"), "They are {card}, {card_2}, {card_3}."),
    kinds.ARRANGED: Kind("arranged", (), "{seat} puts them back."),
    kinds.BOTTOMED: Kind("bottomed", (), "{seat} puts a card under the Thanos deck."),
    kinds.BOTTOMED_CARD: Kind("bottomed-card", ("card",), "It is {card}."),
    kinds.COPIED: Kind("copied", ("card",), "The Time Stone copies {card}."),
    kinds.SNAPPED: Kind("snapped", ("hand",), "{seat} reveals {hand} and snaps."),
    kinds.ENDED + kinds.SNAP_ENDING: Kind("ended-snap", (), "Thanos has all six Infinity Stones and wins."),
    kinds.ENDED + kinds.HEROES_OUT: Kind("ended-heroes-out", (), "The heroes have no life left: Thanos wins."),
    kinds.ENDED + kinds.THANOS_OUT: Kind("ended-thanos-out", (), "Thanos has no life left: the heroes win."),
}

SENTENCES: Final = {kind.name: kind.sentence for kind in KINDS.values()}
HERO_NAMES: Final = {card["id"]: card["name"] for card in cards.HEROES}
THANOS_NAMES: Final = {card["id"]: card["name"] for card in cards.THANOS}
NAMES: Final[dict[str, dict[str, str]]] = HERO_NAMES | THANOS_NAMES
"""The name of every card in each language, by card id."""


def told(row: Row, known: bool) -> dict[str, Any] | None:
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
    told = SENTENCES[event["event"]].format(**words)
    return told[:1].upper() + told[1:]
