"""Names in a row, as each language says them."""

from collections.abc import Iterable

from babel.lists import format_list

from accounts.moments import locale, when

__all__ = ["listed", "when"]


def listed(names: Iterable[str]) -> str:
    """Ada, Bruno and Celia."""
    return format_list(list(names), locale=locale())
