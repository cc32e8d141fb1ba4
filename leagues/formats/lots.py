"""Chance without a generator: lots are hashes, so drawing again gives the same lot and anybody can check it."""

import hashlib
import struct
from functools import lru_cache


@lru_cache(maxsize=16384)
def lot(seed: str, *what: int | str) -> int:
    """A 64-bit lot for `what`, such as a round and an entrant, in the event with this seed; the lowest comes first."""
    text = "\x00".join((seed, *map(str, what)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


class Chances:
    """A stream of small whole numbers from a seed, the same on every machine."""

    def __init__(self, seed: str) -> None:
        self.seed = seed.encode()
        self.block = 0
        self.left: list[int] = []

    def below(self, count: int) -> int:
        """One of 0 to `count` - 1, for a count far below 65 536."""
        if not self.left:
            text = b"%s\x00%d" % (self.seed, self.block)
            self.left = list(struct.unpack("<32H", hashlib.blake2b(text).digest()))
            self.block += 1
        return self.left.pop() % count
