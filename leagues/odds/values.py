"""What odds are made from, frozen; and what comes out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import engine
from leagues.formats.editions import CURRENT, Edition
from leagues.formats.points import Scheme
from leagues.formats.values import History, Round
from leagues.orders import Grades
from leagues.ratings.kinds import Kind
from leagues.rounds import Drawn, Situation

Z95 = 1.96
"""Nineteen times in twenty a chance lies within so many standard errors."""


@dataclass(frozen=True)
class Estimates:
    """Each entrant's rating in thousandths of a point, and its variance in thousandths of a squared point.

    `alone` and `among` are the ratings in the two roles where one plays against many; their variances have a
    `covariance`. Whoever has no variance here is known exactly. `weight` is the chance that these are the right
    estimates, where there are several.
    """

    rating: Mapping[int, int]
    variance: Mapping[int, int] = field(default_factory=dict)
    alone: Mapping[int, int] = field(default_factory=dict)
    alone_variance: Mapping[int, int] = field(default_factory=dict)
    among: Mapping[int, int] = field(default_factory=dict)
    among_variance: Mapping[int, int] = field(default_factory=dict)
    covariance: Mapping[int, int] = field(default_factory=dict)
    weight: float = 1.0


@dataclass(frozen=True)
class Strengths:
    """What ratings say of the entrants.

    There are several `estimates` where nobody can say yet how far apart the people of the pool are. `members` counts
    the people of a team. `offsets` and their variances are by number of players and name, as the pool keeps them.
    `draws` is how often two end level.
    """

    kind: Kind
    estimates: tuple[Estimates, ...]
    members: Mapping[int, int] = field(default_factory=dict)
    offsets: Mapping[tuple[int, str], int] = field(default_factory=dict)
    offset_variance: Mapping[tuple[int, str], int] = field(default_factory=dict)
    scenario: str = ""
    draws: float = 0.0


@dataclass(frozen=True)
class Roles:
    """The roles of a game's table by its size. A value, so that it can be handed to another program."""

    game: str

    def __call__(self, count: int) -> tuple[str, ...]:
        return engine.game(self.game).roles(count)


@dataclass(frozen=True)
class Rules:
    """A stage as its format plays it: the functions are the very ones that draw the real rounds.

    `fixed` says that nothing but the starters decides who meets whom; `plan`, where there is one, gives all rounds.
    """

    draw: Callable[[Situation], Drawn]
    ranks: str
    seed: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    plan: Callable[[Situation], Sequence[Round]] | None = None
    fixed: bool = False
    round_robin: bool = False
    knock_out: bool = False
    grouped: bool = False
    planned: int | None = None
    take: int | None = None


@dataclass(frozen=True)
class Position:
    """A stage as it stands: what was played, and what is drawn but open.

    `absent` are seats that nobody will sit in, as (round, table, entrant).
    """

    rules: Rules
    history: History
    group: Mapping[int, int] = field(default_factory=dict)
    slots: Mapping[tuple[int, int], str] = field(default_factory=dict)
    absent: frozenset[tuple[int, int, int]] = frozenset()
    grades: Grades = field(default_factory=dict)


@dataclass(frozen=True)
class Rest:
    """All that is left of a division's season.

    `later` are the stages after the one that runs, `fallen` those who are out already, best first, `gone` those who
    withdrew. The best `up` rise when the season is closed, the last `down` fall.
    """

    stage: Position
    scheme: Scheme
    tie_breaks: tuple[str, ...]
    roles: Callable[[int], tuple[str, ...]]
    strengths: Strengths
    later: tuple[Rules, ...] = ()
    fallen: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()
    up: int = 0
    down: int = 0
    edition: Edition = CURRENT


@dataclass(frozen=True)
class Chances:
    """One entrant's: of each place, best first, and what follows from them."""

    entrant: int
    places: tuple[float, ...]
    title: float
    promotion: float
    relegation: float
    expected: float


@dataclass(frozen=True)
class Counts:
    """Runs played so far, and how often who came in which places: (entrant, first, last, times), places from 0.

    Whole numbers, because who ends level shares from the first to the last of their places only when all is counted:
    so batch upon batch comes to exactly what one long series would.
    """

    runs: int = 0
    spans: tuple[tuple[int, int, int, int], ...] = ()


NOTHING = Counts()


@dataclass(frozen=True)
class Odds:
    """`runs` seasons were played; `exact` means that every possible one was weighed instead.

    `seconds` of processor time went into it: the only part that is not the same everywhere.
    """

    rows: tuple[Chances, ...]
    runs: int
    exact: bool
    counts: Counts = NOTHING
    seconds: float = field(default=0.0, compare=False)

    @property
    def margin(self) -> float:
        return margin(self.runs, exact=self.exact)


def margin(runs: int, *, exact: bool) -> float:
    """By how much a chance may be off at most, nineteen times in twenty."""
    return 0.0 if exact else Z95 * sqrt(0.25 / max(1, runs))


class NoOdds(Exception):
    """There is nothing to compute; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
