"""What a game's rulebook consists of beside its cards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from games.catalogue.spec import Words


@dataclass(frozen=True)
class Step:
    """A step of a turn or of an example. `pieces` name what is drawn beside it: a kind, then what it shows."""

    pieces: tuple[str, ...]
    text: Words


@dataclass(frozen=True)
class Symbol:
    piece: str
    name: Words
    text: Words


@dataclass(frozen=True)
class Ruling:
    """How a case is decided here that players may see differently, and why."""

    ruling: Words
    reason: Words


@dataclass(frozen=True)
class Rulebook:
    """`named` are the cards that texts mention: the word in braces, and the card's id."""

    turn: tuple[Step, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    example: tuple[Step, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)


def rulebook(game: str) -> Rulebook:
    """The rulebook of a game; an empty one where nobody wrote one: its cards and options are shown all the same."""
    module = f"{__package__}.{game.replace('-', '_')}"
    found: Rulebook = import_module(module).RULEBOOK if find_spec(module) else Rulebook()
    return found
