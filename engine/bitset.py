"""Sets as the bits of a 64-bit number: one bit, the lowest of a set, how many there are.

mypyc writes a small literal as a C `int`: compiled, `i64(1) << n` is a 32-bit shift and wrong from 31 places on, while
the interpreted one is right. A literal too large for an `int` is shifted in 64 bits by both.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

TOP: Final = 1 << 62

DE_BRUIJN: Final = 0x03F79D71B4CB0A89
"""Every run of six bits occurs in it only once, so the top six bits show how far it was shifted."""

SHIFTS: Final = vec[i64](sorted(range(64), key=lambda n: (DE_BRUIJN << n) >> 58 & 63))


def bit(n: i64) -> i64:
    """The number with only bit `n` set."""
    return TOP >> (62 - n)


def lowest(mask: i64) -> i64:
    """The position of the lowest bit of a non-empty set."""
    return SHIFTS[(((mask & -mask) * DE_BRUIJN) >> 58) & 63]


def size(mask: i64) -> i64:
    """How many bits are set, counted in all pairs at once, then in fours, then in bytes, which the product adds up.

    The first constant lacks its highest bit, which no set has: mypyc makes an object of a literal beyond 62 bits.
    """
    mask -= (mask >> 1) & 0x1555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    return ((((mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56) & 63
