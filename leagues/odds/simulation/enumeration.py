"""All possible endings of a season with few games left, each with its probability."""

from leagues.odds.simulation.outcome_model import PlaysAgain
from leagues.odds.simulation.random_source import TooMany, every
from leagues.odds.simulation.season import SeasonSimulation

MOST = 4096
"""With more endings than these, runs are simulated instead: their number doubles with every table."""


def enumerate_endings(simulation: SeasonSimulation, most: int = MOST) -> list[tuple[float, list[list[int]]]] | None:
    """All endings with their probabilities; None if there are too many, or if an uncertain strength counts twice.

    Several estimates of the strengths have the same endings, each with its own probabilities.
    """
    endings: list[tuple[float, list[list[int]]]] = []
    try:
        for estimates in simulation.rest.strengths.estimates:
            outcomes = every(lambda luck, at=estimates: simulation.play(luck, at), most)  # type: ignore[misc]
            endings += [(estimates.weight * chance, order) for chance, order in outcomes]
    except (TooMany, PlaysAgain):
        return None
    return endings
