"""A progress bar for long runs in a terminal; silent when the output is not a terminal."""

import sys
import time
from types import TracebackType


class Progress:
    """`with Progress("Playing", total) as bar: ... bar.at(done)`."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = max(1, total)
        self.shown = sys.stderr.isatty()
        self.began = time.monotonic()
        self.drawn = 0.0

    def at(self, done: int) -> None:
        now = time.monotonic()
        if not self.shown or (now - self.drawn < 0.1 and done < self.total):
            return
        self.drawn = now
        share = done / self.total
        left = (now - self.began) / share * (1 - share) if share else 0
        bar = "█" * round(30 * share) + "░" * round(30 * (1 - share))
        sys.stderr.write(f"\r{self.what} {bar} {done:,} of {self.total:,}, {left:.0f} s left \x1b[K")
        sys.stderr.flush()

    def __enter__(self) -> "Progress":
        self.at(0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
