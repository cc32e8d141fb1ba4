"""How long the rest of a whole season takes: `python -m tests.leagues.odds.benchmark [runs]`, processor time.

Ratings are uncertain by 100 points, so that every run draws its own strengths.
"""

import sys
from dataclasses import replace

from leagues.odds.simulation.monte_carlo import RUNS, odds
from tests.leagues.odds import season_factories
from tests.leagues.odds.season_factories import rest, strengths

FOURS = {"seats": 4, "least": 3}
KINDS = {
    "Swiss of 16, five rounds": rest(replace(season_factories.SWISS, planned=5), 16),
    "table Swiss of 16, four rounds": rest(
        replace(season_factories.TABLE_SWISS, settings=FOURS, planned=4), 16, tie_breaks="table-swiss"
    ),
    "round robin of 12": rest(season_factories.ROUND_ROBIN, 12, tie_breaks="round-robin"),
    "knock-out of 16": rest(season_factories.KNOCK_OUT, 16),
}


def main(runs: int) -> None:
    for name, season in KINDS.items():
        unsure = strengths(len(season.stage.history.entrants), deviation=100)
        found = odds(replace(season, strengths=unsure), seed="measured", runs=runs)
        print(f"{name}: {found.runs} runs in {found.seconds:.1f} s, {1000 * found.seconds / found.runs:.2f} ms each")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
