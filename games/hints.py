"""What is nice to know and may be lost: a cache that is out of reach keeps nobody from playing."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

log = structlog.get_logger("gauntlet.hints")


@contextmanager
def hint() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Whatever the cache is made of, it has errors of its own; none of them matters here.
        log.warning("cache out of reach", error=repr(error))
