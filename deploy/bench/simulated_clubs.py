"""Simulated clubs whose true strengths are known, and the ratings computed from their results.

None of this is data of a real club. Performance is true strength plus Gumbel noise, so that the stronger of any two
players wins with exactly the probability that the rating curve gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from leagues.elo import update
from leagues.elo.deviation import calibrated
from leagues.elo.pool_spread import changed, estimate, moments
from leagues.elo.result_types import FIRST_VARIANCE, SCALE, RatingKind

NOISE = 400 / log(10)
FROM_GAME = 100
"""Predictions are counted from this game on, when most players have some results."""
REFERENCES = 8
PEOPLE = 40
TABLES_A_DAY = 17

Floats = Any
"""An array of floating-point numbers."""


@dataclass(frozen=True)
class Club:
    """Players of fixed strength, some of whom play more often than others."""

    seats: int
    games: int
    spread: float
    first_seat: float = 0.0
    people: int = PEOPLE
    at_most: float = 1.0
    """The largest log-loss allowed, over the first three seeds."""


# With a K by games and no variance (method 1) it was .5634, .6053 and .6014 in these clubs.
PREDICTED = {
    "two seats": Club(2, 1500, 200.0, at_most=0.560),
    "four seats": Club(4, 800, 150.0, at_most=0.604),
    "two seats, +80 for the first": Club(2, 1500, 150.0, first_seat=80.0, at_most=0.595),
}


def gumbel(rng: np.random.Generator, seats: int) -> Floats:
    """Noise of performance. Drawn in this way, the results are exactly those on which the method was chosen."""
    return -NOISE * np.log(-np.log(rng.random(seats)))


def ranks(performance: Floats) -> list[int]:
    place = [0] * len(performance)
    for rank, seat in enumerate(np.argsort(-performance)):
        place[seat] = rank + 1
    return place


def log_loss(club: Club, seed: int) -> float:
    """The mean log-loss of all pairs of a table, by what was expected before the result."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(1500, club.spread, club.people)
    activity = rng.exponential(1.0, club.people)
    activity /= activity.sum()
    pool = update.FreeForAll()
    numbers = [pool.join(False) for _ in strength]
    total, pairs = 0.0, 0
    for game in range(club.games):
        who = [int(each) for each in rng.choice(club.people, club.seats, replace=False, p=activity)]
        performance = strength[who] + gumbel(rng, club.seats)
        performance[0] += club.first_seat
        ranked = ranks(performance)
        players = [numbers[each] for each in who]
        if game >= FROM_GAME:
            loss = _losses(pool, players, ranked)
            total, pairs = total + sum(loss), pairs + len(loss)
        pool.play(players, ranked, True, game // TABLES_A_DAY)
    return total / pairs


def _losses(pool: update.FreeForAll, players: Sequence[int], ranked: Sequence[int]) -> list[float]:
    offsets, losses = pool.offsets[len(players)], []
    for seat, player in enumerate(players):
        for other in range(seat + 1, len(players)):
            rival = players[other]
            ahead = pool.rating[player] + offsets[seat] - pool.rating[rival] - offsets[other]
            won = update.expected(ahead, pool.variance[player] + pool.variance[rival])
            losses.append(-log(won if ranked[seat] < ranked[other] else 1 - won))
    return losses


@dataclass(frozen=True)
class Turnover:
    """A club whose players leave and are replaced by newcomers of another strength."""

    seats: int
    newcomers: float
    leaving: float = 0.02
    games: int = 6000

    @property
    def at_most(self) -> float:
        """Points that constant players may drift."""
        return 75.0 if self.leaving > 0.02 else 60.0


INFLATION = {
    "equal newcomers, two seats": Turnover(2, 1500),
    "weaker newcomers, two seats": Turnover(2, 1300),
    "stronger newcomers, two seats": Turnover(2, 1700),
    "weaker newcomers, four seats": Turnover(4, 1300),
    "weaker newcomers, two seats, fast": Turnover(2, 1300, leaving=0.06),
    "stronger newcomers, two seats, fast": Turnover(2, 1700, leaving=0.06),
    "weaker newcomers, four seats, fast": Turnover(4, 1300, leaving=0.06),
}


def drift(club: Turnover, seed: int) -> float:
    """By how many points the ratings of constant players are wrong at the end.

    Ratings only say how much better one player is than another. The first forty players decide what 1500 means. So the
    constant players should be as far from 1500 as they are from the mean strength of those forty.
    """
    rng = np.random.default_rng(seed)
    strength = np.concatenate([np.full(REFERENCES, 1500.0), rng.normal(1500, 200, PEOPLE - REFERENCES)])
    right = 1500 + (1500 - strength.mean())
    pool = update.FreeForAll()
    numbers = [pool.join(False) for _ in strength]
    for game in range(club.games):
        if rng.random() < club.leaving:
            place = int(rng.integers(REFERENCES, PEOPLE))
            strength[place] = rng.normal(club.newcomers, 200)
            numbers[place] = pool.join(False)
        who = [int(each) for each in rng.choice(PEOPLE, club.seats, replace=False)]
        ranked = ranks(strength[who] + gumbel(rng, club.seats))
        pool.play([numbers[each] for each in who], ranked, True, game // TABLES_A_DAY)
    constant = [pool.rating[number] / SCALE for number in numbers[:REFERENCES]]
    return float(np.mean(constant) - right)


@dataclass(frozen=True)
class EstimateQuality:
    """How good the estimates of players' strengths were, over many clubs.

    `error` is the root mean square error, in deviations: 1 is right, more is too certain.
    `spread` is the mean of the estimated spreads of the clubs.
    """

    error: float
    spread: float


def estimate_quality(spread: float, games: int, clubs: int, seed: int = 0, people: int = 24) -> EstimateQuality:
    """Simulate clubs whose players have played this many games each, two at a table."""
    rng = np.random.default_rng(seed)
    squares, spreads = 0.0, 0.0
    for _ in range(clubs):
        strength = rng.normal(1500, spread, people)
        pool = update.FreeForAll()
        numbers = [pool.join(False) for _ in strength]
        for _ in range(people * games // 2):
            who = [int(each) for each in rng.choice(people, 2, replace=False)]
            pool.play([numbers[each] for each in who], ranks(strength[who] + gumbel(rng, 2)), True)
        known = [at for at in numbers if pool.games[at]]
        parts = (moments(pool.rating[at], pool.variance[at], FIRST_VARIANCE) for at in known)
        pool_spread = estimate(changed([], (), parts), RatingKind.FREE_FOR_ALL)
        spreads += pool_spread.spread
        off = strength - strength.mean()
        estimates = [
            calibrated(
                pool.rating[at],
                pool.variance[at],
                first=FIRST_VARIANCE,
                centre=pool_spread.centre,
                spread=pool_spread.spread,
            )
            for at in numbers
        ]
        middle = sum(each.mean for each in estimates) / len(estimates)
        squares += sum(
            ((each.mean - middle) / SCALE - true) ** 2 / (each.variance / SCALE) for each, true in zip(estimates, off)
        )
    return EstimateQuality((squares / clubs / people) ** 0.5, spreads / clubs)
