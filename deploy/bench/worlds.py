"""Simulated clubs whose true strengths are known, and what the rating fold makes of their results.

Nothing of this is a real club's data. Performance is true strength and Gumbel noise, so that of any two the better one
is ahead with just the chance that the curve of the ratings gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from leagues.ratings import fold
from leagues.ratings.deviation import calibrated
from leagues.ratings.kinds import FIRST_VARIANCE, SCALE, Kind
from leagues.ratings.spread import changed, estimate, moments

NOISE = 400 / log(10)
FROM_GAME = 100
"""Predictions are counted from this game on, when something is known of most people."""
REFERENCES = 8
PEOPLE = 40
A_DAY = 17
"""Tables a day."""

Floats = Any
"""An array of floating-point numbers."""


@dataclass(frozen=True)
class Club:
    """People of fixed strength who play so many games, some more often than others."""

    seats: int
    games: int
    spread: float
    first_seat: float = 0.0
    people: int = PEOPLE
    at_most: float = 1.0
    """The log-loss, over the first three seeds, that the fold may have."""


# With a K by games and no variance (method 1) it was .5768, .5966 and .6050 in these very clubs.
PREDICTED = {
    "two seats": Club(2, 1500, 200.0, at_most=0.5734),
    "four seats": Club(4, 800, 150.0, at_most=0.5953),
    "two seats, +80 for the first": Club(2, 1500, 150.0, first_seat=80.0, at_most=0.5986),
}


def ranks(performance: Floats) -> list[int]:
    place = [0] * len(performance)
    for rank, seat in enumerate(np.argsort(-performance)):
        place[seat] = rank + 1
    return place


def log_loss(club: Club, seed: int) -> float:
    """Of all pairs of a table, by what the fold expected of them before it knew the result."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(1500, club.spread, club.people)
    activity = rng.exponential(1.0, club.people)
    activity /= activity.sum()
    pool = fold.FreeForAll()
    numbers = [pool.join(False) for _ in strength]
    total, pairs = 0.0, 0
    for game in range(club.games):
        who = [int(each) for each in rng.choice(club.people, club.seats, replace=False, p=activity)]
        performance = strength[who] + rng.gumbel(0, NOISE, club.seats)
        performance[0] += club.first_seat
        ranked = ranks(performance)
        players = [numbers[each] for each in who]
        if game >= FROM_GAME:
            loss = _losses(pool, players, ranked)
            total, pairs = total + sum(loss), pairs + len(loss)
        pool.play(players, ranked, True, game // A_DAY)
    return total / pairs


def _losses(pool: fold.FreeForAll, players: Sequence[int], ranked: Sequence[int]) -> list[float]:
    offsets, found = pool.offsets[len(players)], []
    for seat, player in enumerate(players):
        for other in range(seat + 1, len(players)):
            rival = players[other]
            ahead = pool.rating[player] + offsets[seat] - pool.rating[rival] - offsets[other]
            won = fold.expected(ahead, pool.variance[player] + pool.variance[rival])
            found.append(-log(won if ranked[seat] < ranked[other] else 1 - won))
    return found


@dataclass(frozen=True)
class Turnover:
    """A club whose people leave and are replaced by newcomers of another strength."""

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
    """By how many points constant players stand away from where they should, in the end.

    Ratings only say who is how much better: where 1500 lies, the first forty decide. So the constant players should
    stand as far from 1500 as they are from the mean strength of those.
    """
    rng = np.random.default_rng(seed)
    strength = np.concatenate([np.full(REFERENCES, 1500.0), rng.normal(1500, 200, PEOPLE - REFERENCES)])
    right = 1500 + (1500 - strength.mean())
    pool = fold.FreeForAll()
    numbers = [pool.join(False) for _ in strength]
    for game in range(club.games):
        if rng.random() < club.leaving:
            place = int(rng.integers(REFERENCES, PEOPLE))
            strength[place] = rng.normal(club.newcomers, 200)
            numbers[place] = pool.join(False)
        who = [int(each) for each in rng.choice(PEOPLE, club.seats, replace=False)]
        ranked = ranks(strength[who] + rng.gumbel(0, NOISE, club.seats))
        pool.play([numbers[each] for each in who], ranked, True, game // A_DAY)
    constant = [pool.rating[number] / SCALE for number in numbers[:REFERENCES]]
    return float(np.mean(constant)) - right


@dataclass(frozen=True)
class Believed:
    """How good the beliefs about people's strengths were, over many clubs.

    `error` is the root of the mean square of what they were off by, in deviations: 1 is right, more is too sure.
    `spread` is the mean of what the clubs' own spread was taken for.
    """

    error: float
    spread: float


def beliefs(spread: float, games: int, clubs: int, seed: int = 0, people: int = 24) -> Believed:
    """Clubs of so many people who have played so many games each, two at a table."""
    rng = np.random.default_rng(seed)
    squares, spreads = 0.0, 0.0
    for _ in range(clubs):
        strength = rng.normal(1500, spread, people)
        pool = fold.FreeForAll()
        numbers = [pool.join(False) for _ in strength]
        for _ in range(people * games // 2):
            who = [int(each) for each in rng.choice(people, 2, replace=False)]
            pool.play([numbers[each] for each in who], ranks(strength[who] + rng.gumbel(0, NOISE, 2)), True)
        known = [at for at in numbers if pool.games[at]]
        parts = (moments(pool.rating[at], pool.variance[at], FIRST_VARIANCE) for at in known)
        found = estimate(changed([], (), parts), Kind.FREE_FOR_ALL)
        spreads += found.spread
        off = strength - strength.mean()
        sure = [
            calibrated(
                pool.rating[at],
                pool.variance[at],
                first=FIRST_VARIANCE,
                centre=found.centre,
                spread=found.spread,
            )
            for at in numbers
        ]
        middle = sum(each.mean for each in sure) / len(sure)
        squares += sum(
            ((each.mean - middle) / SCALE - true) ** 2 / (each.variance / SCALE) for each, true in zip(sure, off)
        )
    return Believed((squares / clubs / people) ** 0.5, spreads / clubs)
