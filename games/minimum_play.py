"""How much must be played before a match counts: every seat has had its turns."""

from collections.abc import Sequence

from games import engine_match
from games.models import Match, Move, Seat

TURNS_THAT_COUNT = 2
"""Every seat has so many before a match counts: whoever leaves earlier has shown no strength, and lost none."""


def is_early(match: Match) -> bool:
    """Whether some seat has not had its turns yet. A match by older rules cannot be looked into, and counts nowhere."""
    return match.is_current and min(engine_match.load(match).turns) < TURNS_THAT_COUNT


def hardly_played(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether a bot keeps the seat of somebody to the end who did not have their turns before the clock fell."""
    away = [seat.index for seat in seats if seat.left == Seat.Left.AWAY]
    if not away:
        return False
    played, own = engine_match.load_initial(match), [0] * match.players
    for index, notation, by in Move.objects.filter(match=match).order_by("ply").values_list("seat", "notation", "by"):
        before = played.turns
        played.repeat(index, notation)
        if by == Move.By.PERSON:
            own[index] += played.turns[index] - before[index]
    return any(own[index] < TURNS_THAT_COUNT for index in away)
