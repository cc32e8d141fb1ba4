"""What ratings say about true strength when nobody knows how far apart the people of a pool are.

A rating is computed as if people spread by 175 points. Where they are more alike, the best ratings are mostly luck;
where they are less alike, ratings are drawn to the middle too much. The ratings of all people of the pool say how
likely each spread is: this gives one set of estimates for each, with its weight, instead of a single guess.

Ratings are in thousandths of a point, variances in thousandths of a squared point.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log

from leagues.ratings.kinds import FIRST_VARIANCE, SCALE

SPREADS = (100, 130, 160, 190, 220, 250, 280)
"""How far people may spread, in points."""
BEFOREHAND = (30.0, 1.0, 1.0, 1.0, 1.0, 1.0, 24.0)
"""How likely each is before anything is known. The ends weigh more: a few games in a small pool hardly tell one spread
from another, and without this the middle would always win, right or wrong."""
SHARPNESS = 4.0
"""The power to which a likelihood is raised: 1 averages over all spreads, a large one takes the likeliest alone.

Both were chosen by what `manage.py bench odds` measures in pools of each spread. After 3 games each, results of 24
people cannot tell a spread of 100 from one of 250. The plain average then leaves the favourite 6 points off at both
ends; the likeliest alone makes high chances much too high where people are alike. In between, both errors are smallest.
"""
UNLIKELY = 0.01


@dataclass(frozen=True)
class Spread:
    """One spread in points, how likely it is, and the number around which people then stand."""

    points: int
    weight: float
    centre: int


def likely(people: Iterable[tuple[int, int]], entry: int) -> tuple[Spread, ...]:
    """The spreads that the pool's people, as rating and variance, make likely; `entry` is where newcomers begin."""
    seen = [_seen(rating, variance, entry) for rating, variance in people if variance < FIRST_VARIANCE]
    fits = [_fit(seen, points, entry) for points in SPREADS]
    best = max(fit for fit, _ in fits)
    weights = [before * exp(SHARPNESS * (fit - best)) for before, (fit, _) in zip(BEFOREHAND, fits)]
    total = sum(weights)
    kept = [(points, weight / total, centre) for points, weight, (_, centre) in zip(SPREADS, weights, fits)]
    kept = [each for each in kept if each[1] >= UNLIKELY]
    total = sum(weight for _, weight, _ in kept)
    # Rounded, so that they are the same on every machine.
    return tuple(Spread(points, round(weight / total, 6), centre) for points, weight, centre in kept)


def estimate(rating: int, variance: int, grown: int, spread: Spread, entry: int) -> tuple[int, int]:
    """Mean and variance of a person's true strength in a pool of this spread.

    `variance` is what the last game left, `grown` what the days since have added to it.
    """
    own = spread.points**2 * SCALE
    if variance >= FIRST_VARIANCE:
        return spread.centre, own
    result, luck = _seen(rating, variance, entry)
    slope, noise = _slope(spread.points), _noise(spread.points)
    told = noise * luck / slope**2
    left = own * told / (own + told)
    mean = spread.centre + (result - entry - slope * (spread.centre - entry)) / slope * own / (own + told)
    return round(mean), min(own, round(left) + grown)


def _seen(rating: int, variance: int, entry: int) -> tuple[float, float]:
    """The results alone, as number and variance: the rating without what was supposed of a newcomer."""
    luck = variance * FIRST_VARIANCE / (FIRST_VARIANCE - variance)
    return entry + luck * (rating - entry) / variance, luck


def _slope(points: int) -> float:
    """By how much results, read like this, follow true strength. The fold discounts results by the spread that it
    supposes; measured in simulated pools of 24, 3 to 30 games each, at tables of two and of four."""
    return 1.37 - 0.0022 * points


def _noise(points: int) -> float:
    """How large their luck is beside what the fold thinks; measured likewise, at tables of two."""
    return 1.025 - 0.001 * points


def _fit(seen: Sequence[tuple[float, float]], points: int, entry: int) -> tuple[float, int]:
    """The log-likelihood of what was seen in a pool of this spread over all its centres, and the likeliest centre."""
    slope, noise = _slope(points), _noise(points)
    own = slope**2 * points**2 * SCALE
    totals = [own + noise * luck for _, luck in seen]
    precision = sum(1 / total for total in totals)
    if not precision:
        return 0.0, entry
    middle = sum((result - entry) / total for (result, _), total in zip(seen, totals)) / precision
    off = sum((result - entry - middle) ** 2 / total for (result, _), total in zip(seen, totals)) / SCALE
    fit = -(off + sum(map(log, totals)) + log(precision)) / 2
    return fit, entry + round(middle / slope)
