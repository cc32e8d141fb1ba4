"""Days and hours on the club's own clock, and the moments in UTC that they stand for."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_skeleton, format_time
from dateutil.rrule import FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, rrule
from dateutil.tz import resolve_imaginary
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.datetimes import locale
from accounts.infra.errors import Refused
from accounts.models import Club
from leagues.models import Series

WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)
# A day outside these is a typing error.
EARLIEST, LATEST = date(2000, 1, 1), date(2100, 12, 31)


class FieldRefused(Refused):
    """The request cannot be accepted; `field` is the form field that the message is about."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


def zone_of(club: Club) -> ZoneInfo:
    try:
        return ZoneInfo(club.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        # A zone that a later time-zone database dropped must not close the calendar.
        return ZoneInfo("UTC")


def moment(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """The moment in UTC. An hour that the clock skips that day is moved later by the length of the gap.

    Of an hour that occurs twice, the first is taken, unless `fold` says otherwise.
    """
    local = datetime.combine(day, hour, tzinfo=zone)
    return resolve_imaginary(local).astimezone(UTC)


def today(club: Club) -> date:
    return timezone.localtime(timezone=zone_of(club)).date()


def occurrences(every: str, first: date, last: date) -> list[date]:
    """The days of a series, exceptions included."""
    for day, field in ((first, "first"), (last, "last")):
        check_day(day, field)
    if last < first:
        raise FieldRefused(gettext("The last night comes after the first."), "last")
    start = datetime.combine(first, time())
    until = datetime.combine(last, time())
    if every == Series.Every.MONTH:
        # The fifth weekday of a month means the last: not every month has a fifth.
        nth = (first.day - 1) // 7 + 1
        weekday = WEEKDAYS[first.weekday()](nth if nth < 5 else -1)
        rule = rrule(MONTHLY, dtstart=start, until=until, byweekday=weekday)
    elif every in (Series.Every.WEEK, Series.Every.FORTNIGHT):
        rule = rrule(WEEKLY, interval=2 if every == Series.Every.FORTNIGHT else 1, dtstart=start, until=until)
    else:
        raise FieldRefused(gettext("Nights recur every week, every second week or every month."), "every")
    return [day.date() for day in rule]


def check_day(day: date, field: str) -> None:
    if not EARLIEST <= day <= LATEST:
        message = gettext("Choose a day between %(first)s and %(last)s.")
        raise FieldRefused(message % {"first": EARLIEST.year, "last": LATEST.year}, field)


def span(starts_at: datetime, ends_at: datetime, zone: ZoneInfo) -> str:
    """Thu 24 Dec 2026, 19:00–22:00."""
    begins, ends = starts_at.astimezone(zone), ends_at.astimezone(zone)
    return f"{format_day(begins.date())}, {format_hour(begins.time())}–{format_hour(ends.time())}"


def format_day(day: date) -> str:
    return format_skeleton("yMMMEd", datetime.combine(day, time()), locale=locale())


def format_hour(hour: time) -> str:
    return format_time(hour, format="short", locale=locale())


def slots_of(starts_at: datetime, slots: int, minutes: int) -> Iterable[tuple[datetime, datetime]]:
    """Slots of their real length, even if the clock changes meanwhile."""
    length = timedelta(minutes=minutes)
    return ((starts_at + at * length, starts_at + (at + 1) * length) for at in range(slots))
