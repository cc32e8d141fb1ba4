"""A program that is told to stop puts long work down at once: its rows say that it is still owed.

Whoever works long asks between two steps (`heed`), or says how to be stopped in the middle of one (`stopped_by`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery.exceptions import Reject
from django.db import connection

_is_closing = False
_stops: list[Callable[[], object]] = []


class PutDown(Reject):
    """The program closes: the task goes back to its queue, for whoever is at work next."""

    def __init__(self) -> None:
        super().__init__("the program closes", requeue=True)


def begin() -> None:
    """From now on no long work goes on in this process."""
    global _is_closing
    _is_closing = True
    for stop in list(_stops):
        stop()


def heed() -> None:
    if _is_closing:
        raise PutDown


@contextmanager
def stopped_by(stop: Callable[[], object]) -> Iterator[None]:
    """A step that cannot ask: it is stopped like this, from another thread, and what it gives then is no answer."""
    _stops.append(stop)
    try:
        heed()  # after it is known how: whichever of the two comes first, it is stopped
        yield
    finally:
        _stops.remove(stop)
    heed()


@contextmanager
def between_queries() -> Iterator[None]:
    """Asks before every query: a transaction that is put down half-way is undone whole."""

    def ask(execute: Callable[..., Any], sql: str, *call: Any) -> Any:
        if not sql.startswith(("ROLLBACK", "RELEASE")):  # which is how it is undone
            heed()
        return execute(sql, *call)

    with connection.execute_wrapper(ask):
        yield
