"""What is rated, and how: the three kinds of result, their constants, and one seat's part in a result."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

STANDARD = "standard"
"""The mode of a table played by the game's own rules."""

SCALE = 1000
"""Ratings are kept as whole thousandths of a point."""

START = 1500 * SCALE
PROVISIONAL = 10
"""Fewer games than this, and the number is only a first guess."""


class Kind(StrEnum):
    FREE_FOR_ALL = "free-for-all"
    ONE_VS_MANY = "one-vs-many"
    COOPERATIVE = "cooperative"


KINDS = {
    "splendor-marvel": Kind.FREE_FOR_ALL,
    "infinity-gauntlet": Kind.ONE_VS_MANY,
    "thanos-rising": Kind.COOPERATIVE,
}
SOLO = "thanos"
"""The role that plays alone against the others."""


def kind_of(game: str) -> Kind:
    """How a game's results are rated; one we know nothing about is every player for themselves."""
    return KINDS.get(game, Kind.FREE_FOR_ALL)


def points(thousandths: int) -> int:
    """A rating as people read it."""
    return round(thousandths / SCALE)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's part in a result, in the order of `index`.

    Ranks start at 1 and ties share; whoever `left` ranks last. In a cooperative game rank 1 means that the team beat
    the scenario and rank 2 that it did not. A house bot is named by `bot_key` ("expert:1", level and version) in
    place of an account; a bot that only kept somebody's seat is nobody: the seat is theirs.
    """

    index: int
    rank: int
    user_id: int | None = None
    bot_key: str = ""
    role: str = ""
    left: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """How a table ended. `source` names it for ever ("match:KEY"); `scenario` is what a team played against."""

    source: str
    game: str
    finished_at: datetime
    seats: Sequence[SeatResult]
    scenario: str = ""
    mode: str = STANDARD
    match_id: int | None = None
