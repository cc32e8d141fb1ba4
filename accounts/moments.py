"""Moments on somebody's own clock: how they read, and when it next shows an hour."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, format_time
from django.utils import timezone
from django.utils.translation import get_language

# The house writes British English; Babel's plain "en" is American.
LOCALES = {"en": "en_GB"}


def locale() -> str:
    language = get_language() or "en"
    return LOCALES.get(language, language)


def when(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, on the reader's clock."""
    local = timezone.localtime(moment)
    date = format_skeleton("MMMEd", local, locale=locale())
    return f"{date}, {format_time(local, format='short', locale=locale())}"


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
