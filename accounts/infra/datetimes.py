"""Dates and times in the reader's language and time zone, and what else the params of a sentence hold."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, format_time
from django.utils import timezone
from django.utils.translation import get_language, pgettext

# The site is in British English; Babel's plain "en" is American.
LOCALES = {"en": "en_GB"}
ISO = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d.*(Z|[+-]\d\d:\d\d))?")


def locale() -> str:
    language = get_language() or "en"
    return LOCALES.get(language, language)


def format_datetime(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, in the reader's time zone."""
    local = timezone.localtime(moment)
    date = format_skeleton("MMMEd", local, locale=locale())
    return f"{date}, {format_time(local, format='short', locale=locale())}"


def format_day(date: date) -> str:
    """Fri 4 Dec, in any time zone."""
    return format_skeleton("MMMEd", date, locale=locale())


def localize_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Params of a sentence, with ISO dates and times and the title of a game as the reader writes them."""
    return {name: _localize(name, value) if isinstance(value, str) else value for name, value in params.items()}


def _localize(name: str, text: str) -> str:
    if name == "game" and text:
        return pgettext("game", text)
    if not ISO.fullmatch(text):
        return text
    try:
        return (
            format_day(date.fromisoformat(text)) if len(text) == 10 else format_datetime(datetime.fromisoformat(text))
        )
    except ValueError:
        return text


def serialize_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Params as they are stored: dates and times as ISO text."""
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in params.items()}


def next_at(*, after: datetime, zone: ZoneInfo, hour: int, weekday: int | None = None) -> datetime:
    """The next time it is this hour in the zone, on this weekday (Monday is 0) or on any day.

    An hour skipped by summer time becomes the hour after the change; one that occurs twice counts the first time.
    """
    today = after.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(9))
    moments = (
        datetime.combine(day, time(hour), zone).astimezone(UTC) for day in days if weekday in (None, day.weekday())
    )
    return next(moment for moment in moments if moment > after)
