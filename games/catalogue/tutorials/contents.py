"""What a tutorial consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games.catalogue.spec import Words

Reply = tuple[int, str]
"""A seat, and what it plays."""


@dataclass(frozen=True)
class Say:
    """Something to read before the step is asked for. `at` is what the coach points at: selectors inside the table."""

    text: Words
    at: str = ""


@dataclass(frozen=True)
class Step:
    """What the reader is asked to do.

    `moves` are played in any order, and nothing else is; `then` is what the others play after them. Unless `at` says
    otherwise, the coach points at what the moves are about.
    """

    ask: Words
    moves: tuple[str, ...]
    says: tuple[Say, ...] = ()
    then: tuple[Reply, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class Tutorial:
    """The deal, the reader's seat, what the others play before the first step, the steps, and the last words.

    `named` are the cards that texts mention: the word in braces, and the card's id. After the last step the match goes
    on against bots of `level`.
    """

    seed: str
    players: int
    seat: int
    steps: tuple[Step, ...]
    ending: Words
    first: tuple[Reply, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    level: str = "rookie"

    @property
    def plies(self) -> int:
        """How many moves the guided part has."""
        return len(self.first) + sum(len(step.moves) + len(step.then) for step in self.steps)


@cache
def tutorial(game: str) -> Tutorial | None:
    """The tutorial of a game; None where nobody wrote one."""
    module = f"{__package__}.{game.replace('-', '_')}"
    found: Tutorial | None = import_module(module).TUTORIAL if find_spec(module) else None
    return found
