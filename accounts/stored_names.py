"""People in stored sentences: the log and notices store who is meant, and are read with the name they have then.

So another name, a namesake or a deleted account need no search through what was written.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from accounts.models import User

# Params hold plain values, at most a sentence within a sentence. An imported file may hold anything.
MAX_DEPTH = 6


def store_people(params: Mapping[str, Any]) -> dict[str, Any]:
    """Params as they are stored: an account as its id."""
    return {key: {"user": value.pk} if isinstance(value, User) else value for key, value in params.items()}


def map_people(value: Any, change: Callable[[int], Any], *, depth: int = 0) -> Any:
    """Stored params with something else in place of every account."""
    if depth > MAX_DEPTH:
        raise ValueError("These params are nested too deep.")
    match value:
        case {"user": pk} if len(value) == 1:
            return change(pk)
        case dict():
            return {key: map_people(each, change, depth=depth + 1) for key, each in value.items()}
        case list():
            return [map_people(each, change, depth=depth + 1) for each in value]
        case _:
            return value


def load_names(stored: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    """The names of all accounts that these params mean, with one query."""
    meant: set[int] = set()
    for params in stored:
        map_people(params, meant.add)
    return {pk: user.name for pk, user in User.objects.in_bulk(meant).items()} if meant else {}


def with_names(params: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    named: dict[str, Any] = map_people(dict(params), lambda pk: names.get(pk, "–"))
    return named
