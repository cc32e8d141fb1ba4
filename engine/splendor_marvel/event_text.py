"""What happened, as events for the wire and as English sentences for the terminal.

`EVENTS` is the whole vocabulary: for each kind of row the event's name, the names of its operands and a sentence with
named placeholders, ready to be translated. An event carries ids; `sentence` puts names in their place.
"""

from collections.abc import Mapping
from typing import Any

from engine.splendor_marvel import components
from engine.splendor_marvel.cards import CARD_IDS, CARD_NAMES, COLOURS, SITE_IDS, SITE_NAMES
from engine.splendor_marvel.view import by_colour
from engine.state import Row

TOKENS = (*COLOURS, "grey")
NAMES = dict(zip(CARD_IDS, CARD_NAMES, strict=True)) | dict(zip(SITE_IDS, SITE_NAMES, strict=True))

EVENTS: dict[int, tuple[str, tuple[str, ...], str]] = {
    components.TOOK: ("took", ("token",), "{seat} takes from the supply: {token}."),
    components.RESERVED: ("reserved", ("card",), "{seat} reserves {card}."),
    components.RESERVED_UNSEEN: ("reserved-unseen", ("level",), "{seat} reserves the top card of deck {level}."),
    components.DREW: ("drew", ("card",), "It is {card}."),
    components.GOT_GREY: ("got-grey", (), "{seat} gains a grey token."),
    components.PAID: ("paid", ("price", "grey"), "{seat} pays {price}."),
    components.RECRUITED: ("recruited", ("card",), "{seat} recruits {card}."),
    components.REVEALED: ("revealed", ("card", "place"), "{card} joins the market."),
    components.GOT_TIME_STONE: ("time-stone", (), "{seat} gains the Time Stone."),
    components.GOT_TILE: ("got-tile", (), "{seat} takes the Avengers Assemble tile."),
    components.WON_TILE: ("won-tile", ("loser",), "{seat} takes the Avengers Assemble tile from {loser}."),
    components.RETURNED: ("returned", ("token",), "{seat} returns to the supply: {token}."),
    components.VISITED: ("location", ("location",), "{seat} takes the location {location}."),
    components.ASSEMBLED: ("assembled", (), "{seat} can assemble the Infinity Gauntlet when this round ends."),
    components.LAPSED: ("lapsed", (), "{seat} can no longer assemble the Infinity Gauntlet."),
    components.PASSED: ("passed", (), "{seat} passes."),
    components.ENDED: ("ended", (), "The Infinity Gauntlet is assembled: the game is over."),
    components.STALLED: ("stalled", (), "Nothing can change any more: the game is over and the points decide."),
    components.NO_RECRUITS: (
        "no-recruits",
        ("rounds",),
        "Rounds without a recruit: {rounds}. The game is over and the points decide.",
    ),
}

SENTENCES = {name: sentence for name, _, sentence in EVENTS.values()}


def event(row: Row, known: bool) -> dict[str, Any] | None:
    """Every event is public but the card drawn in a blind reserve, which only its owner sees."""
    if not known:
        return None
    kind, seat, _, *operands = row
    name, fields, _ = EVENTS[kind]
    event: dict[str, Any] = {"event": name} if seat < 0 else {"event": name, "seat": seat}
    for field, operand in zip(fields, operands, strict=False):
        event[field] = value(field, operand)
    return event


def value(field: str, operand: int) -> Any:
    if field == "card":
        return CARD_IDS[operand]
    if field == "location":
        return SITE_IDS[operand]
    if field == "token":
        return TOKENS[operand]
    if field == "price":
        return by_colour(operand)
    if field == "level":
        return operand + 1
    return operand


def sentence(event: Mapping[str, Any]) -> str:
    words: dict[str, Any] = dict(event)
    for field in ("card", "location"):
        if field in event:
            words[field] = f"{NAMES[event[field]]} ({event[field]})"
    for field in ("seat", "loser"):
        if field in event:
            words[field] = f"seat {event[field] + 1}"
    if "price" in event:
        spent = {**event["price"], "grey": event["grey"]}
        words["price"] = ", ".join(f"{count} {token}" for token, count in spent.items() if count)
    text = SENTENCES[event["event"]].format(**words)
    return text[0].upper() + text[1:]
