"""The club's own clock: days and hours as they stand there, and the moments they are."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_skeleton, format_time
from dateutil.rrule import FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, rrule
from dateutil.tz import resolve_imaginary
from django.utils import timezone
from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import Club
from accounts.moments import locale
from leagues.models import Series

WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)
# A typing error, and no day on which anybody plays here, lies beyond these.
EARLIEST, LATEST = date(2000, 1, 1), date(2100, 12, 31)


class Misfit(Refused):
    """What was asked does not fit; `field` is the part of the question that the sentence is about."""

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
    """When it is, in UTC. An hour that the clock skips that day is taken as much later.

    Of an hour that it shows twice it is the first, unless `fold` says otherwise.
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
        raise Misfit(gettext("The last night comes after the first."), "last")
    start = datetime.combine(first, time())
    until = datetime.combine(last, time())
    if every == Series.Every.MONTH:
        # The fifth of a weekday is meant as the last: there is not a fifth every month.
        nth = (first.day - 1) // 7 + 1
        weekday = WEEKDAYS[first.weekday()](nth if nth < 5 else -1)
        rule = rrule(MONTHLY, dtstart=start, until=until, byweekday=weekday)
    elif every in (Series.Every.WEEK, Series.Every.FORTNIGHT):
        rule = rrule(WEEKLY, interval=2 if every == Series.Every.FORTNIGHT else 1, dtstart=start, until=until)
    else:
        raise Misfit(gettext("Nights recur every week, every second week or every month."), "every")
    return [found.date() for found in rule]


def check_day(day: date, field: str) -> None:
    if not EARLIEST <= day <= LATEST:
        words = gettext("Choose a day between %(first)s and %(last)s.")
        raise Misfit(words % {"first": EARLIEST.year, "last": LATEST.year}, field)


def span(starts_at: datetime, ends_at: datetime, zone: ZoneInfo) -> str:
    """Thu 24 Dec 2026, 19:00–22:00."""
    begins, ends = starts_at.astimezone(zone), ends_at.astimezone(zone)
    return f"{day_words(begins.date())}, {hour_words(begins.time())}–{hour_words(ends.time())}"


def day_words(day: date) -> str:
    return format_skeleton("yMMMEd", datetime.combine(day, time()), locale=locale())


def hour_words(hour: time) -> str:
    return format_time(hour, format="short", locale=locale())


def slots_of(starts_at: datetime, slots: int, minutes: int) -> Iterable[tuple[datetime, datetime]]:
    """Slots in their real length, whatever the clock does meanwhile."""
    length = timedelta(minutes=minutes)
    return ((starts_at + at * length, starts_at + (at + 1) * length) for at in range(slots))
