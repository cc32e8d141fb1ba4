"""A game's rules as its page and the table's overlay show them, in the active language."""

from collections.abc import Iterable, Mapping
from typing import Any

import engine
from games.catalogue import option_labels, texts
from games.catalogue.rulebooks import components
from games.catalogue.rulebooks.contents import Step, rulebook


def rules_of(game: str, document: texts.Document, language: str) -> dict[str, Any]:
    """All sections of a game's rules; `document` is the card file that is played with."""
    book, called = rulebook(game), texts.names(document, language)
    known = texts.cards(document)
    named = {word: called.get(key, "") for word, key in book.named.items()}
    # A club's own cards may lack those that the example is about.
    has_example = all(key in known for key in book.named.values())
    return {
        "turn": list(_steps(book.turn, named, known)),
        "parts": components.card_parts(game, document, language),
        "dice": components.dice(game, document, language),
        "symbols": book.symbols,
        "rulings": [{"ruling": str(one.ruling).format_map(named), "reason": one.reason} for one in book.rulings],
        "tables": components.tables(game, document),
        "options": [_option(game, option) for option in option_labels.form_options(engine.game(game))],
        "example": list(_steps(book.example, named, known)) if has_example else [],
    }


def _steps(steps: Iterable[Step], named: Mapping[str, str], known: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for step in steps:
        drawn = [piece for piece in step.pieces if not piece.startswith("card ") or piece.split(" ")[1] in known]
        yield {"pieces": drawn, "text": str(step.text).format_map(named)}


def _option(game: str, option: engine.Option) -> dict[str, Any]:
    words = option_labels.get_option_label(game, option)
    return {
        "label": words.label,
        "help": words.help,
        "choices": list(words.choices.values()),
        "range": (option.least, option.most) if option.least is not None and option.most is not None else None,
    }
