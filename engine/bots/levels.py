"""The site's own bots: eight levels for each game, evenly spaced, and the four players there were before them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from engine.bots.protocol import Bot, Budget, Mixed, RandomBot
from engine.errors import OptionError, quoted
from engine.games import bots_of
from engine.games import game as game_named

LADDER = ("novice", "apprentice", "scout", "ranger", "knight", "guardian", "sage", "titan")
"""The eight levels, the weakest first. The tables in docs/bots say by how much each beats the one below."""

EARLIER = ("rookie", "regular", "expert", "master")
"""The levels there were before the ladder: still the same players, at tables and in records that name them."""

LEVELS = (*LADDER, *EARLIER)
"""Every level that a table may have."""

FIRST = "scout"
"""The level for somebody of whom nothing is known."""

VERSIONS = {**dict.fromkeys(LADDER, 1), "rookie": 3, "regular": 3, "expert": 4, "master": 4}
"""Grows when a level plays differently: another version is another player, with a rating of its own."""


AT_ONCE = Budget(iterations=1)


@dataclass(frozen=True)
class Level:
    """A bot with its budget, and its strength in points of Elo, the ladder's middle being 0: as the arena measured."""

    bot: Bot
    budget: Budget = AT_ONCE
    strength: int = 0


@dataclass(frozen=True)
class BotLevels:
    """A game's bots, as its module in this folder makes them. Without a `ladder` it is made of the four."""

    rookie: Bot
    regular: Bot
    expert: Bot
    master: Bot
    ladder: tuple[Level, ...] = ()
    by_code: Mapping[str, Level] = field(init=False)

    def __post_init__(self) -> None:
        earlier = (
            Level(self.rookie),
            Level(self.regular),
            Level(self.expert, Budget(seconds=1.0)),
            Level(self.master, Budget(seconds=5.0)),
        )
        ladder = self.ladder or self._usual_ladder()
        levels = dict(zip(LEVELS, (*ladder, *earlier), strict=True))
        object.__setattr__(self, "by_code", levels)

    def _usual_ladder(self) -> tuple[Level, ...]:
        """For a game whose levels nobody has measured: more and more of Regular, then more and more search."""
        slips = (1.0, 0.75, 0.5, 0.25)
        iterations = (0, 40, 400, 4000)
        return (
            *(Level(Mixed(self.regular, self.rookie, slip)) for slip in slips),
            *(
                Level(self.master, Budget(count, 4.5, share=0.5)) if count else Level(self.regular)
                for count in iterations
            ),
        )


@cache
def level_of(name: str, level: str) -> Level:
    """A level of a game, one that plays at random where it has no bots; `OptionError` names the levels there are."""
    game = game_named(name)
    if level not in LEVELS:
        raise OptionError("level", f"there is no {quoted(level)}; there are {', '.join(LEVELS)}")
    levels = bots_of(game.name)
    return Level(RandomBot()) if levels is None else levels.by_code[level]


def bot(name: str, level: str) -> Bot:
    return level_of(name, level).bot


def budget(name: str, level: str) -> Budget:
    """How long a level may think in this game."""
    return level_of(name, level).budget


def neighbour(level: str, steps: int) -> str:
    """The level so many steps up the ladder or down; "" where there is none, and for a level that is not on it."""
    at = LADDER.index(level) + steps if level in LADDER else -1
    return LADDER[at] if 0 <= at < len(LADDER) else ""
