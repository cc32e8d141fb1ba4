"""The input of the simulation, frozen, and its result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import engine
from leagues.elo.result_types import RatingKind
from leagues.formats.adapters import DrawInput, DrawResult
from leagues.formats.editions import CURRENT, Edition
from leagues.formats.order_rules import Grades
from leagues.formats.points import Scheme
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import Row
from leagues.formats.values import History, Ranking, Round

Z95 = 1.96
"""A chance lies within so many standard errors with 95 % probability."""


@dataclass(frozen=True)
class Estimates:
    """Each entrant's rating in thousandths of a point, and its variance in thousandths of a squared point.

    `alone` and `among` are the ratings in the two roles where one plays against many; their variances have a
    `covariance`. A strength without a variance is exact. `weight` is the probability of these estimates, if there
    are several.
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
    """The strengths of the entrants.

    There are several `estimates` if the spread of the pool's people is not known well. `members` counts the people
    of a team. `offsets` and their variances are by number of players and name, as the pool keeps them.
    `draws` is how often two end level. `solo_role` is the role that plays alone, where one plays against many.
    """

    kind: RatingKind
    estimates: tuple[Estimates, ...]
    members: Mapping[int, int] = field(default_factory=dict)
    offsets: Mapping[tuple[int, str], int] = field(default_factory=dict)
    offset_variance: Mapping[tuple[int, str], int] = field(default_factory=dict)
    scenario: str = ""
    draws: float = 0.0
    solo_role: str = ""


@dataclass(frozen=True)
class Roles:
    """The roles of a game's table by its size. A class instead of a function, so that it can be pickled."""

    game: str

    def __call__(self, count: int) -> tuple[str, ...]:
        return engine.game(self.game).roles(count)


@dataclass(frozen=True)
class Rules:
    """The rules of a stage: the functions are those that draw the real rounds.

    `fixed` says that all pairings follow from the list of starters; `plan`, if there is one, gives all rounds.
    """

    draw: Callable[[DrawInput], DrawResult]
    ranking: Ranking
    seed: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    plan: Callable[[DrawInput], Sequence[Round]] | None = None
    fixed: bool = False
    round_robin: bool = False
    knock_out: bool = False
    void_needs_replay: bool = False
    grouped: bool = False
    planned: int | None = None
    take: int | None = None
    order: Callable[[ScoreTable], tuple[Row, ...]] | None = None


@dataclass(frozen=True)
class Position:
    """The present state of a stage: played and open tables.

    `absent` are empty seats, as (round, table, entrant).
    """

    rules: Rules
    history: History
    group: Mapping[int, int] = field(default_factory=dict)
    slots: Mapping[tuple[int, int], str] = field(default_factory=dict)
    absent: frozenset[tuple[int, int, int]] = frozenset()
    grades: Grades = field(default_factory=dict)


@dataclass(frozen=True)
class RemainingSeason:
    """All that is left of a division's season.

    `later` are the stages after the running one, `fallen` those who are out already, best first, `gone` those who
    withdrew. The best `up` are promoted when the season is closed, the last `down` relegated.
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
    """One entrant's chances of each place, best first, and what follows from them."""

    entrant: int
    places: tuple[float, ...]
    title: float
    promotion: float
    relegation: float
    expected: float


@dataclass(frozen=True)
class Counts:
    """Runs so far, and how often each entrant came in which places: (entrant, first, last, times), places from 0.

    Whole numbers: shared places are divided only at the end, so that several batches give exactly the same as one long
    series.
    """

    runs: int = 0
    spans: tuple[tuple[int, int, int, int], ...] = ()


NOTHING = Counts()


@dataclass(frozen=True)
class Odds:
    """The odds after `runs` simulated seasons; `exact` means that every possible one was weighed instead.

    `seconds` is the processor time used: the only part that differs between machines.
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
    """The largest error of a chance, with 95 % probability."""
    return 0.0 if exact else Z95 * sqrt(0.25 / max(1, runs))


class NoOdds(Exception):
    """There are no odds; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
