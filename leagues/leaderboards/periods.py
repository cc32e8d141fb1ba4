"""Periods that a leaderboard can be limited to, and how addresses name them."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from babel.dates import format_date
from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.infra.input import whole_number
from accounts.models import Club
from leagues.models import Season

DAYS = (30, 90, 365)
SEASON, SEASONS = "season-", 6
EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True)
class Window:
    """From one moment to another. Without an end it runs until now, without either it is all time.

    `query` are its address parameters. Days are counted in UTC, so that an address shows everyone the same.
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


def of_season(season: Season) -> Window:
    return Window(
        f"{season.name} · {season.league.name}",
        since=season.starts_at,
        until=season.closed_at or season.ends_at,
        query={"window": f"{SEASON}{season.pk}"},
    )


def seasons(game: str) -> QuerySet[Season]:
    """Public seasons with a period of their own."""
    public = {"league__is_private": False, "league__club__is_private": False}
    begun = Season.objects.filter(league__game=game, starts_at__lte=timezone.now(), **public)
    return begun.exclude(status=Season.Status.DRAFT).select_related("league")


def offered(game: str, club: Club | None) -> list[Window]:
    """The periods a page offers: all time, some last days, and the latest seasons of the club."""
    latest = seasons(game).filter(league__club=club).order_by("-starts_at", "-pk")[:SEASONS] if club else []
    return [all_time(), *(last_days(days) for days in DAYS), *(of_season(season) for season in latest)]


def window_from_query(game: str, query: QueryDict) -> Window:
    """The window that an address asks for.

    `window=30` for the last days, `window=season-7` for a season, `from=2026-09-01&to=2026-11-30` with both days in it.
    """
    first, last = _day(query.get("from", "")), _day(query.get("to", ""))
    if first or last:
        return between(first, last)
    name = query.get("window", "")
    if name in ("", "all"):
        return all_time()
    if name in {str(days) for days in DAYS}:
        return last_days(int(name))
    number = whole_number(name.removeprefix(SEASON))
    if not name.startswith(SEASON) or number is None:
        raise BadRequest("not a valid window")
    season = seasons(game).filter(pk=number).first()
    if season is None:
        raise Http404
    return of_season(season)


def between(first: date | None, last: date | None) -> Window:
    if first and last and last < first:
        raise BadRequest("the window ends before it begins")
    query = {name: day.isoformat() for name, day in (("from", first), ("to", last)) if day}
    return Window(
        _label(first, last),
        since=_midnight(first) if first else None,
        until=_midnight(last) + timedelta(days=1) if last else None,
        query=query,
    )


def _label(first: date | None, last: date | None) -> str:
    if first and last:
        return _("%(first)s to %(last)s") % {"first": format_day(first), "last": format_day(last)}
    if first:
        return _("Since %(day)s") % {"day": format_day(first)}
    return _("Until %(day)s") % {"day": format_day(last)}


def format_day(day: date | None) -> str:
    """A day in the reader's language, short."""
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
        raise BadRequest("not a valid date")
    return day
