"""What can be rated: tables by the game's own rules, so that every result means the same."""

from collections.abc import Mapping
from typing import Any

import engine

OWN_CARDS = "+"
"""Between the name of a scenario and the code of the card file that it is played with."""


def scenario(game: str, options: Mapping[str, Any], cards: str = "") -> str:
    """What the team plays against; empty where the players play against each other.

    `cards` is the code of a club's own card file: with other cards it is another scenario, of a difficulty of its own.
    """
    rules = engine.game(game)
    if not rules.scenario_option:
        return ""
    default = next(option.default for option in rules.options if option.name == rules.scenario_option)
    name = str(options.get(rules.scenario_option) or default)
    return f"{name}{OWN_CARDS}{cards}" if cards else name


def is_ratable(game: str, options: Mapping[str, Any]) -> bool:
    """Whether only the scenario differs from the usual rules: it is rated too."""
    return set(options) <= {engine.game(game).scenario_option}
