"""A finished match ply by ply, as the replay page and the API show it."""

from typing import Any

import engine
from games import engine_match
from games.models import Match, Move

PLIES_AT_ONCE = 40
"""The most that one request is answered with."""


def serialize_plies(match: Match, seat: int | None, start: int) -> list[dict[str, Any]]:
    """From ply `start` on, the view at each ply and what had just happened there, as one seat saw it.

    A record that was edited or cut is shown as far as it replays.
    """
    if not match.is_current:
        return []
    moves = list(Move.objects.filter(match=match).order_by("ply").values_list("seat", "notation"))
    played = engine_match.load_initial(match)
    plies = []
    for ply in range(min(start + PLIES_AT_ONCE, match.ply + 1)):
        if ply > len(moves):
            break
        if ply:
            try:
                played.repeat(*moves[ply - 1])
            except engine.IllegalAction:
                break
        if ply >= start:
            plies.append({"v": ply, "view": played.view(seat), "events": played.events(seat, ply)})
    return plies
