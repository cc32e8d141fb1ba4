"""Five colours in one number: six bits a colour, five for the count and a sixth, always clear, to catch a borrow.

Adding and paying tokens are `+` and `-` of whole numbers, a team's tokens copy as one int, and whether a price can be
met is one subtraction. A lane holds at most 31; the most a game can put there is 25 (18 bonuses and 7 tokens).

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

ONES: Final = 0x1041041
"""One of each colour."""

LANES: Final = vec[i64]([63 << (6 * colour) for colour in range(5)])
"""All bits of each colour."""

GUARD: Final = 0x20820820
"""The sixth bit of each lane."""


def lane(counts: i64, colour: i64) -> i64:
    """How many of one colour."""
    return (counts >> (6 * colour)) & 63


def total(counts: i64) -> i64:
    """How many of all colours together, up to 63: the product gathers every lane in the fifth."""
    return ((counts * ONES) >> 24) & 63


def minus(counts: i64, others: i64) -> i64:
    """Colour by colour what is left after taking away, and none where there is not enough."""
    left: i64 = (counts | GUARD) - others
    enough: i64 = left & GUARD
    return left & (enough - (enough >> 5))


def present(counts: i64) -> i64:
    """One of each colour that there is any of."""
    return ((counts + 31 * ONES) & GUARD) >> 5


def one(colour: i64) -> i64:
    """A single one of a colour."""
    unit: i64 = 1
    return unit << (6 * colour)  # at most the 24th bit; higher ones need `engine.bitset`
