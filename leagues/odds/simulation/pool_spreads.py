"""True strengths from ratings, when the spread of the pool's people is not known.

A rating is computed as if people spread by 175 points. Where they are more alike, the best ratings are mostly luck;
where they are less alike, ratings are too close to the middle. The ratings of all people of the pool show how likely
each spread is: this gives one set of estimates for each, with its weight, instead of a single guess.

Ratings are in thousandths of a point, variances in thousandths of a squared point.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log

from leagues.elo.result_types import FIRST_VARIANCE, SCALE

SPREADS = (100, 130, 160, 190, 220, 250, 280)
"""The possible spreads, in points."""
FEW_GAMES, MANY_GAMES = 0.29, 0.58
"""How well the people are known on average, from 0 to 1, after 3 and after 10 games each."""


@dataclass(frozen=True)
class Weighing:
    """How much the smallest and the largest spread weigh beforehand (each between them 1), and the power to which a
    likelihood is raised: 1 averages over all spreads, a large one takes the likeliest alone."""

    smallest: float
    largest: float
    sharpness: float


LITTLE_KNOWN = Weighing(60.0, 28.0, 4.0)
"""After 3 games each, results of 24 people cannot tell a spread of 100 from one of 250. The plain average then leaves
the favourite 6 points off at both ends; the likeliest alone makes high chances much too high where people are alike.
In between, both errors are smallest."""
WELL_KNOWN = Weighing(12.0, 2.0, 1.5)
"""After 10 games each, results tell spreads apart by themselves. The smallest weighs more because people may be even
more alike than that. Both were chosen by what `manage.py bench odds` measures in pools of each spread."""
UNLIKELY = 0.01


@dataclass(frozen=True)
class Spread:
    """One spread in points, its probability, and the centre of the ratings in that case."""

    points: int
    weight: float
    centre: int


def likely(people: Iterable[tuple[int, int]], entry: int) -> tuple[Spread, ...]:
    """The likely spreads, given the rating and variance of the pool's people; `entry` is the rating of newcomers."""
    seen = [_seen(rating, variance, entry) for rating, variance in people if variance < FIRST_VARIANCE]
    fits = [_fit(seen, points, entry) for points in SPREADS]
    best = max(fit for fit, _ in fits)
    weighing = _weighing(seen)
    beforehand = [weighing.smallest, *(1.0 for _ in SPREADS[1:-1]), weighing.largest]
    weights = [before * exp(weighing.sharpness * (fit - best)) for before, (fit, _) in zip(beforehand, fits)]
    total = sum(weights)
    kept = [(points, weight / total, centre) for points, weight, (_, centre) in zip(SPREADS, weights, fits)]
    kept = [each for each in kept if each[1] >= UNLIKELY]
    total = sum(weight for _, weight, _ in kept)
    # Rounded, so that they are the same on every machine.
    return tuple(Spread(points, round(weight / total, 6), centre) for points, weight, centre in kept)


def _weighing(seen: Sequence[tuple[float, float]]) -> Weighing:
    """Between the two, by how well the pool's people are known."""
    if not seen:
        return LITTLE_KNOWN
    known = sum(FIRST_VARIANCE / (FIRST_VARIANCE + luck) for _, luck in seen) / len(seen)
    share = min(1.0, max(0.0, (known - FEW_GAMES) / (MANY_GAMES - FEW_GAMES)))

    def between(few: float, many: float) -> float:
        return float(few ** (1 - share) * many**share)

    return Weighing(
        between(LITTLE_KNOWN.smallest, WELL_KNOWN.smallest),
        between(LITTLE_KNOWN.largest, WELL_KNOWN.largest),
        between(LITTLE_KNOWN.sharpness, WELL_KNOWN.sharpness),
    )


def estimate(rating: int, variance: int, grown: int, spread: Spread, entry: int) -> tuple[int, int]:
    """Mean and variance of a person's true strength in a pool of this spread.

    `variance` is what the last game left, `grown` what the days since have added to it.
    """
    own = spread.points**2 * SCALE
    if variance >= FIRST_VARIANCE:
        return spread.centre, own
    result, luck = _seen(rating, variance, entry)
    slope, noise = _slope(spread.points), _noise(spread.points)
    noise_variance = noise * luck / slope**2
    left = own * noise_variance / (own + noise_variance)
    mean = spread.centre + (result - entry - slope * (spread.centre - entry)) / slope * own / (own + noise_variance)
    return round(mean), min(own, round(left) + grown)


def _seen(rating: int, variance: int, entry: int) -> tuple[float, float]:
    """The results alone, as mean and variance: the rating without the assumption about newcomers."""
    luck = variance * FIRST_VARIANCE / (FIRST_VARIANCE - variance)
    return entry + luck * (rating - entry) / variance, luck


def _slope(points: int) -> float:
    """The slope of results against true strength. The rating update discounts results by the spread that it assumes;
    measured in simulated pools of 24, 3 to 30 games each, at tables of two and of four."""
    return 1.37 - 0.0022 * points


def _noise(points: int) -> float:
    """The noise of results relative to what the rating update assumes; measured likewise, at tables of two."""
    return 1.025 - 0.001 * points


def _fit(seen: Sequence[tuple[float, float]], points: int, entry: int) -> tuple[float, int]:
    """The log-likelihood of the results in a pool of this spread over all its centres, and the likeliest centre."""
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
