"""Numbers as people write them."""

from decimal import ROUND_HALF_EVEN, Decimal

from django.utils.formats import number_format


def signed(number: float | None, places: int = 1) -> str:
    """A change with its sign; uses a real minus, which is as wide as a plus."""
    if number is None:
        return ""
    if isinstance(number, float):
        # Rounded here, because `number_format` truncates. Decimal, so that a thousandth is exact.
        rounded = Decimal(str(number)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
        size = number_format(abs(rounded), places)
    else:
        rounded, size = Decimal(number), str(abs(number))
    return f"+{size}" if rounded > 0 else f"−{size}" if rounded < 0 else "±0"


def plus_minus(deviation: float) -> int:
    """The number after ±: the true strength is within two deviations, nineteen times in twenty."""
    return round(2 * deviation)


def trend(number: float | None) -> str:
    return "up" if number and number > 0 else "down" if number and number < 0 else "level"
