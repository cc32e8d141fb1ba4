"""Moments on somebody's own clock: how they read, and when it next shows an hour."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, format_time
from django.utils import timezone
from django.utils.translation import get_language

# The house writes British English; Babel's plain "en" is American.
LOCALES = {"en": "en_GB"}
ISO = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d.*(Z|[+-]\d\d:\d\d))?")


def locale() -> str:
    language = get_language() or "en"
    return LOCALES.get(language, language)


def when(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, on the reader's clock."""
    local = timezone.localtime(moment)
    date = format_skeleton("MMMEd", local, locale=locale())
    return f"{date}, {format_time(local, format='short', locale=locale())}"


def day(date: date) -> str:
    """Fri 4 Dec, wherever the reader is."""
    return format_skeleton("MMMEd", date, locale=locale())


def said(params: Mapping[str, Any]) -> dict[str, Any]:
    """Params of a sentence, days and moments among them put into words: they are kept as ISO text."""
    return {name: _said(value) if isinstance(value, str) else value for name, value in params.items()}


def _said(text: str) -> str:
    if not ISO.fullmatch(text):
        return text
    try:
        return day(date.fromisoformat(text)) if len(text) == 10 else when(datetime.fromisoformat(text))
    except ValueError:
        return text


def kept(params: Mapping[str, Any]) -> dict[str, Any]:
    """The same params as they are stored."""
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in params.items()}


def next_at(*, after: datetime, zone: ZoneInfo, hour: int, weekday: int | None = None) -> datetime:
    """When a clock of this zone next shows the hour, on this weekday (Monday is 0) or on any.

    An hour that the change to summer time leaves out comes when the clocks have moved on; one that comes twice in
    autumn counts the first time.
    """
    today = after.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(9))
    moments = (
        datetime.combine(day, time(hour), zone).astimezone(UTC) for day in days if weekday in (None, day.weekday())
    )
    return next(moment for moment in moments if moment > after)
