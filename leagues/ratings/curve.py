"""The numbers that the fold looks up: how strong a rating is, and how much a game moves it.

Made of exact decimals once, so that they are the same on every machine; from there on the fold only adds, multiplies
and divides, which every machine does alike.
"""

from decimal import Decimal, localcontext

from leagues.ratings.kinds import SCALE

LOW_BITS = 12
LOW_MASK = (1 << LOW_BITS) - 1
BIAS = 1 << 23
"""Added to a rating before it is looked up: some 8 000 points below nought are still on the curve."""
TOP = (1 << 24) + BIAS - 1

SETTLED = 400
"""Games after which a newcomer's extra weight is too small to be seen in a floating-point number."""


def powers(step: int, count: int, first: int = 0) -> list[float]:
    """10 ** (x / 400 points) for x = first, first + step, ... in thousandths."""
    with localcontext() as context:
        context.prec = 40
        ten, span = Decimal(10), Decimal(400 * SCALE)
        factor, value = ten ** (step / span), ten ** (first / span)
        found = []
        for _ in range(count):
            found.append(float(value))
            value *= factor
    return found


LOW = powers(1, 1 << LOW_BITS)
HIGH = powers(1 << LOW_BITS, (TOP >> LOW_BITS) + 1, -BIAS)


def weights(base: int) -> list[float]:
    """K by games played, in thousandths: four times the base for a newcomer, the base in the end."""
    with localcontext() as context:
        context.prec = 40
        fade = (Decimal(-1) / 10).exp()
        extra, found = Decimal(3), []
        for _ in range(SETTLED + 1):
            found.append(float(base * SCALE * (1 + extra)))
            extra *= fade
    return found


K16 = weights(16)
K32 = weights(32)
