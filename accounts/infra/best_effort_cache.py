"""For cached values that may be lost: an unreachable cache must not stop a game."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

log = structlog.get_logger("gauntlet.hints")


@contextmanager
def ignore_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Every cache backend has its own exceptions; none of them matters here.
        log.warning("cache out of reach", error=repr(error))
