"""Many runs, counted."""

from collections.abc import Callable
from time import process_time

from leagues.formats.errors import FormatError
from leagues.odds import exact
from leagues.odds.campaign import Campaign
from leagues.odds.luck import Dice
from leagues.odds.values import NOTHING, Chances, Counts, NoOdds, Odds, Rest

RUNS = 10_000
LEAST = 200
"""Fewer runs say too little to be shown while more are coming."""


class Tally:
    """How often each came in each place. Those who end level share their places between them."""

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
        # In order, so that the sums do not depend on who came first in which run.
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
    rest: Rest,
    *,
    seed: str,
    runs: int = RUNS,
    enough: Callable[[int], bool] | None = None,
    weigh: bool = True,
    so_far: Counts = NOTHING,
) -> Odds:
    """Where few enough ends are possible all of them are weighed, otherwise so many runs are played.

    `enough` may end it earlier, after any run, and `so_far` goes on from there. The same rest, seed and number of
    runs give the same numbers, however often it was interrupted.
    """
    begun = process_time()
    try:
        campaign = Campaign(rest)
        ways = exact.weigh(campaign) if weigh and not so_far.runs else None
        if ways is not None:
            return _weighed(rest, ways)
        counts = _played(campaign, seed, runs, enough, so_far)
    except FormatError as error:
        # Nothing can be drawn from here by the rules; whoever draws the real round is told why.
        raise NoOdds("impossible") from error
    rows = Tally(counts).rows(counts.runs, rest.up, rest.down)
    return Odds(rows, counts.runs, exact=False, counts=counts, seconds=process_time() - begun)


def _weighed(rest: Rest, ways: list[tuple[float, list[list[int]]]]) -> Odds:
    tally, total = Tally(), 0.0
    for chance, order in ways:
        tally.add(order, chance)
        total += chance
    ends = len(ways) // len(rest.strengths.estimates)
    return Odds(tally.rows(total, rest.up, rest.down), ends, exact=True)


def _played(campaign: Campaign, seed: str, runs: int, enough: Callable[[int], bool] | None, so_far: Counts) -> Counts:
    tally, done = Tally(so_far), so_far.runs
    while done < runs:
        tally.add(campaign.play(Dice(seed, done)))
        done += 1
        if enough and enough(done):
            break
    return tally.counts(done)
