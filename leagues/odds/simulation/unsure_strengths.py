"""Chances at one table when strengths are known only as ratings with a variance: the mean over all true strengths.

Integrals are computed as sums over a grid that is fine enough for five digits (the tests compare).
Ratings are in thousandths of a point, variances in thousandths of a squared point.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import exp, log, sqrt

Orders = list[tuple[float, tuple[int, ...]]]

NATURAL = log(10) / 400_000
"""From thousandths of a point to the unit in which the curve is 1 / (1 + e^-x)."""
WIDTH = 7
"""Standard deviations to both sides."""
STEPS = 200
LOW, HIGH = -4.0, 16.0
"""The range of the Gumbel luck of one game: e^-e^4 and e^-16 are negligible."""
STEP = 0.02


def with_draws(expected: float, draws: float) -> tuple[float, float, float]:
    """Won, level, lost. The expected score stays what the ratings say, however often the game ends level."""
    level = min(draws, 2 * expected, 2 - 2 * expected)
    return expected - level / 2, level, 1 - expected - level / 2


@cache
def _normal(steps: int = STEPS) -> tuple[tuple[float, float], ...]:
    """The points of the grid, in standard deviations, and their weights."""
    points = [WIDTH * (2 * at / steps - 1) for at in range(steps + 1)]
    heights = [exp(-point * point / 2) for point in points]
    total = sum(heights)
    return tuple((point, height / total) for point, height in zip(points, heights))


@lru_cache(maxsize=4096)
def duel(difference: int, variance: float, draws: float) -> tuple[float, float, float]:
    """Won, level, lost with a lead of `difference` that has this variance."""
    deviation = NATURAL * sqrt(1000 * variance)
    won = level = lost = 0.0
    for point, height in _normal() if variance else ((0.0, 1.0),):
        ahead = with_draws(1 / (1 + exp(-(NATURAL * difference + deviation * point))), draws)
        won += height * ahead[0]
        level += height * ahead[1]
        lost += height * ahead[2]
    return won, level, lost


def orders(seats: Sequence[tuple[int, int]]) -> Orders:
    """Every order in which a table of three or more can end, as ranks by seat, with its probability.

    Filling places in proportion to strength is the same as sorting by performance: strength plus Gumbel luck. So the
    chance of an order is an integral over the last player's performance, inside one over the last but one's, and so
    on: each is a running sum over one grid.
    """
    middle = sum(rating for rating, _ in seats) / len(seats)
    means = [NATURAL * (rating - middle) for rating, _ in seats]
    deviations = [NATURAL * sqrt(1000 * variance) for _, variance in seats]
    low = min(mean - WIDTH * deviation for mean, deviation in zip(means, deviations)) + LOW
    high = max(mean + WIDTH * deviation for mean, deviation in zip(means, deviations)) + HIGH
    grid = [low + STEP * at for at in range(int((high - low) / STEP) + 2)]
    heights = [_performance(grid, mean, deviation) for mean, deviation in zip(means, deviations)]
    weighted_orders: Orders = []

    def add(behind: tuple[int, ...], below: list[float]) -> None:
        """`below`: the probability that the seats of `behind`, last first, come in this order below each point."""
        if len(behind) == len(seats):
            ranks = [0] * len(seats)
            for rank, seat in enumerate(reversed(behind), 1):
                ranks[seat] = rank
            weighted_orders.append((below[-1], tuple(ranks)))
            return
        for seat in range(len(seats)):
            if seat not in behind:
                add((*behind, seat), _running([a * b for a, b in zip(heights[seat], below)]))

    add((), [1.0] * len(grid))
    total = sum(weight for weight, _ in weighted_orders)
    return [(weight / total, ranks) for weight, ranks in weighted_orders]


def _performance(grid: Sequence[float], mean: float, deviation: float) -> list[float]:
    """The density of a normal strength plus Gumbel luck."""
    places = _normal(40) if deviation else ((0.0, 1.0),)
    heights = []
    for point in grid:
        height = 0.0
        for at, weight in places:
            down = exp(mean + deviation * at - point)
            height += weight * down * exp(-down) if down < 700 else 0.0
        heights.append(height)
    return heights


def _running(values: Sequence[float]) -> list[float]:
    """The integral up to each point, by trapezoids."""
    half = [STEP * (a + b) / 2 for a, b in pairwise(values)]
    return list(accumulate(half, initial=0.0))
