"""Chance without a generator: lots are hashes, so drawing again gives the same lot and anybody can check it."""

import hashlib
from functools import lru_cache


@lru_cache(maxsize=16384)
def lot(seed: str, *what: int | str) -> int:
    """A 64-bit lot for `what` (a round and an entrant, say) in the event drawn from `seed`; the lowest comes first."""
    text = "\x00".join((seed, *map(str, what)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
