"""Bits of a 64-bit number, safely.

mypyc writes a small literal as a C `int`: compiled, `i64(1) << n` is a 32-bit shift and wrong from 31 places on, while
the interpreted one is right. A number that arrives as an argument has its 64 bits in both builds.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64


def shifted(number: i64, places: i64) -> i64:
    return number << places


def bit(n: i64) -> i64:
    """The number with only bit `n` set."""
    return shifted(1, n)
