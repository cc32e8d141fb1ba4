"""Lookup tables of the rating update: the strength of a rating, and the weight of an uncertain difference.

Made from exact decimals, so that they are the same on every machine. The update only adds, multiplies and divides,
which every machine does alike.
"""

from decimal import Decimal, localcontext

from leagues.elo.result_types import SCALE

LOW_BITS = 12
LOW_MASK = (1 << LOW_BITS) - 1
BIAS = 1 << 23
"""Added to a rating before the lookup, so that ratings down to about -8 000 points are in the table."""
TOP = (1 << 24) + BIAS - 1

GAP_BITS = 13
"""A step of the table of gaps is 8.192 squared points."""
GAPS = 1 << 14

PI = Decimal("3.14159265358979323846264338327950288419716939937511")


def powers(step: int, count: int, first: int = 0) -> list[float]:
    """10 ** (x / 400 points) for x = first, first + step, ... in thousandths."""
    with localcontext() as context:
        context.prec = 40
        ten, span = Decimal(10), Decimal(400 * SCALE)
        factor, value = ten ** (step / span), ten ** (first / span)
        values = []
        for _ in range(count):
            values.append(float(value))
            value *= factor
    return values


def gaps() -> list[float]:
    """The weight of a difference with variance V:  1 / √(1 + 3 q² V / π²), q = ln 10 / 400."""
    with localcontext() as context:
        context.prec = 40
        step = Decimal(1 << GAP_BITS) / SCALE
        each = 3 * (Decimal(10).ln() / 400 / PI) ** 2 * step
        # For the middle of every step.
        return [float(1 / (1 + each * (number + Decimal("0.5"))).sqrt()) for number in range(GAPS)]


LOW = powers(1, 1 << LOW_BITS)
HIGH = powers(1 << LOW_BITS, (TOP >> LOW_BITS) + 1, -BIAS)
GAP = gaps()
