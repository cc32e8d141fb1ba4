"""Every possible end of a small rest of a season, each with its chance."""

from leagues.odds.campaign import Campaign
from leagues.odds.luck import TooMany, every

MOST = 4096
"""More ways than these are drawn from instead: the tree doubles with every table."""


def weigh(campaign: Campaign, most: int = MOST) -> list[tuple[float, list[list[int]]]] | None:
    """All ways with their chances; None where there are too many."""
    try:
        return list(every(campaign.play, most))
    except TooMany:
        return None
