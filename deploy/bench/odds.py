"""Whether title odds come true, in simulated seasons of players whose true strengths are known.

A club of 24 plays rated two-player games; the winners are drawn from the true strengths. The real code computes the
ratings and the title odds of a round robin of eight. Then that round robin is played many times with the true
strengths. Odds are right if about 35 % of all chances of 30 to 40 % came true, and if the favourite wins as often as
predicted: for players of similar and of very different strength, after 3 rated games each as after 30.
"""

import itertools
import multiprocessing
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt
from typing import Any

from deploy.bench import Row
from leagues.elo.pool_state import Fact, PoolState
from leagues.elo.result_types import SCALE, START, RatingKind
from leagues.formats import adapters
from leagues.formats.points import NORMAL
from leagues.formats.values import Entrant, History, Ranking
from leagues.odds.simulation import pool_spreads
from leagues.odds.simulation.monte_carlo import Tally
from leagues.odds.simulation.random_source import SeededSource
from leagues.odds.simulation.season import SeasonSimulation
from leagues.odds.simulation.values import Estimates, Position, RemainingSeason, Rules, Strengths

SPREADS = (100, 150, 200, 250)
GAMES = (3, 10, 30)
CLUB, FIELD = 24, 8
CLUBS = 400
"""Simulated clubs for each setting; the favourite's sampling error is then about one point."""
RUNS = 240
"""Simulated seasons for each chance. Half of them decide who is the favourite and in which tenth a chance lies, the
other half how large it is: the largest of several inexact chances would seem too large."""
PLAYED = 60
"""How often each season is played with the true strengths."""
FEW = 30
"""Below this number of clubs, their means do not show how much clubs differ."""
FAVOURITE, TENTH = 4.0, 5.0
"""Percentage points that a favourite, and the chances of a tenth, may be wrong by, beyond the sampling error."""
Z95 = 1.96

ROUND_ROBIN = Rules(
    adapters.round_robin_round,
    Ranking.STANDINGS,
    "bench",
    {"double": False},
    adapters.round_robin_plan,
    fixed=True,
    round_robin=True,
)


@dataclass(frozen=True)
class Prediction:
    """One predicted chance, the same from other runs, how often it came true, and in which club."""

    club: int
    first: float
    second: float
    came_true: float
    favourite: bool


@dataclass(frozen=True)
class Calibration:
    """Several predictions: the mean chance, how often it came true, and the standard error of the difference."""

    count: int
    given: float
    came_true: float
    error: float

    @property
    def bias(self) -> float:
        return self.given - self.came_true


def rows(*, clubs: int = CLUBS, quick: bool = False) -> Iterator[Row]:
    """Quick rows only show that it runs: one setting, two clubs."""
    if quick:
        clubs = 2
    settings = itertools.product(SPREADS[:1] if quick else SPREADS, GAMES[:1] if quick else GAMES)
    with multiprocessing.get_context("fork").Pool() as pool:
        for spread, games in settings:
            predictions = list(setting(spread, games, clubs, pool.imap))
            where = f"spread {spread}, {games} games"
            yield _row(f"{where}: favourite", calibration([each for each in predictions if each.favourite]), FAVOURITE)
            for tenth in range(10):
                alike = [each for each in predictions if min(9, int(10 * each.first)) == tenth]
                if alike:
                    yield _row(f"{where}: given {10 * tenth}-{10 * tenth + 10} %", calibration(alike), TENTH)


def _row(what: str, group: Calibration, limit: float) -> Row:
    sampling = 100 * Z95 * group.error
    details = (
        f"given {100 * group.given:.1f} %, came true {100 * group.came_true:.1f} %, n {group.count}, "
        f"sampling error ±{sampling:.1f}"
    )
    return Row(
        what, round(100 * abs(group.bias), 1), "points", round(limit + sampling, 1), details, lower_is_better=True
    )


def calibration(predictions: Sequence[Prediction]) -> Calibration:
    """Chances in one club depend on each other, so the error is that of the clubs' means."""
    given = sum(each.second for each in predictions) / len(predictions)
    came_true = sum(each.came_true for each in predictions) / len(predictions)
    by_club: dict[int, float] = {}
    for each in predictions:
        by_club[each.club] = by_club.get(each.club, 0.0) + each.second - each.came_true - (given - came_true)
    error = sqrt(sum(each**2 for each in by_club.values())) / len(predictions)
    if len(by_club) < FEW:
        # Then the error is that of independent trials.
        error = max(error, sqrt(given * (1 - given) / len(predictions)))
    return Calibration(len(predictions), given, came_true, error)


def setting(spread: int, games: int, clubs: int, compute: Callable[..., Iterable[Any]] = map) -> Iterator[Prediction]:
    """The predictions of several clubs; `compute` may spread them over processes."""
    for predictions in compute(one_club, [(spread, games, club) for club in range(clubs)]):
        yield from predictions


def one_club(asked: tuple[int, int, int]) -> list[Prediction]:
    spread, games, club = asked
    rng = random.Random(f"{spread} {games} {club}")
    true = {who: START + round(rng.gauss(0, spread) * SCALE) for who in range(1, CLUB + 1)}
    pool = rated(rng, true, games)
    seed = f"{spread} {games} {club}"
    half = RUNS // 2
    given = titles(season(estimated(pool)), seed, 0, half)
    again = titles(season(estimated(pool)), seed, half, RUNS)
    truth = Estimates({who: true[who] for who in range(1, FIELD + 1)})
    came_true = titles(season((truth,)), f"true {seed}", 0, PLAYED)
    favourite = max(given, key=lambda who: (given[who], -who))
    return [Prediction(club, given[who], again[who], came_true[who], who == favourite) for who in given]


def rated(rng: random.Random, true: dict[int, int], games: int) -> PoolState:
    """The club's ratings after so many games each, on average, all of them within a few weeks."""
    pool = PoolState(RatingKind.FREE_FOR_ALL, {})
    start = datetime(2026, 1, 1, tzinfo=UTC)
    people = sorted(true)
    for number in range(len(people) * games // 2):
        one, other = rng.sample(people, 2)
        wins = rng.random() < 1 / (1 + 10 ** ((true[other] - true[one]) / (400 * SCALE)))
        seats = [[one, 1 if wins else 2, False, ""], [other, 2 if wins else 1, False, ""]]
        pool.play(Fact(number, f"bench:{number}", start + timedelta(hours=number), seats, "", False))
    return pool


def estimated(pool: PoolState) -> tuple[Estimates, ...]:
    """The input of the odds, as `leagues.odds.inputs` reads it from rows."""
    known = {who: pool.numbers_of(who) for who in range(1, CLUB + 1)}
    people = [(now.rating, now.variance) for now in known.values() if now is not None]
    estimates = []
    for spread in pool_spreads.likely(people, pool.entry):
        numbers = {}
        for who in range(1, FIELD + 1):
            now = known[who]
            unrated = (pool.entry, spread.points**2 * SCALE)
            numbers[who] = pool_spreads.estimate(now.rating, now.variance, 0, spread, pool.entry) if now else unrated
        means = {who: mean for who, (mean, _) in numbers.items()}
        variances = {who: variance for who, (_, variance) in numbers.items()}
        estimates.append(Estimates(means, variances, weight=spread.weight))
    return tuple(estimates)


def season(estimates: tuple[Estimates, ...]) -> RemainingSeason:
    """A round robin without tie-breaks: equal entrants share the title."""
    entrants = tuple(Entrant(who, who, 1500) for who in range(1, FIELD + 1))
    return RemainingSeason(
        Position(ROUND_ROBIN, History("bench", entrants)),
        NORMAL,
        (),
        lambda size: ("",) * size,
        Strengths(RatingKind.FREE_FOR_ALL, estimates),
    )


def titles(rest: RemainingSeason, seed: str, begin: int, end: int) -> dict[int, float]:
    """Each entrant's share of the titles in these runs."""
    simulation, tally = SeasonSimulation(rest), Tally()
    for run in range(begin, end):
        tally.add(simulation.play(SeededSource(seed, run)))
    return {row.entrant: row.title for row in tally.rows(end - begin, 0, 0)}
