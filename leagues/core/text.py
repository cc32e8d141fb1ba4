"""Lists of names and remaining times in the reader's language."""

from collections.abc import Iterable
from datetime import datetime

from babel.dates import format_timedelta
from babel.lists import format_list
from django.utils import timezone

from accounts.infra.datetimes import locale


def join_names(names: Iterable[str]) -> str:
    """Ada, Bruno and Celia."""
    return format_list(list(names), locale=locale())


def time_left(moment: datetime) -> str:
    """In 3 days, or 3 days ago."""
    return format_timedelta(moment - timezone.now(), threshold=1.5, add_direction=True, locale=locale())
