"""Which games there are."""

from importlib import import_module
from pathlib import Path

from engine.errors import UnknownGame, quoted
from engine.kernel import Game

GAMES = tuple(sorted(file.parent.name.replace("_", "-") for file in Path(__file__).parent.glob("*/game.py")))
"""Every game by name: a folder of that name (with underscores) whose `game.py` has a `GAME`."""

_loaded: dict[str, Game] = {}


def game(name: str) -> Game:
    """The game of that name; `UnknownGame` names those there are."""
    if name not in GAMES:
        raise UnknownGame(f"game: there is no {quoted(name)}; there are {', '.join(GAMES)}")
    if name not in _loaded:
        _loaded[name] = import_module(f"engine.{name.replace('-', '_')}.game").GAME
    return _loaded[name]
