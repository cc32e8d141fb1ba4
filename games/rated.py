"""Which tables can be rated: those played by the game's own rules, so that every result means the same."""

from collections.abc import Mapping
from typing import Any

import engine

SCENARIOS = {"thanos-rising": "preset"}
"""Where all play together, the option that names what they play against: its difficulty is rated too."""


def scenario(game: str, options: Mapping[str, Any]) -> str:
    """What the team plays against; empty where the players play against each other."""
    name = SCENARIOS.get(game)
    if name is None:
        return ""
    default = next(option.default for option in engine.game(game).options if option.name == name)
    return str(options.get(name) or default)


def is_ratable(game: str, options: Mapping[str, Any]) -> bool:
    return set(options) <= {SCENARIOS.get(game)}
