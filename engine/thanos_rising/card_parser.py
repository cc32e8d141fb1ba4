"""Reads and checks single values of a card file; errors name the card, the field and the line."""

import json
import re
from collections.abc import Iterable, Mapping
from json import decoder, scanner
from typing import Any, NoReturn

from engine.errors import OptionError, quoted
from engine.thanos_rising.card_tables import LANE

MAX_NAME = 60
MAX_WORDS = 400
MAX_DEPTH = 12
FOR_PEOPLE = ("name", "about", "summary", "status", "sources", "note", "repair")
"""Fields that any part of a card file may have and that no rule reads."""


class CardError(OptionError):
    """A card file that cannot be played. `node` and `key` are where; `load_text` makes a line of them."""

    def __init__(self, owner: str, reason: str, node: object, key: str | None = None) -> None:
        super().__init__("card_set", f"{owner}: {reason}")
        self.owner = owner
        self.detail = reason
        self.node = node
        self.key = key


def located(text: str) -> tuple[Any, dict[int, int]]:
    """The document in `text`, and where each of its objects begins (by the object's `id`)."""
    starts: dict[int, int] = {}
    reader = json.JSONDecoder()

    def parse_object(place: tuple[str, int], *rest: Any) -> Any:
        made, end = decoder.JSONObject(place, *rest)  # type: ignore[attr-defined]
        starts[id(made)] = place[1]
        return made, end

    reader.parse_object = parse_object  # type: ignore[attr-defined]
    reader.scan_once = scanner.py_make_scanner(reader)  # type: ignore[attr-defined]
    try:
        return reader.decode(text), starts
    except json.JSONDecodeError as error:
        raise OptionError("card_set", f"line {error.lineno}: not JSON: {error.msg}") from error
    except ValueError as error:
        raise OptionError("card_set", "not a card file: a number has too many digits") from error
    except RecursionError as error:
        raise OptionError("card_set", "not a card file: nested too deep") from error


def line_of(error: CardError, text: str, starts: dict[int, int]) -> int:
    """The line of the field at fault, or of the object that lacks it."""
    place = starts.get(id(error.node), 0)
    if error.key is not None:
        field = re.compile(rf'"{re.escape(error.key)}"\s*:').search(text, place)
        place = place if field is None else field.start()
    return text.count("\n", 0, place) + 1


def unknown(owner: str, node: object, key: str, value: object, allowed: Iterable[str]) -> NoReturn:
    raise CardError(owner, f"{key}: {quoted(value)} is not a word for this; allowed: {', '.join(allowed)}", node, key)


def fields(node: Any, owner: str, must: Iterable[str], may: Iterable[str] = ()) -> None:
    """Check that `node` is an object with all of `must`, perhaps some of `may`, and words for people: no more."""
    if not isinstance(node, dict):
        raise CardError(owner, f"must be an object, not {quoted(node)}", node)
    must = tuple(must)
    known = (*must, *may)
    for key in node:
        if key not in known and key not in FOR_PEOPLE:
            raise CardError(owner, f"unknown field {quoted(key)}; allowed: {', '.join(known)}", node, key)
    for key in must:
        if key not in node:
            raise CardError(owner, f"{key} is missing", node)


def check_words(node: Any, owner: str, depth: int = 0) -> None:
    """Check that pages can show all that is written for people: names and summaries are short texts, in one language
    or by language, and every text and number can be stored and sent."""
    if depth > MAX_DEPTH:
        raise CardError(owner, f"nested deeper than {MAX_DEPTH} levels", node)
    if isinstance(node, list):
        for item in node:
            check_words(item, owner, depth + 1)
    if not isinstance(node, dict):
        return
    if type(node.get("id")) is str:
        owner = f"card {node['id']}"
    for key, value in node.items():
        for text in (key, *(value if isinstance(value, list) else [value])):
            if isinstance(text, str) and not is_plain(text):
                raise CardError(owner, f"{quoted(key)}: holds a character that cannot be shown", node, key)
            if isinstance(text, float) and not -1e15 < text < 1e15:
                raise CardError(owner, f"{quoted(key)}: must be an ordinary number", node, key)
        if key in ("name", "summary"):
            check_text(node, key, owner, MAX_NAME if key == "name" else MAX_WORDS)
        check_words(value, owner, depth + 1)


def check_text(node: Mapping[str, Any], key: str, owner: str, most: int) -> None:
    value = node[key]
    if isinstance(value, dict) and not isinstance(value.get("en"), str):
        raise CardError(owner, f"{key}: a text by language needs one for en", node, key)
    for text in value.values() if isinstance(value, dict) else [value]:
        if not isinstance(text, str) or not 0 < len(text.strip()) <= len(text) <= most:
            raise CardError(owner, f"{key}: must be a text of 1 to {most} characters", node, key)


def is_plain(text: str) -> bool:
    """Without control characters and halves of surrogate pairs."""
    return not any(letter < " " or "\ud800" <= letter <= "\udfff" or letter == "\x7f" for letter in text)


def items(node: Mapping[str, Any], key: str, owner: str, least: int, most: int) -> list[Any]:
    value = node[key]
    if not isinstance(value, list) or not least <= len(value) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise CardError(owner, f"{key}: must be a list of {wanted}", node, key)
    return value


def word(node: Mapping[str, Any], key: str, owner: str, allowed: Iterable[str]) -> str:
    allowed = tuple(allowed)
    if node[key] not in allowed:
        unknown(owner, node, key, node[key], allowed)
    return str(node[key])


def words(node: Mapping[str, Any], key: str, owner: str, allowed: tuple[str, ...]) -> int:
    """A list of words, as a mask of their places in `allowed`."""
    mask = 0
    for item in items(node, key, owner, 1, len(allowed)):
        if item not in allowed:
            unknown(owner, node, key, item, allowed)
        mask |= 1 << allowed.index(item)
    return mask


def number(node: Mapping[str, Any], key: str, owner: str, least: int, most: int) -> int:
    value = node[key]
    if type(value) is not int or not least <= value <= most:
        raise CardError(owner, f"{key}: must be a whole number from {least} to {most}, not {quoted(value)}", node, key)
    return value


def amounts(node: Mapping[str, Any], key: str, owner: str, allowed: tuple[str, ...]) -> int:
    """How many of which symbol or colour, packed."""
    value, packed = node[key], 0
    if not isinstance(value, dict):
        raise CardError(owner, f"{key}: must be an object with numbers; allowed: {', '.join(allowed)}", node, key)
    for name in value:
        if name not in allowed:
            unknown(owner, node, key, name, allowed)
        packed += number(value, name, owner, 0, 15) << (LANE * allowed.index(name))
    if not packed:
        raise CardError(owner, f"{key}: must not be empty", node, key)
    return packed
