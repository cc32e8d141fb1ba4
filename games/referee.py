"""The engine's matches behind the rows: rebuilt from the record, remembered by this process."""

import threading
from collections import OrderedDict

import engine
from engine.kernel import UNDO
from games import fairness
from games.models import Match, Move

REMEMBERED = 256

_guard = threading.Lock()
_known: OrderedDict[int, engine.Match] = OrderedDict()


class OldRules(Exception):
    """The match was played by rules that this house no longer has."""


def at(match: Match, ply: int | None = None) -> engine.Match:
    """The match as it stood at a ply (by default where the row stands), for the caller alone to play on."""
    ply = match.ply if ply is None else ply
    with _guard:
        known = _known.get(match.pk)
    # A remembered match is never played on: two threads may look at it at once.
    played = known.clone() if known is not None and known.ply <= ply else dealt(match)
    if played.ply < ply:
        moves = Move.objects.filter(match=match, ply__gte=played.ply, ply__lt=ply).order_by("ply")
        for seat, notation in moves.values_list("seat", "notation"):
            played.repeat(seat, notation)
        if ply == match.ply:
            remember(match.pk, played)
    if played.ply != ply:
        raise LookupError(f"the record of {match} has {played.ply} plies, not {ply}")
    return played


def dealt(match: Match) -> engine.Match:
    """The match before its first move."""
    if not match.is_current:
        raise OldRules(f"{match} was played by rules {match.rules_version}")
    return engine.game(match.game).start(match.players, fairness.seed_of(match), match.options)


def remember(match_id: int, played: engine.Match) -> None:
    """Keep what was committed, for the next look at the same match; a copy, because the caller may play on."""
    with _guard:
        known = _known.get(match_id)
        if known is None or known.ply <= played.ply:
            _known[match_id] = played.clone()
            _known.move_to_end(match_id)
        while len(_known) > REMEMBERED:
            _known.popitem(last=False)


def leads_further(played: engine.Match) -> bool:
    """Whether the last move leads further than the match has ever been: no take-back, nor an answer in place of one."""
    standing = furthest = 0
    for entry in played.entries:
        before = furthest
        standing += -1 if entry.move == UNDO else 1
        furthest = max(furthest, standing)
    return bool(played.entries) and furthest > before


def taken_back(played: engine.Match) -> list[int]:
    """The plies whose answers were taken back: what was told about them no longer holds."""
    standing: list[int] = []
    gone: list[int] = []
    for ply, entry in enumerate(played.entries, 1):
        if entry.move == UNDO:
            gone.append(standing.pop())
        else:
            standing.append(ply)
    return gone


def forget() -> None:
    """Start with an empty memory, as a new process does."""
    with _guard:
        _known.clear()
