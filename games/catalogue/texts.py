"""A game's texts in the reader's language: names, card texts, log sentences, terms; and the facts on its cards.

The game's own package is the source: `SENTENCES` in its `event_text.py`, `REASONS` in its `why_not.py`, and
`cards.json`, where everything with an id has a name, a text (what it does) and facts; a package may lack all three. A
name or text is English, translated in the catalogues, or a mapping of languages where the game's own data has them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.utils import translation
from django.utils.translation import gettext, pgettext

import engine
from engine.games import is_own
from games import titles
from games.catalogue import stand_ins, terms
from games.titles import game_title

CARD = "card"
# Keys of a card that are no facts: notes about the data, and what has a text of its own.
NOT_FACTS = {"id", "name", "ability", "effect", "summary", "status", "sources", "note", "repair"}
Translatable = str | Mapping[str, str]
Document = Mapping[str, Any]


@dataclass(frozen=True)
class Source:
    """A string of the engine that the catalogues must have."""

    text: str
    context: str | None
    file: str


def sources() -> Iterator[Source]:
    """What translators see of the engine, for the extraction of messages."""
    for name in filter(is_own, engine.GAMES):
        folder = _package(name).replace(".", "/")
        for sentence in sentences(name).values():
            yield Source(sentence, None, f"{folder}/event_text.py")
        for reason in reasons(name).values():
            yield Source(reason, None, f"{folder}/why_not.py")
        for title in filter(None, (engine.game(name).title, engine.game(name).short_title)):
            yield Source(title, titles.CONTEXT, f"{folder}/game.py")
        document = built_in(name)
        for card in cards(document).values():
            for words, context in ((card_name(card), CARD), (card_text(document, card), None)):
                if words and isinstance(words, str):
                    yield Source(words, context, f"{folder}/cards.json")


@cache
def encoded(game: str, language: str) -> tuple[str, str]:
    """The texts of a game as JSON, and a version that changes with them."""
    return _encode(game, language, built_in(game))


@lru_cache(maxsize=32)
def encoded_own(game: str, language: str, source: str) -> tuple[str, str]:
    """The same for a match that is played with a card file of a club's own; `source` is its text."""
    return _encode(game, language, json.loads(source))


def _encode(game: str, language: str, document: Document) -> tuple[str, str]:
    with translation.override(language):
        texts = _collect_texts(game, language, document)
        text = json.dumps(texts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text, hashlib.sha256(text.encode()).hexdigest()[:12]


def _collect_texts(game: str, language: str, document: Document) -> dict[str, Any]:
    known = cards(document)
    return {
        "game": game,
        "language": language,
        "title": game_title(game),
        "names": names(document, language),
        "texts": {
            key: _translate(text, language, None) for key, card in known.items() if (text := card_text(document, card))
        },
        "cards": {key: _facts(card) for key, card in known.items()},
        "stand_ins": stand_ins.in_words(document),
        "sentences": {event: gettext(sentence) for event, sentence in sentences(game).items()},
        "reasons": {code: gettext(reason) for code, reason in reasons(game).items()},
        "terms": terms.of_game(game),
    }


def listing(language: str, document: Document) -> list[dict[str, Any]]:
    """All cards in the active language, part by part of the file, as a page lists them."""
    called, doubts = names(document, language), stand_ins.in_words(document)
    parts: dict[str, list[dict[str, Any]]] = {}
    for key, card in cards(document).items():
        parts.setdefault(card["part"], []).append({
            "name": called.get(key, key),
            "text": translate_card_text(document, card, language),
            "count": card.get("count"),
            "stand_in": doubts.get(key, {}).get("text", ""),
        })  # fmt: skip
    listed = [{"title": stand_ins.part_title(part), "rows": rows} for part, rows in parts.items()]
    loose = {key: doubt for key, doubt in doubts.items() if key not in cards(document)}
    if loose:
        rows = [{"name": stand_ins.part_title(key), "stand_in": doubt["text"]} for key, doubt in loose.items()]
        listed.append({"title": gettext("The box"), "rows": rows})
    return listed


def translate_card_text(document: Document, card: Mapping[str, Any], language: str) -> str:
    """What a card does, in the active language; empty for cards that do nothing."""
    text = card_text(document, card)
    return _translate(text, language, None) if text else ""


def names(document: Document, language: str) -> dict[str, str]:
    """The name of every card in the active language. Different cards that share a name are numbered."""
    known = cards(document)
    called = {key: _translate(text, language, CARD) for key, card in known.items() if (text := card_name(card))}
    sharing: dict[tuple[str, str], list[str]] = {}
    for key, name in called.items():
        sharing.setdefault((known[key]["part"], name), []).append(key)
    for (_part, name), keys in sharing.items():
        if len({json.dumps(_facts(known[key]), sort_keys=True) for key in keys}) > 1:
            called |= {key: f"{name} {number}" for number, key in enumerate(keys, 1)}
    return called


def _facts(card: Mapping[str, Any]) -> dict[str, Any]:
    return {field: card[field] for field in card if field not in NOT_FACTS}


def _translate(text: Translatable, language: str, context: str | None) -> str:
    if not isinstance(text, str):
        return text.get(language) or text["en"]
    return pgettext(context, text) if context else gettext(text)


# -- the engine's tables


def _package(game: str) -> str:
    """The package that a game's rules lie in."""
    return type(engine.game(game)).__module__.rpartition(".")[0]


def sentences(game: str) -> Mapping[str, str]:
    module = f"{_package(game)}.event_text"
    return dict(import_module(module).SENTENCES) if find_spec(module) else {}


def reasons(game: str) -> Mapping[str, str]:
    """Why something cannot be chosen, by code."""
    module = f"{_package(game)}.why_not"
    return dict(import_module(module).REASONS) if find_spec(module) else {}


@cache
def built_in(game: str) -> Document:
    """The data file that comes with a game; empty for a game without one."""
    file = Path(import_module(_package(game)).__path__[0], "cards.json")
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def cards(document: Document) -> dict[str, dict[str, Any]]:
    """Everything in a data file that has an id, with the part of the file it is in."""
    return {
        entry["id"]: {"part": part, **entry}
        for part, entries in document.items()
        if isinstance(entries, list)
        for entry in entries
        if isinstance(entry, dict) and "id" in entry
    }


def card_name(card: Mapping[str, Any]) -> Translatable:
    name: Translatable = card.get("name") or ""
    return name


def card_text(document: Document, card: Mapping[str, Any]) -> Translatable:
    """What a card does; empty for cards that do nothing."""
    ability = card.get("ability")
    text: Translatable = card.get("summary") or (ability.get("summary", "") if isinstance(ability, dict) else "")
    if not text and "effect" in card:
        text = document.get("effects", {}).get(card["effect"], "")
    return text
