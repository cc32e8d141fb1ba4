"""A game's words in the reader's language: card names, log sentences, terms. The engine's tables are the source.

`engine/<game>/words.py` has `SENTENCES` (event name to template) and `NAMES` (id to name; a name is a text or, where
the game's own data has several languages, a mapping of them) and may have `TEXTS` (id to what a card does).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from django.utils import translation
from django.utils.translation import gettext, pgettext

import engine
from games import terms

CARD = "card"


@dataclass(frozen=True)
class Source:
    """A string of the engine that the catalogues must have."""

    text: str
    context: str | None
    file: str


def tables(game: str) -> Mapping[str, Any]:
    return vars(import_module(f"engine.{game.replace('-', '_')}.words"))


def sources() -> Iterator[Source]:
    """What translators see of the engine, for the extraction of messages."""
    for name in engine.GAMES:
        file = f"engine/{name.replace('-', '_')}/words.py"
        known = tables(name)
        for sentence in known.get("SENTENCES", {}).values():
            yield Source(sentence, None, file)
        for words in known.get("TEXTS", {}).values():
            if isinstance(words, str):
                yield Source(words, None, file)
        for words in known.get("NAMES", {}).values():
            if isinstance(words, str):
                yield Source(words, CARD, file)
        for option in engine.game(name).options:
            if option.kind is not dict:
                yield Source(option.help, None, file)


@cache
def encoded(game: str, language: str) -> tuple[str, str]:
    """The words of a game as JSON, and a version that changes with them."""
    with translation.override(language):
        text = json.dumps(_words(game, language), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text, hashlib.sha256(text.encode()).hexdigest()[:12]


def _words(game: str, language: str) -> dict[str, Any]:
    known = tables(game)
    return {
        "game": game,
        "language": language,
        "title": engine.game(game).title,
        "names": {key: _one(words, language, CARD) for key, words in known.get("NAMES", {}).items()},
        "texts": {key: _one(words, language, None) for key, words in known.get("TEXTS", {}).items()},
        "sentences": {event: gettext(sentence) for event, sentence in known.get("SENTENCES", {}).items()},
        "terms": terms.of_game(game),
    }


def _one(words: str | Mapping[str, str], language: str, context: str | None) -> str:
    if not isinstance(words, str):
        return words.get(language) or words["en"]
    return pgettext(context, words) if context else gettext(words)
