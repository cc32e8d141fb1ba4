"""Many runs, counted."""

from collections.abc import Callable

from leagues.formats.errors import FormatError
from leagues.odds import exact
from leagues.odds.campaign import Campaign
from leagues.odds.luck import Dice
from leagues.odds.values import Chances, NoOdds, Odds, Rest

RUNS = 10_000
BATCH = 100
"""Between so many runs somebody is asked whether it is enough."""
LEAST = 200
"""Fewer runs say too little, however long they take."""


class Tally:
    """How often each came in each place. Those who end level share their places between them."""

    def __init__(self) -> None:
        self.places: dict[int, list[float]] = {}

    def add(self, order: list[list[int]], weight: float = 1.0) -> None:
        if not self.places:
            everybody = [who for level in order for who in level]
            self.places = {who: [0.0] * len(everybody) for who in everybody}
        place = 0
        for level in order:
            if len(level) == 1:
                self.places[level[0]][place] += weight
            else:
                for who in level:
                    for each in range(place, place + len(level)):
                        self.places[who][each] += weight / len(level)
            place += len(level)

    def rows(self, total: float, up: int, down: int) -> tuple[Chances, ...]:
        """Best first."""
        rows = []
        for who, counted in self.places.items():
            places = tuple(each / total for each in counted)
            expected = sum(place * chance for place, chance in enumerate(places, 1))
            falls = sum(places[len(places) - down :]) if down else 0.0
            rows.append(Chances(who, places, places[0], sum(places[:up]), falls, expected))
        return tuple(sorted(rows, key=lambda row: (-row.title, row.expected, row.entrant)))


def odds(
    rest: Rest, *, seed: str, runs: int = RUNS, enough: Callable[[int], bool] | None = None, weigh: bool = True
) -> Odds:
    """Where few enough ends are possible all of them are weighed, otherwise so many runs are played.

    `enough` may end it earlier, after a whole batch. The same rest, seed and number of runs give the same numbers.
    """
    try:
        return _odds(Campaign(rest), seed, runs, enough, weigh)
    except FormatError as error:
        # Nothing can be drawn from here by the rules; whoever draws the real round is told why.
        raise NoOdds("impossible") from error


def _odds(campaign: Campaign, seed: str, runs: int, enough: Callable[[int], bool] | None, weigh: bool) -> Odds:
    rest = campaign.rest
    tally = Tally()
    ways = exact.weigh(campaign) if weigh else None
    if ways is not None:
        total = 0.0
        for chance, order in ways:
            tally.add(order, chance)
            total += chance
        return Odds(tally.rows(total, rest.up, rest.down), len(ways), exact=True)
    done = 0
    while done < runs and not (enough and done >= LEAST and enough(done)):
        for run in range(done, min(done + BATCH, runs)):
            tally.add(campaign.play(Dice(seed, run)))
        done = min(done + BATCH, runs)
    return Odds(tally.rows(float(done), rest.up, rest.down), done, exact=False)
