"""Our own random numbers: the same on every platform, Python version and build, for ever.

The generator is sfc32 (Chris Doty-Humphrey, public domain): 128 bits of state, four additions and shifts a number.
It is seeded from SHA-256 of the seed text and a stream name, so that the opening market does not give away the
decks, and so that each random source (each deck, each die, random picks) is independent of how often the others
were used: in duplicate play the same luck meets different decisions.

Compiled by mypyc; see `engine.build`.
"""

import hashlib
import struct
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

MASK: Final = 0xFFFFFFFF
THREE_WORDS: Final = struct.Struct("<3I")


class Rng:
    """One stream of random numbers. Mutable; `clone` it before looking ahead."""

    __slots__ = ("a", "b", "c", "d")

    def __init__(self, a: i64, b: i64, c: i64, d: i64) -> None:
        self.a: i64 = a
        self.b: i64 = b
        self.c: i64 = c
        self.d: i64 = d

    def clone(self) -> "Rng":
        return Rng(self.a, self.b, self.c, self.d)

    def word(self) -> i64:
        """The next 32 bits."""
        b: i64 = self.b
        c: i64 = self.c
        d: i64 = self.d
        t: i64 = (self.a + b + d) & MASK
        self.a = b ^ (b >> 9)
        self.b = (9 * c) & MASK
        self.c = (((c << 21) | (c >> 11)) + t) & MASK
        self.d = (d + 1) & MASK
        return t

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, every one exactly as likely (Lemire's multiplication with rejection).

        The first word is written out: a call fewer for every card, die and move of an interpreted match.
        """
        b: i64 = self.b
        c: i64 = self.c
        d: i64 = self.d
        t: i64 = (self.a + b + d) & MASK
        self.a = b ^ (b >> 9)
        self.b = (9 * c) & MASK
        self.c = (((c << 21) | (c >> 11)) + t) & MASK
        self.d = (d + 1) & MASK
        product: i64 = t * n
        low: i64 = product & MASK
        if low < n:
            unfair: i64 = (MASK + 1 - n) % n
            while low < unfair:
                product = self.word() * n
                low = product & MASK
        return product >> 32

    def shuffle(self, items: vec[i64]) -> None:
        """Fisher-Yates, in place."""
        i: i64 = len(items) - 1
        while i > 0:
            j: i64 = self.below(i + 1)
            swapped: i64 = items[i]
            items[i] = items[j]
            items[j] = swapped
            i -= 1

    def fork(self, label: i64) -> "Rng":
        """A new stream that depends on this one's state and on `label`; this one does not change.

        For streams made during play (the dice of one turn), where hashing a name would cost more than the turn.
        """
        return mixed(self.a ^ (label & MASK), self.b, self.c ^ ((label >> 32) & MASK), self.d)

    def ints(self) -> tuple[int, ...]:
        return (self.a, self.b, self.c, self.d)


def mixed(a: i64, b: i64, c: i64, d: i64) -> Rng:
    """A stream whose starting words are mixed well enough to be used: sfc32 needs a dozen rounds."""
    rng = Rng(a, b, c, d)
    i: i64 = 0
    while i < 15:
        rng.word()
        i += 1
    return rng


def stream(seed: str, name: str) -> Rng:
    """The stream called `name` of a match played from `seed`."""
    a, b, c = THREE_WORDS.unpack_from(hashlib.sha256(f"{seed}\x00{name}".encode()).digest())
    return mixed(a, b, c, 1)
