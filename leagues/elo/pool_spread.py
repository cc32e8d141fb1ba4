"""How much the people of a pool differ in strength, estimated from their ratings and variances.

Ratings stay near the middle while there are few games, and their variances say by how much. If the pool spreads as much
as the first deviation assumes, the mean square of the ratings around their middle and the mean variance add up to about
the first variance. If they add up to more, the pool spreads more; if to less, it spreads less.

The estimate needs only sums over people, which can be kept up to date one person at a time, in whole numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from leagues.elo.deviation import first_variance
from leagues.elo.result_types import FIRST_DEVIATION, SCALE, START, RatingKind

Moments = list[int]
"""Sums over people: how many; how much is known of each (in thousandths) and its square; that times how far they stand
from the start (in points); how far, and its square; the variances (in squared points)."""

LEAST, MOST = 90, 300
"""Points between which an estimate stays."""
SHORT = 17
"""Percent of the first variance that is missing where all strengths are known."""
DOUBT = 0.6
"""Weight of the first deviation in the estimate, as a number of people."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The centre of people's ratings, in thousandths, and the spread of their true strengths in points."""

    centre: int = START
    spread: int = FIRST_DEVIATION


def moments(rating: int, variance: int, first: int) -> Moments:
    """One person's contribution to the sums."""
    far = (rating - START + SCALE // 2) // SCALE
    known = SCALE - SCALE * min(variance, first) // first
    return [1, known, known * known, known * far, far, far * far, (variance + SCALE // 2) // SCALE]


def changed(total: Sequence[int], before: Iterable[Moments], now: Iterable[Moments]) -> Moments:
    """The sums with some contributions removed and others added."""
    sums = list(total) or [0] * 7
    for sign, parts in ((-1, before), (1, now)):
        for part in parts:
            for at, value in enumerate(part):
                sums[at] += sign * value
    return sums


def estimate(total: Moments, kind: RatingKind) -> Spread:
    """From the sums over all people of a pool.

    Where all play together, the spread is not estimated: a team's result says too little about any one of them.
    """
    people, known, known_squared, known_far, far, far_squared, variances = total or [0] * 7
    if not known:
        return Spread()
    middle = (2 * known_far + known) // (2 * known)
    if kind is RatingKind.COOPERATIVE:
        return Spread(START + middle * SCALE)
    supposed = first_variance(kind) // SCALE
    beyond = far_squared - 2 * middle * far + people * middle * middle + variances - people * supposed
    # By how much ratings and variances computed like this are too small, and how much of another spread they show:
    # both measured in simulated pools, with 1 to 100 games each at tables of two and four.
    beyond += SHORT * supposed * known // (100 * SCALE)
    part = known_squared / (people * SCALE * SCALE)
    shown = people * part * (0.3 + 0.48 * part)
    ratio = 1.0 + beyond / (supposed * (shown + DOUBT))
    return Spread(START + middle * SCALE, max(LEAST, min(MOST, round(FIRST_DEVIATION * sqrt(max(0.0, ratio))))))
