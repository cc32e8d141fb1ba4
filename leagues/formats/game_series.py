"""A series: two play several games, and whoever wins more than half of them wins the pairing.

A drawn game counts for neither side and is played again, until so many games were played that whoever has won more of
them wins.
"""

from collections.abc import Mapping, Sequence
from typing import Any

LENGTHS = (1, 3, 5)
MOST_GAMES = 25
"""Of one series, drawn games included: two bots may end level for ever."""
BEST_OF = "best_of"
"""The name of the setting; stages from before it was there are played as single games."""


def best_of(settings: Mapping[str, Any]) -> int:
    length: int = settings.get(BEST_OF, 1)
    return length


def games_needed(length: int) -> int:
    """How many games win a series of this length."""
    return length // 2 + 1


def winner(length: int, won: Sequence[int]) -> int | None:
    """Which of the two sides has won, by the games won by each; None while it is not decided."""
    needed = games_needed(length)
    return next((side for side, games in enumerate(won) if games >= needed), None)


def is_final(length: int, won: Sequence[int], *, may_be_level: bool) -> bool:
    """Whether a series can have ended like this: one side has just enough games and the other fewer.

    Where a level series is possible, it ends before either side has enough.
    """
    needed = games_needed(length)
    one, other = won
    if one == other:
        return may_be_level and 0 <= one < needed
    return max(won) == needed and 0 <= min(won) < needed
