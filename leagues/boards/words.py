"""Numbers as people write them."""

from django.utils.formats import number_format


def signed(number: float | None, places: int = 1) -> str:
    """With its sign, as changes are written; a true minus, which is as wide as a plus."""
    if number is None:
        return ""
    size = number_format(abs(number), places) if isinstance(number, float) else str(abs(number))
    return f"+{size}" if number > 0 else f"−{size}" if number < 0 else "±0"


def trend(number: float | None) -> str:
    return "up" if number and number > 0 else "down" if number and number < 0 else "level"
