"""Simulates many runs and counts their outcomes."""

from collections.abc import Callable
from time import process_time

from leagues.formats.errors import FormatError
from leagues.odds.simulation import enumeration
from leagues.odds.simulation.random_source import SeededSource
from leagues.odds.simulation.season import SeasonSimulation
from leagues.odds.simulation.values import NOTHING, Chances, Counts, NoOdds, Odds, RemainingSeason

RUNS = 10_000
LEAST = 200
"""While more runs are coming, fewer than these are not shown."""


class Tally:
    """How often each entrant came in each place. Those who end level share their places."""

    def __init__(self, counts: Counts = NOTHING) -> None:
        self.times: dict[tuple[int, int, int], float] = {(who, a, b): times for who, a, b, times in counts.spans}

    def add(self, order: list[list[int]], weight: float = 1) -> None:
        place = 0
        times = self.times
        for level in order:
            last = place + len(level) - 1
            for who in level:
                key = (who, place, last)
                times[key] = times.get(key, 0) + weight
            place = last + 1

    def counts(self, runs: int) -> Counts:
        return Counts(runs, tuple(sorted((*span, int(times)) for span, times in self.times.items())))

    def rows(self, total: float, up: int, down: int) -> tuple[Chances, ...]:
        """Best first."""
        size = 1 + max(last for _, _, last in self.times)
        shares: dict[int, list[float]] = {}
        # Sorted, so that rounding errors do not depend on the order of the runs.
        for (who, first, last), times in sorted(self.times.items()):
            counted = shares.setdefault(who, [0.0] * size)
            for place in range(first, last + 1):
                counted[place] += times / (last - first + 1)
        rows = []
        for who, counted in shares.items():
            places = tuple(each / total for each in counted)
            expected = sum(place * chance for place, chance in enumerate(places, 1))
            falls = sum(places[len(places) - down :]) if down else 0.0
            rows.append(Chances(who, places, places[0], sum(places[:up]), falls, expected))
        return tuple(sorted(rows, key=lambda row: (-row.title, row.expected, row.entrant)))


def odds(
    rest: RemainingSeason,
    *,
    seed: str,
    runs: int = RUNS,
    enough: Callable[[int], bool] | None = None,
    weigh: bool = True,
    so_far: Counts = NOTHING,
) -> Odds:
    """Weigh all possible endings if there are few, otherwise simulate `runs` seasons.

    `enough` may stop it after any run, and `so_far` continues from there. The same season, seed and number of runs
    give the same numbers, however often it was interrupted.
    """
    begun = process_time()
    try:
        simulation = SeasonSimulation(rest)
        endings = enumeration.enumerate_endings(simulation) if weigh and not so_far.runs else None
        if endings is not None:
            return _weighed(rest, endings)
        counts = _played(simulation, seed, runs, enough, so_far)
    except FormatError as error:
        # No round can be drawn by the rules. The organiser gets the reason when drawing the real round.
        raise NoOdds("impossible") from error
    rows = Tally(counts).rows(counts.runs, rest.up, rest.down)
    return Odds(rows, counts.runs, exact=False, counts=counts, seconds=process_time() - begun)


def _weighed(rest: RemainingSeason, endings: list[tuple[float, list[list[int]]]]) -> Odds:
    tally, total = Tally(), 0.0
    for chance, order in endings:
        tally.add(order, chance)
        total += chance
    count = len(endings) // len(rest.strengths.estimates)
    return Odds(tally.rows(total, rest.up, rest.down), count, exact=True)


def _played(
    simulation: SeasonSimulation, seed: str, runs: int, enough: Callable[[int], bool] | None, so_far: Counts
) -> Counts:
    tally, done = Tally(so_far), so_far.runs
    while done < runs:
        tally.add(simulation.play(SeededSource(seed, done)))
        done += 1
        if enough and enough(done):
            break
    return tally.counts(done)
