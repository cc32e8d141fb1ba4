"""The initial offsets of a pool: the balance measured in matches between bots of one level.

A win share becomes the difference in rating that explains it. The engine's record has, by number of players, the
share of each role, of each seat where all play against all, or of each scenario where all play together.
"""

from collections.abc import Mapping
from math import log10
from typing import Any

from engine.balance import recorded
from leagues.elo.result_types import SCALE, START, RatingKind


def initial_offsets(game: str, kind: RatingKind, solo_role: str = "") -> dict[str, int]:
    """Offsets in thousandths of a point by "players:name"; a game that was never measured starts level."""
    return seeds(kind, recorded(game), solo_role)


def seeds(kind: RatingKind, measured: Mapping[int, Mapping[str, Any]], solo_role: str = "") -> dict[str, int]:
    """`solo_role` is the role that plays alone, where one plays against many."""
    offsets: dict[str, int] = {}
    for players, table in measured.items():
        matches = int(table["matches"])
        if kind is RatingKind.FREE_FOR_ALL and "seats" in table:
            offsets.update((f"{players}:{seat}", value) for seat, value in enumerate(_seats(table["seats"], matches)))
        elif kind is RatingKind.ONE_VS_MANY and "roles" in table:
            offsets[f"{players}:"] = _ahead(table["roles"][solo_role], matches)
        elif kind is RatingKind.COOPERATIVE:
            # The one entry beside the count is the option that names the scenario.
            for scenarios in (value for value in table.values() if isinstance(value, Mapping)):
                for name, share in scenarios.items():
                    offsets[f"{players}:{name}"] = START - _ahead(share, matches)
    return offsets


def _ahead(share: float, matches: int) -> int:
    """The rating lead of a side with this share of wins; finite even if it won or lost every match."""
    likely = (share * matches + 1) / (matches + 2)
    return round(400 * SCALE * log10(likely / (1 - likely)))


def _seats(shares: list[float], matches: int) -> list[int]:
    """Offsets of the seats in proportion to their wins; they sum to zero."""
    strengths = [400 * SCALE * log10((share * matches + 1) / (matches + len(shares))) for share in shares]
    middle = sum(strengths) / len(strengths)
    offsets = [round(strength - middle) for strength in strengths]
    offsets[-1] = -sum(offsets[:-1])
    return offsets
