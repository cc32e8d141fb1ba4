"""Who is looking at a table now: one entry a seat in the shared cache, renewed by the page, and gone soon after it."""

import time
from collections.abc import Iterable

from django.core.cache import cache

from accounts.infra.best_effort_cache import ignore_errors
from games.models import Match

# Pages of players report every four seconds: one lost report does no harm.
PRESENT_FOR = 9


def record(match: Match, seat: int, here: bool) -> None:
    key = _key(match, seat)
    with ignore_errors():
        if here:
            cache.set(key, time.time(), PRESENT_FOR)
        else:
            cache.delete(key)


def seats_here(match: Match) -> set[int]:
    """All seats of a table whose players are here, in one look."""
    keys = {_key(match, seat): seat for seat in range(match.players)}
    with ignore_errors():
        return {keys[key] for key in cache.get_many(keys)}
    return set()


def tables_looked_at(tables: Iterable[tuple[str, int]]) -> set[str]:
    """Of these tables, by key and number of seats, those at which a player is here, in one look for all of them."""
    keys = {_seat_key(table, seat): table for table, players in tables for seat in range(players)}
    with ignore_errors():
        return {keys[key] for key in cache.get_many(keys)}
    return set()


def lost(match: Match, seat: int, heard_at: float) -> bool:
    """A page of this player is gone, last heard at this time. False if another page of theirs has reported since."""
    with ignore_errors():
        reported = cache.get(_key(match, seat))
        if reported is not None and reported > heard_at:
            return False
        cache.delete(_key(match, seat))
    return True


def _key(match: Match, seat: int) -> str:
    return _seat_key(match.key, seat)


def _seat_key(table: str, seat: int) -> str:
    return f"here-{table}-{seat}"
