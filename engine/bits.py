"""Single bits of a 64-bit number.

mypyc writes a small literal as a C `int`: compiled, `i64(1) << n` is a 32-bit shift and wrong from 31 places on, while
the interpreted one is right. A literal too large for an `int` is shifted in 64 bits by both.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from mypy_extensions import i64

TOP: Final = 1 << 62


def bit(n: i64) -> i64:
    """The number with only bit `n` set."""
    return TOP >> (62 - n)
