"""Which games there are: those of this folder, and those that other packages register."""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, overload

from engine.errors import UnknownGame, quoted
from engine.kernel import Game

if TYPE_CHECKING:
    from engine.bots.levels import BotLevels

EXTENSIONS = "GAUNTLET_EXTENSIONS"
"""The environment variable that names the packages with more games, with commas between."""

_own = frozenset(file.parent.name.replace("_", "-") for file in Path(__file__).parent.glob("*/game.py"))
_loaded: dict[str, Game] = {}
_bots: dict[str, "BotLevels"] = {}
_imported: set[str] = set()


class GameNames(Sequence[str]):
    """The names of all games, sorted. One that is registered later is in it from then on."""

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self._names()[at]

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __contains__(self, name: object) -> bool:
        import_extensions()
        return name in _own or name in _loaded

    def __repr__(self) -> str:
        return repr(self._names())

    def _names(self) -> tuple[str, ...]:
        import_extensions()
        return tuple(sorted(_own | _loaded.keys()))


GAMES = GameNames()
"""Every game by name: a folder of that name (with underscores) whose `game.py` has a `GAME`, or a registered one."""


def register(game: Game, bots: "BotLevels | None" = None) -> None:
    """Add a game that lies outside this folder. Without bots of its own, its bots play at random."""
    if game.name in _own or _loaded.get(game.name, game) is not game:
        raise ValueError(f"there is a game {quoted(game.name)} already")
    _loaded[game.name] = game
    if bots is not None:
        _bots[game.name] = bots


def import_extensions() -> None:
    """Import the packages that the environment names; each registers its games. Every process does so by itself."""
    for package in os.environ.get(EXTENSIONS, "").split(","):
        if package.strip() and package not in _imported:
            _imported.add(package)
            import_module(package.strip())


def game(name: str) -> Game:
    """The game of that name; `UnknownGame` names those there are."""
    if name not in _loaded and name not in GAMES:
        raise UnknownGame(f"game: there is no {quoted(name)}; there are {', '.join(GAMES)}")
    if name not in _loaded:
        _loaded[name] = import_module(f"engine.{name.replace('-', '_')}.game").GAME
    return _loaded[name]


def bots_of(name: str) -> "BotLevels | None":
    """The bots of a game; None where nobody has written any."""
    if name in _own:
        found: BotLevels = import_module(f"engine.bots.{name.replace('-', '_')}").BOTS
        return found
    return _bots.get(name)


def is_own(name: str) -> bool:
    """Whether the game lies in this folder."""
    return name in _own
