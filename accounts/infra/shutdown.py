"""Stop long tasks at once when the process shuts down. Their rows say that the work is still pending.

A long task calls `check` between two steps, or registers a callback that stops it inside a step (`stop_with`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery.exceptions import Reject
from django.db import connection

_is_closing = False
_stops: list[Callable[[], object]] = []


class ShutdownRequested(Reject):
    """The process shuts down: the task goes back to its queue for another worker."""

    def __init__(self) -> None:
        super().__init__("the program closes", requeue=True)


def request_shutdown() -> None:
    """Stop all long work in this process."""
    global _is_closing
    _is_closing = True
    for stop in list(_stops):
        stop()


def check() -> None:
    if _is_closing:
        raise ShutdownRequested


@contextmanager
def stop_with(stop: Callable[[], object]) -> Iterator[None]:
    """For a step that cannot call `check`: another thread calls `stop`, and the step's result is discarded."""
    _stops.append(stop)
    try:
        check()  # after registering, so that a shutdown in between is not missed
        yield
    finally:
        _stops.remove(stop)
    check()


@contextmanager
def check_between_queries() -> Iterator[None]:
    """Call `check` before every query. A transaction that is interrupted is rolled back as a whole."""

    def check_first(execute: Callable[..., Any], sql: str, *call: Any) -> Any:
        if not sql.startswith(("ROLLBACK", "RELEASE")):  # the rollback itself must run
            check()
        return execute(sql, *call)

    with connection.execute_wrapper(check_first):
        yield
