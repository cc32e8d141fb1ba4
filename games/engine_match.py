"""The engine's matches behind the rows: rebuilt from the record, cached in this process."""

import threading
from collections import OrderedDict

import engine
from games import fairness
from games.models import Match, Move

MAX_CACHED = 256

_guard = threading.Lock()
_cached: OrderedDict[int, engine.Match] = OrderedDict()


class UnsupportedRules(Exception):
    """The match was played by rules that this version no longer has."""


def load(match: Match, ply: int | None = None) -> engine.Match:
    """The match at a ply (by default the current one). The caller gets a copy of its own to play on."""
    ply = match.ply if ply is None else ply
    with _guard:
        cached = _cached.get(match.pk)
    # Never play on the cached match: two threads may use it at once.
    played = cached.clone() if cached is not None and cached.ply <= ply else load_initial(match)
    if played.ply < ply:
        moves = Move.objects.filter(match=match, ply__gte=played.ply, ply__lt=ply).order_by("ply")
        for seat, notation in moves.values_list("seat", "notation"):
            played.repeat(seat, notation)
        if ply == match.ply:
            cache(match.pk, played.clone())
    if played.ply != ply:
        raise LookupError(f"the record of {match} has {played.ply} plies, not {ply}")
    return played


def load_initial(match: Match) -> engine.Match:
    """The match before its first move."""
    if not match.is_current:
        raise UnsupportedRules(f"{match} was played by rules {match.rules_version}")
    return engine.game(match.game).start(match.players, fairness.seed_of(match), match.engine_options)


def cache(match_id: int, played: engine.Match) -> None:
    """Keep a committed match for the next `load`, which copies it. Nobody may play on this one any more."""
    with _guard:
        cached = _cached.get(match_id)
        if cached is None or cached.ply <= played.ply:
            _cached[match_id] = played
            _cached.move_to_end(match_id)
        while len(_cached) > MAX_CACHED:
            _cached.popitem(last=False)


def forget(match_id: int) -> None:
    """Drop a match that is deleted."""
    with _guard:
        _cached.pop(match_id, None)


def clear_cache() -> None:
    """Start with an empty cache, as a new process does."""
    with _guard:
        _cached.clear()
