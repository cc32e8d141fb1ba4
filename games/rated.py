"""What can be rated: tables by the game's own rules, so that every result means the same, in which all have played."""

from collections.abc import Mapping, Sequence
from typing import Any

import engine
from games import referee
from games.models import Match, Move, Seat

TURNS_THAT_COUNT = 2
"""Every seat has so many before a match counts: whoever leaves earlier has shown no strength, and lost none."""

SCENARIOS = {"thanos-rising": "preset"}
"""Where all play together, the option that names what they play against: its difficulty is rated too."""


def scenario(game: str, options: Mapping[str, Any]) -> str:
    """What the team plays against; empty where the players play against each other."""
    name = SCENARIOS.get(game)
    if name is None:
        return ""
    default = next(option.default for option in engine.game(game).options if option.name == name)
    return str(options.get(name) or default)


def is_ratable(game: str, options: Mapping[str, Any]) -> bool:
    return set(options) <= {SCENARIOS.get(game)}


def is_early(match: Match) -> bool:
    """Whether some seat has not had its turns yet. A match by older rules cannot be looked into, and counts nowhere."""
    return match.is_current and min(referee.at(match).turns) < TURNS_THAT_COUNT


def hardly_played(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether a bot keeps the seat of somebody to the end who did not have their turns before the clock fell."""
    away = [seat.index for seat in seats if seat.left == Seat.Left.AWAY]
    if not away:
        return False
    played, own = referee.dealt(match), [0] * match.players
    for index, notation, by in Move.objects.filter(match=match).order_by("ply").values_list("seat", "notation", "by"):
        before = played.turns
        played.repeat(index, notation)
        if by == Move.By.PERSON:
            own[index] += played.turns[index] - before[index]
    return any(own[index] < TURNS_THAT_COUNT for index in away)
