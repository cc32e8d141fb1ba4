"""Where a pool's offsets begin: the balance that the house measured with bots of one level among themselves.

A win share becomes the difference in rating that would explain it. The engine's record has, by number of players, the
share of each role, of each seat where all play against all, or of each scenario where all play together.
"""

from collections.abc import Mapping
from math import log10
from typing import Any

from engine.balance import recorded
from leagues.ratings.kinds import SCALE, SOLO, START, Kind, kind_of


def of(game: str) -> dict[str, int]:
    """Offsets in thousandths of a point by "players:name"; a game that was never measured starts level."""
    return seeds(kind_of(game), recorded(game))


def seeds(kind: Kind, measured: Mapping[int, Mapping[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for players, table in measured.items():
        matches = int(table["matches"])
        if kind is Kind.FREE_FOR_ALL and "seats" in table:
            found.update((f"{players}:{seat}", value) for seat, value in enumerate(_seats(table["seats"], matches)))
        elif kind is Kind.ONE_VS_MANY and "roles" in table:
            found[f"{players}:"] = _ahead(table["roles"][SOLO], matches)
        elif kind is Kind.COOPERATIVE:
            # The one entry beside the count is the option that names the scenario.
            for scenarios in (value for value in table.values() if isinstance(value, Mapping)):
                for name, share in scenarios.items():
                    found[f"{players}:{name}"] = START - _ahead(share, matches)
    return found


def _ahead(share: float, matches: int) -> int:
    """By how much a side with this share of wins is ahead; never without end, however one-sided the sample was."""
    likely = (share * matches + 1) / (matches + 2)
    return round(400 * SCALE * log10(likely / (1 - likely)))


def _seats(shares: list[float], matches: int) -> list[int]:
    """The seats' strengths in proportion to their wins, with a sum of nought."""
    strengths = [400 * SCALE * log10((share * matches + 1) / (matches + len(shares))) for share in shares]
    middle = sum(strengths) / len(strengths)
    offsets = [round(strength - middle) for strength in strengths]
    offsets[-1] = -sum(offsets[:-1])
    return offsets
