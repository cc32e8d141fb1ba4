"""Tables, deadlines, nights and turns as calendar entries, in the active language.

An entry's id is made from its row's key, never from anything that may change. A row without a time of its last change
is dated by a fixed time plus its revision, so that an unchanged feed is always the same text.
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils.translation import gettext, ngettext

from accounts.infra.datetimes import format_datetime
from games.models import Match
from leagues.core.text import join_names
from leagues.feeds.ics import Entry
from leagues.models import ClubNight, Entrant, Pairing, Placement, Round

# A deadline is a short entry that ends with it.
REMINDER_LENGTH = timedelta(minutes=15)
DEFAULT_LENGTH = timedelta(minutes=60)
MIN_LENGTH, MAX_LENGTH = timedelta(minutes=30), timedelta(hours=4)
SITE_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def uid(kind: str, key: object) -> str:
    return f"{kind}-{key}@{urlsplit(settings.SITE_URL).hostname}"


def table_entry(pairing: Pairing, *, own: Entrant | None = None, forfeited: bool = False) -> Entry | None:
    """When and where a table is played; None without a time. `own` is the reader's entry in the season."""
    if pairing.starts_at is None:
        return None
    placement: Placement | None = getattr(pairing, "placement", None)
    season = pairing.round.stage.division.season
    at_club = pairing.where == Pairing.Where.CLUB
    cancelled = pairing.state == Pairing.State.VOID or forfeited
    lines = [_competition(pairing.round), gettext("Players: %(names)s") % {"names": join_names(_names(pairing))}]
    place = ""
    if placement is not None:
        venue = placement.slot.night.venue
        starts_at, ends_at = placement.slot.starts_at, placement.slot.ends_at
        place = ", ".join(filter(None, (venue.name, venue.address)))
        lines.append(gettext("Table %(table)s") % {"table": placement.board})
        if own:
            lines.append(venue.about)
        cancelled = cancelled or placement.slot.night.is_cancelled
    else:
        starts_at, ends_at = pairing.starts_at, pairing.starts_at + _length(pairing)
        if not at_club:
            place = gettext("Online")
            lines.append(gettext("Its length is an estimate."))
    if (closes_at := _deadline(pairing)) and pairing.is_open:
        lines.append(gettext("To be played by %(when)s.") % {"when": format_datetime(closes_at)})
    return Entry(
        uid=uid("table", pairing.key),
        revision=pairing.revision,
        starts_at=starts_at,
        ends_at=ends_at,
        zone=zone_of(season.league.club.time_zone) if at_club else None,
        title=_title(pairing, own),
        lines=tuple(filter(None, lines)),
        link=settings.SITE_URL + pairing.get_absolute_url(),
        changed_at=_changed_at(pairing.round.published_at, pairing.revision),
        place=place,
        cancelled=cancelled,
    )


def deadline_entry(pairing: Pairing, *, own: Entrant) -> Entry | None:
    """The deadline of a table that the reader still has to play."""
    closes_at = _deadline(pairing)
    if closes_at is None or not pairing.is_open:
        return None
    if others := _names(pairing, without=own):
        message = gettext("Your table with %(names)s has to be played by %(when)s.")
    else:
        message = gettext("Your table has to be played by %(when)s.")
    lines = (_competition(pairing.round), message % {"names": join_names(others), "when": format_datetime(closes_at)})
    link = settings.SITE_URL + pairing.get_absolute_url()
    return _reminder(uid("deadline", pairing.key), pairing.round, closes_at, pairing.revision, lines, link)


def round_deadline_entry(round_: Round) -> Entry | None:
    if round_.closes_at is None:
        return None
    link = settings.SITE_URL + round_.stage.division.season.get_absolute_url()
    return _reminder(uid("round", round_.pk), round_, round_.closes_at, 0, (_competition(round_),), link)


def _reminder(uid: str, round_: Round, at: datetime, revision: int, lines: tuple[str, ...], link: str) -> Entry:
    season = round_.stage.division.season
    return Entry(
        uid=uid,
        revision=revision,
        starts_at=at - REMINDER_LENGTH,
        ends_at=at,
        zone=None,
        title=gettext("Deadline: %(league)s, round %(round)s") % {"league": season.league.name, "round": round_.number},
        lines=lines,
        link=link,
        changed_at=_changed_at(round_.published_at, revision),
        busy=False,
    )


def night_entry(night: ClubNight, *, comes: bool = False, remarks: bool = False) -> Entry:
    """A club night, marked if cancelled. `comes`: the reader answered that they come.

    `remarks`: with how to get in, which is for members.
    """
    slots = list(night.slots.all())
    tables = max((slot.tables for slot in slots), default=0)
    lines = [
        ngettext("%(count)s slot", "%(count)s slots", len(slots)) % {"count": len(slots)} if slots else "",
        ngettext("%(count)s table", "%(count)s tables", tables) % {"count": tables} if tables else "",
        night.venue.about if remarks else "",
        gettext("You said that you come.") if comes else "",
    ]
    return Entry(
        uid=uid("night", night.key),
        revision=night.revision,
        starts_at=night.starts_at,
        ends_at=night.ends_at,
        zone=zone_of(night.club.time_zone),
        title=f"{night.title} · {night.club.name}",
        lines=tuple(filter(None, lines)),
        link=settings.SITE_URL + night.get_absolute_url(),
        changed_at=_changed_at(SITE_EPOCH, night.revision),
        place=", ".join(filter(None, (night.venue.name, night.venue.address))),
        cancelled=night.is_cancelled,
        busy=comes,
    )


def turn_entry(match: Match) -> Entry | None:
    """When the reader has to move, in a match with days per move."""
    if match.deadline is None:
        return None
    return Entry(
        uid=uid("turn", match.key),
        revision=match.ply,
        starts_at=match.deadline - REMINDER_LENGTH,
        ends_at=match.deadline,
        zone=None,
        title=gettext("Your turn: %(game)s") % {"game": match.title},
        lines=(gettext("Your move is due by %(when)s.") % {"when": format_datetime(match.deadline)},),
        link=settings.SITE_URL + match.get_absolute_url(),
        changed_at=match.turn_since or SITE_EPOCH,
        busy=False,
    )


def _competition(round_: Round) -> str:
    season = round_.stage.division.season
    return gettext("%(game)s: %(league)s, %(season)s, %(division)s, round %(round)s") % {
        "game": season.league.title,
        "league": season.league.name,
        "season": season.name,
        "division": round_.stage.division.name,
        "round": round_.number,
    }


def _title(pairing: Pairing, own: Entrant | None) -> str:
    """Names the opponents. Where a team plays together, the table has only the team."""
    others = _names(pairing, without=own)
    if own is None:
        template = gettext("%(names)s: %(league)s, round %(round)s")
    elif others:
        template = gettext("With %(names)s: %(league)s, round %(round)s")
    else:
        template = gettext("Your table: %(league)s, round %(round)s")
    league = pairing.round.stage.division.season.league
    return template % {"names": join_names(others), "league": league.name, "round": pairing.round.number}


def _names(pairing: Pairing, *, without: Entrant | None = None) -> list[str]:
    return [seat.entrant.name for seat in pairing.seats.all() if seat.entrant != without]


def _deadline(pairing: Pairing) -> datetime | None:
    return pairing.closes_at or pairing.round.closes_at


def _length(pairing: Pairing) -> timedelta:
    """How long an online table may take: the clocks of all its seats, within limits."""
    season = pairing.round.stage.division.season
    if season.clock != Match.Clock.LIVE:
        return DEFAULT_LENGTH
    return min(max(timedelta(seconds=season.bank * len(pairing.seats.all())), MIN_LENGTH), MAX_LENGTH)


def _changed_at(since: datetime | None, revision: int) -> datetime:
    return (since or SITE_EPOCH).replace(microsecond=0) + timedelta(seconds=revision)
