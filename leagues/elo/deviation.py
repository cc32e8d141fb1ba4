"""How certain a rating is: its variance on a given day, and the player's likely strength given the pool's spread.

Whole numbers only: ratings in thousandths of a point, variances in thousandths of a squared point.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import sqrt

from leagues.elo.result_types import (
    FIRST_DEVIATION,
    FIRST_OVERALL,
    FIRST_VARIANCE,
    GROWTH,
    PROVISIONAL,
    SCALE,
    RatingKind,
)

PROVISIONAL_VARIANCE = PROVISIONAL**2 * SCALE


def utc_day(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def first_variance(kind: RatingKind, side: str = "") -> int:
    """The variance of a newcomer's rating, overall or as "solo" or "team"."""
    return FIRST_OVERALL if kind is RatingKind.ONE_VS_MANY and not side else FIRST_VARIANCE


def sure_days(variance: int) -> int | None:
    """After how many days without a game the rating becomes provisional; None if it is already."""
    return None if variance > PROVISIONAL_VARIANCE else (PROVISIONAL_VARIANCE - variance) // GROWTH


def deviation(variance: int) -> float:
    """In points."""
    return sqrt(variance / SCALE)


def overall(solo: int, team: int, covariance: int) -> int:
    """The variance of the mean of two roles."""
    return (solo + team + 2 * covariance) // 4


@dataclass(frozen=True, slots=True)
class Belief:
    """An estimate of a player's true strength: a normal distribution, in thousandths of a point."""

    mean: int
    variance: int

    @property
    def deviation(self) -> int:
        """In thousandths of a point."""
        return round(deviation(self.variance) * SCALE)


def calibrated(number: int, variance: int, *, first: int, centre: int, spread: int) -> Belief:
    """The true strength that a rating implies in a pool whose people spread by `spread` points around `centre`.

    Ratings are computed as if everybody started with the same deviation. Where the pool spreads more or less than
    that, they are pulled towards the centre too much or too little. This replaces that assumption by the pool's own
    spread. Where the two are equal, nothing changes.
    """
    prior = first * spread**2 // FIRST_DEVIATION**2
    variance = min(variance, first)
    weight = (first - variance) * prior + variance * first
    moved = (number - centre) * prior * first
    return Belief(centre + (2 * moved + weight) // (2 * weight), prior * variance * first // weight)
