"""A game's options in the reader's language: what each is called, what it does, what its values mean."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext

import engine
from games.catalogue import texts
from games.catalogue.spec import OptionLabel, spec


def get_option_label(game: str, option: engine.Option) -> OptionLabel:
    """Its words, or the engine's own for an option that has none yet."""
    return spec(game).options.get(option.name) or OptionLabel(option.help)


def label_of(game: str, name: str) -> str:
    """What people call an option, or the number of players; an option that there is none of has only its name."""
    if name == "players":
        return gettext("Players")
    known = spec(game).options.get(name)
    return str(known.label) if known else name


def form_options(game: engine.Game) -> list[engine.Option]:
    """The options that a form offers: whole documents are for those who use the engine by itself."""
    return [option for option in game.options if option.kind is not dict]


def non_default_options(game: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options of a match that differ from the usual, in words."""
    found = []
    for option in form_options(engine.game(game)):
        if option.name in given:
            words = get_option_label(game, option)
            found.append({"words": words.label, "value": _value_in_words(game, words, given[option.name])})
    return found


def _value_in_words(game: str, words: OptionLabel, value: Any) -> Any:
    """A choice by its words, cards by their names."""
    if value in words.choices or not isinstance(value, str):
        return words.choices.get(value, value)
    called = texts.names(texts.built_in(game), get_language() or "en")
    return ", ".join(called.get(card, card) for card in value.split(","))
