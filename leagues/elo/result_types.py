"""What is rated, and how: the three kinds of result, their constants, and one seat's part in a result."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

STANDARD = "standard"
"""The mode of a table played by the game's usual rules."""

SCALE = 1000
"""Ratings are kept as whole thousandths of a point."""

START = 1500 * SCALE

METHOD = 2
"""The method that ratings are computed by: 1 was Elo with a K by games, 2 carries a variance with every number."""

FIRST_DEVIATION = 175
"""How unsure the first number of a player is, in points."""
FIRST_VARIANCE = FIRST_DEVIATION**2 * SCALE
"""Variances are kept as whole thousandths of a squared point."""
FIRST_COVARIANCE = 140**2 * SCALE
"""Between a player's two roles, where one plays against many: who is good in one is probably good in the other."""
FIRST_OVERALL = (FIRST_VARIANCE + FIRST_COVARIANCE) // 2
"""The first variance of the mean of the two roles."""
LEAST_VARIANCE = 45**2 * SCALE
"""The lowest variance of a person: strength changes, so a rating is never more certain than this."""
GROWTH = 20 * SCALE
"""By how much a person's variance grows for every day without a game."""
PROVISIONAL = 100
"""With a larger deviation than this, in points, a rating is provisional."""


class RatingKind(StrEnum):
    FREE_FOR_ALL = "free-for-all"
    ONE_VS_MANY = "one-vs-many"
    COOPERATIVE = "cooperative"


def points(thousandths: int) -> int:
    """A rating in points."""
    return round(thousandths / SCALE)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's part in a result, in the order of `index`.

    Ranks start at 1 and ties share; whoever `left` ranks last. In a cooperative game rank 1 means that the team beat
    the scenario and rank 2 that it did not. A site bot is named by `bot_key` ("expert:1", level and version) in
    place of an account. A stand-in is not named: its seat counts for the person it replaced.
    """

    index: int
    rank: int
    user_id: int | None = None
    bot_key: str = ""
    role: str = ""
    left: bool = False


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """How a table ended. `source` is its permanent name ("match:KEY"); `scenario` is what a team played against.

    Tables with the same `batch` ("round:7") are rated together, in whatever order they ended.
    """

    source: str
    game: str
    finished_at: datetime
    seats: Sequence[SeatResult]
    scenario: str = ""
    mode: str = STANDARD
    match_id: int | None = None
    batch: str = ""
