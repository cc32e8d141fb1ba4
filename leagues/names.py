"""Names in a row and time left, as each language says them."""

from collections.abc import Iterable
from datetime import datetime

from babel.dates import format_timedelta
from babel.lists import format_list
from django.utils import timezone

from accounts.moments import locale, when

__all__ = ["left", "listed", "when"]


def listed(names: Iterable[str]) -> str:
    """Ada, Bruno and Celia."""
    return format_list(list(names), locale=locale())


def left(moment: datetime) -> str:
    """In 3 days, or 3 days ago."""
    return format_timedelta(moment - timezone.now(), threshold=1.5, add_direction=True, locale=locale())
