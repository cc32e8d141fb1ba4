"""Entries of a calendar as iCalendar text (RFC 5545). The same entries always make the same bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, vDuration

# How often a calendar program should update.
REFRESH_EVERY = timedelta(hours=1)


@dataclass(frozen=True)
class Entry:
    """One calendar entry.

    `zone` is the club's time zone for what happens there, so that it keeps its local hour; None for online tables.
    `revision` counts changes of time and place.
    """

    uid: str
    revision: int
    starts_at: datetime
    ends_at: datetime
    zone: ZoneInfo | None
    title: str
    lines: tuple[str, ...]
    link: str
    changed_at: datetime
    place: str = ""
    cancelled: bool = False
    # Whether the person counts as busy at that time, or is only reminded.
    busy: bool = True


def render_calendar(*, name: str, zone: ZoneInfo, entries: Sequence[Entry]) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//Gauntlet//Calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", zone.key)
    calendar.add("refresh-interval", vDuration(REFRESH_EVERY), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH_EVERY))
    for entry in sorted(entries, key=lambda entry: (entry.starts_at, entry.uid)):
        calendar.add_component(_event(entry))
    if entries:
        # Time zone rules for the years of the entries, and one year around them.
        first = min(entry.starts_at for entry in entries).year
        last = max(entry.ends_at for entry in entries).year
        calendar.add_missing_timezones(date(first - 1, 1, 1), date(last + 2, 1, 1))
    return bytes(calendar.to_ical())


def _event(entry: Entry) -> Event:
    zone = entry.zone or UTC
    event = Event()
    event.add("uid", entry.uid)
    event.add("sequence", entry.revision)
    event.add("dtstamp", entry.changed_at.astimezone(UTC))
    event.add("last-modified", entry.changed_at.astimezone(UTC))
    event.add("dtstart", entry.starts_at.astimezone(zone))
    event.add("dtend", entry.ends_at.astimezone(zone))
    event.add("summary", entry.title)
    event.add("description", "\n".join((*entry.lines, entry.link)))
    event.add("url", entry.link)
    if entry.place:
        event.add("location", entry.place)
    event.add("status", "CANCELLED" if entry.cancelled else "CONFIRMED")
    event.add("transp", "OPAQUE" if entry.busy and not entry.cancelled else "TRANSPARENT")
    return event
