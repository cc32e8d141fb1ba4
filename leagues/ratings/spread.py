"""By how much the people of a pool spread in strength, estimated from their ratings and variances alone.

Ratings are drawn to the middle while there are few games, and their variances say by how much. Were the pool as spread
as the first deviation supposes, then the mean square of the ratings around their middle and the mean variance would add
up to about the first variance. More than that, and the pool spreads more; less, and it spreads less.

The estimate needs only sums over people, which can be kept up to date one person at a time, in whole numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from leagues.ratings.deviation import first_variance
from leagues.ratings.kinds import FIRST_DEVIATION, SCALE, START, Kind

Moments = list[int]
"""Sums over people: how many; how much is known of each (in thousandths) and its square; that times how far they stand
from the start (in points); how far, and its square; the variances (in squared points)."""

LEAST, MOST = 90, 300
"""Points between which an estimate stays."""
SHORT = 17
"""Percent of the first variance that is missing where everything is known of everybody."""
DOUBT = 0.6
"""The larger, the longer an estimate stays with the first deviation: as if so many people had shown just that."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Around which number people stand, in thousandths, and by how many points their true strengths spread."""

    centre: int = START
    spread: int = FIRST_DEVIATION


def moments(rating: int, variance: int, first: int) -> Moments:
    """One person's part of the sums."""
    far = (rating - START + SCALE // 2) // SCALE
    known = SCALE - SCALE * min(variance, first) // first
    return [1, known, known * known, known * far, far, far * far, (variance + SCALE // 2) // SCALE]


def changed(total: Sequence[int], before: Iterable[Moments], now: Iterable[Moments]) -> Moments:
    """The sums, with these people's parts taken out and those put in."""
    found = list(total) or [0] * 7
    for sign, parts in ((-1, before), (1, now)):
        for part in parts:
            for at, value in enumerate(part):
                found[at] += sign * value
    return found


def estimate(total: Moments, kind: Kind) -> Spread:
    """From the sums over all people of a pool.

    Where all play together, the spread is not estimated: a team's result says too little about any one of them.
    """
    people, known, known_squared, known_far, far, far_squared, variances = total or [0] * 7
    if not known:
        return Spread()
    middle = (2 * known_far + known) // (2 * known)
    if kind is Kind.COOPERATIVE:
        return Spread(START + middle * SCALE)
    supposed = first_variance(kind) // SCALE
    beyond = far_squared - 2 * middle * far + people * middle * middle + variances - people * supposed
    # What ratings and variances of such a fold fall short of by themselves, and how much of another spread they show:
    # both measured in simulated pools, with 1 to 100 games each at tables of two and four.
    beyond += SHORT * supposed * known // (100 * SCALE)
    part = known_squared / (people * SCALE * SCALE)
    shown = people * part * (0.3 + 0.48 * part)
    ratio = 1.0 + beyond / (supposed * (shown + DOUBT))
    return Spread(START + middle * SCALE, max(LEAST, min(MOST, round(FIRST_DEVIATION * sqrt(max(0.0, ratio))))))
