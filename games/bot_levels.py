"""How strong the site's bots are on this site's own scale, and which of them suits a player.

Ratings belong to the leagues, a layer above, which names the source. Where nothing has been rated, the arena's measure
of the ladder says how far apart the levels are, and the level for newcomers is as strong as a newcomer.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from accounts.access import Actor
from accounts.models import User
from engine.bots import FIRST, LADDER, level_of
from games.models.record import LEVEL_CHOICES

SETTLED = 30
"""After so many rated games the site's own number counts, before them the arena's."""
NEWCOMER = 1500


@dataclass(frozen=True)
class Rated:
    """What is known of one player, or of one level, in a game: the rating in points, and from how many games."""

    rating: int
    games: int


@dataclass(frozen=True)
class Known:
    """All that is known: the levels by game and level, and one person by game."""

    levels: dict[tuple[str, str], Rated] = field(default_factory=dict)
    person: dict[str, Rated] = field(default_factory=dict)


Source = Callable[[User | None], Known]

_sources: list[Source] = []


def use(source: Source) -> None:
    """Called from an app's `ready`."""
    _sources[:] = [source]


def known(reader: Actor | None = None) -> Known:
    person = reader if isinstance(reader, User) and not reader.is_trial else None
    return _sources[0](person) if _sources else Known()


def ratings(game: str, facts: Known) -> dict[str, int]:
    """The rating of every level of the ladder in a game, in points."""
    measured = {level: level_of(game, level).strength for level in LADDER}
    own = {level: facts.levels[game, level] for level in LADDER if (game, level) in facts.levels}
    settled = {level: rated.rating for level, rated in own.items() if rated.games >= SETTLED}
    apart = [rating - measured[level] for level, rating in settled.items()]
    base = round(sum(apart) / len(apart)) if apart else NEWCOMER - measured[FIRST]
    return {level: settled.get(level, base + measured[level]) for level in LADDER}


def suggested(game: str, facts: Known) -> str:
    """The level whose rating is nearest to the person's; the first one for somebody who has not been rated."""
    mine = facts.person.get(game)
    if mine is None:
        return FIRST
    levels = ratings(game, facts)
    return min(LADDER, key=lambda level: abs(levels[level] - mine.rating))


def options(game: str, facts: Known) -> list[tuple[str, str, bool]]:
    """What a page offers: each level with its number, name and rating, and whether it is the one that suits."""
    points, best = ratings(game, facts), suggested(game, facts)
    return [(level, f"{words} ({points[level]})", level == best) for level, words in LEVEL_CHOICES]
