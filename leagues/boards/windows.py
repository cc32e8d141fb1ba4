"""Stretches of time that a leaderboard can be narrowed to, and how addresses name them."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from babel.dates import format_date
from django.core.exceptions import BadRequest
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

DAYS = (30, 90, 365)
EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True)
class Window:
    """From one moment up to another; without an end it runs until now, without either it is all time.

    `query` is what an address says for it. Days are counted in UTC, so that an address shows everyone the same.
    """

    label: str
    since: datetime | None = None
    until: datetime | None = None
    query: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_all_time(self) -> bool:
        return self.since is None and self.until is None

    @property
    def is_past(self) -> bool:
        return self.until is not None and self.until <= timezone.now()


def all_time() -> Window:
    return Window(_("All time"))


def last_days(days: int) -> Window:
    label = ngettext("Last %(days)s day", "Last %(days)s days", days) % {"days": days}
    return Window(label, since=timezone.now() - timedelta(days=days), query={"window": str(days)})


def offered() -> list[Window]:
    """What a page offers to choose from; a season is one more of these."""
    return [all_time(), *(last_days(days) for days in DAYS)]


def asked(query: QueryDict) -> Window:
    """The window that an address asks for: `window=30`, or `from=2026-09-01&to=2026-11-30` with both days in it."""
    first, last = _day(query.get("from", "")), _day(query.get("to", ""))
    if first or last:
        return between(first, last)
    days = query.get("window", "")
    if days in ("", "all"):
        return all_time()
    if days not in {str(known) for known in DAYS}:
        raise BadRequest(f"no window {days[:20]!r}")
    return last_days(int(days))


def between(first: date | None, last: date | None) -> Window:
    if first and last and last < first:
        raise BadRequest("a window that ends before it begins")
    query = {name: day.isoformat() for name, day in (("from", first), ("to", last)) if day}
    return Window(
        _label(first, last),
        since=_midnight(first) if first else None,
        until=_midnight(last) + timedelta(days=1) if last else None,
        query=query,
    )


def _label(first: date | None, last: date | None) -> str:
    if first and last:
        return _("%(first)s to %(last)s") % {"first": _words(first), "last": _words(last)}
    if first:
        return _("Since %(day)s") % {"day": _words(first)}
    return _("Until %(day)s") % {"day": _words(last)}


def _words(day: date | None) -> str:
    language = get_language() or "en"
    return format_date(day, format="medium", locale={"en": "en_GB"}.get(language, language))


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None or not EARLIEST <= day <= LATEST:
        raise BadRequest("a date that is none")
    return day
