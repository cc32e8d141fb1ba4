"""Every possible end of a small rest of a season, each with its chance."""

from leagues.odds.campaign import Campaign
from leagues.odds.luck import TooMany, every
from leagues.odds.oracle import PlaysAgain

MOST = 4096
"""More ways than these are drawn from instead: the tree doubles with every table."""


def weigh(campaign: Campaign, most: int = MOST) -> list[tuple[float, list[list[int]]]] | None:
    """All ways with their chances; None where there are too many, or where they cannot be weighed table by table.

    Several estimates of the strengths have the same ways, each with its own chances.
    """
    ways: list[tuple[float, list[list[int]]]] = []
    try:
        for estimates in campaign.rest.strengths.estimates:
            found = every(lambda luck, at=estimates: campaign.play(luck, at), most)  # type: ignore[misc]
            ways += [(estimates.weight * chance, order) for chance, order in found]
    except (TooMany, PlaysAgain):
        return None
    return ways
