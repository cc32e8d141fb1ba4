"""A game's words in the reader's language: names, texts, log sentences, terms; and the facts printed on its cards.

The engine's tables are the source: `SENTENCES` in `engine/<game>/words.py`, and `cards.json`, where everything with an
id has a name, a text (what it does) and facts. A name or text is English, translated in the catalogues, or a mapping
of languages where the game's own data has them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from django.utils import translation
from django.utils.translation import gettext, pgettext

import engine
from games import terms

CARD = "card"
# What a data file says about its facts rather than about the game, and what is told in words instead.
NOT_FACTS = {"id", "name", "ability", "effect", "summary", "status", "sources", "note", "repair"}
Words = str | Mapping[str, str]


@dataclass(frozen=True)
class Source:
    """A string of the engine that the catalogues must have."""

    text: str
    context: str | None
    file: str


def sources() -> Iterator[Source]:
    """What translators see of the engine, for the extraction of messages."""
    for name in engine.GAMES:
        folder = f"engine/{name.replace('-', '_')}"
        for sentence in sentences(name).values():
            yield Source(sentence, None, f"{folder}/words.py")
        for card in cards(name).values():
            for words, context in ((card_name(card), CARD), (card_text(name, card), None)):
                if words and isinstance(words, str):
                    yield Source(words, context, f"{folder}/cards.json")


@cache
def encoded(game: str, language: str) -> tuple[str, str]:
    """The words of a game as JSON, and a version that changes with them."""
    with translation.override(language):
        text = json.dumps(_words(game, language), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text, hashlib.sha256(text.encode()).hexdigest()[:12]


def _words(game: str, language: str) -> dict[str, Any]:
    known = cards(game)
    return {
        "game": game,
        "language": language,
        "title": engine.game(game).title,
        "names": {key: _one(words, language, CARD) for key, card in known.items() if (words := card_name(card))},
        "texts": {key: _one(words, language, None) for key, card in known.items() if (words := card_text(game, card))},
        "cards": {key: {field: card[field] for field in card if field not in NOT_FACTS} for key, card in known.items()},
        "sentences": {event: gettext(sentence) for event, sentence in sentences(game).items()},
        "terms": terms.of_game(game),
    }


def _one(words: Words, language: str, context: str | None) -> str:
    if not isinstance(words, str):
        return words.get(language) or words["en"]
    return pgettext(context, words) if context else gettext(words)


# -- the engine's tables


def sentences(game: str) -> Mapping[str, str]:
    found: Mapping[str, str] = import_module(f"engine.{game.replace('-', '_')}.words").SENTENCES
    return found


@cache
def _document(game: str) -> dict[str, Any]:
    file = Path(engine.__file__).parent / game.replace("-", "_") / "cards.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


@cache
def cards(game: str) -> dict[str, dict[str, Any]]:
    """Everything in the data file that has an id, with the part of the file it stands in."""
    return {
        entry["id"]: {"part": part, **entry}
        for part, entries in _document(game).items()
        if isinstance(entries, list)
        for entry in entries
        if isinstance(entry, dict) and "id" in entry
    }


def card_name(card: Mapping[str, Any]) -> Words:
    words: Words = card.get("name") or ""
    return words


def card_text(game: str, card: Mapping[str, Any]) -> Words:
    """What a card does, in our words; empty for cards that do nothing by themselves."""
    ability = card.get("ability")
    words: Words = card.get("summary") or (ability.get("summary", "") if isinstance(ability, dict) else "")
    if not words and "effect" in card:
        words = _document(game).get("effects", {}).get(card["effect"], "")
    return words
