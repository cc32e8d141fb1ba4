"""Database connections of threads and processes that keep their own, and transactions that do not wait for locks."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import OperationalError, connection, connections, transaction

T = TypeVar("T")

TRIES = 100
LONGEST_PAUSE_S = 0.2
LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code."""


def drop_broken_connections() -> None:
    """Close connections that a restarted database has dropped. Working ones stay open: a new one takes time."""
    for each in connections.all(initialized_only=True):
        if each.errors_occurred:
            each.close_if_unusable_or_obsolete()


def prepared_cursor(connection: Any) -> Any:
    """A cursor for statements that run with every move: PostgreSQL parses each of them once a connection,
    and soon plans it no more.

    Otherwise that takes it longer than running them. The values travel beside the statement and not in its text.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    from django.db.backends.postgresql.base import ServerBindingCursor

    connection.close_if_health_check_failed()
    connection.ensure_connection()
    connection.connection.prepare_threshold = 0  # at once; it counts for cursors of this kind alone
    with connection.wrap_database_errors:
        return connection._prepare_cursor(ServerBindingCursor(connection.connection))  # type: ignore[call-arg]


@contextmanager
def give_way() -> Iterator[None]:
    """Inside, a statement that would wait for a lock of somebody else fails instead.

    A transaction that never waits while it holds locks cannot be part of a deadlock. SQLite has one writer at a time
    and needs no such rule.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '1ms'")
        yield
        cursor.execute("SET LOCAL lock_timeout = DEFAULT")


def repeat_when_locked(attempt: Callable[[], T]) -> T:
    """Call it in a transaction, again from the start after a short pause for as long as it had to give way."""
    for left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                return attempt()
        except OperationalError as error:
            if not left or getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
        time.sleep(random.uniform(0.01, LONGEST_PAUSE_S))
    raise AssertionError("unreachable")
