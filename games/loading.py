"""A match with its seats and the people in them, in one prepared query: messages and turns of bots begin with it."""

from typing import Any

from accounts.infra.prepared_query import PreparedQuery
from accounts.models import User
from games.models import Match, Seat

# What a frame says of a person.
NAMED = {"id", "handle", "display_name", "is_bot", "deleted_at", "trial_seen_at"}
# The columns that playing needs: with fewer of them a query costs half as much.
SEATS_OF_TABLE = (
    Seat.objects.select_related("match", "user")
    .defer(
        "match__snapshot",
        "match__commitment",
        "match__created_at",
        *(f"user__{field.name}" for field in User._meta.concrete_fields if field.name not in NAMED),
    )
    .order_by("index")
)
BY_KEY = PreparedQuery(lambda key: SEATS_OF_TABLE.filter(match__key=key), shared="match")
BY_ID = PreparedQuery(lambda pk: SEATS_OF_TABLE.filter(match=pk), placeholder=-(2**53), shared="match")


def with_seats(key: str) -> Match | None:
    return _loaded(BY_KEY, key)


def with_seats_by_id(match_id: int) -> Match | None:
    return _loaded(BY_ID, match_id)


def _loaded(query: PreparedQuery[Seat], value: Any) -> Match | None:
    seats = query.fetch(value)
    if not seats:
        return None
    match = seats[0].match
    loaded = match.seats.all()
    loaded._result_cache, loaded._prefetch_done = seats, True  # type: ignore[attr-defined]
    match._prefetched_objects_cache = {"seats": loaded}  # type: ignore[attr-defined]
    return match
