"""What stands in a calendar: tables, deadlines, nights and turns as entries, in the language that is in force.

An entry's id follows from the key of its row and never from what may change. What has no moment of its last change
is dated by what does not move and its count of changes, so that a feed nobody changed is the same text every time.
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils.translation import gettext, ngettext

from games.models import Match
from leagues.models import ClubNight, Entrant, Pairing, Placement, Round
from leagues.names import listed, when
from leagues.scheduling.ics import Entry

# A deadline is a short entry that ends with it.
REMINDER = timedelta(minutes=15)
USUAL = timedelta(minutes=60)
SHORTEST, LONGEST = timedelta(minutes=30), timedelta(hours=4)
BEFORE_ALL = datetime(2026, 1, 1, tzinfo=UTC)


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def uid(kind: str, key: object) -> str:
    return f"{kind}-{key}@{urlsplit(settings.SITE_URL).hostname}"


def table(pairing: Pairing, *, own: Entrant | None = None, forfeited: bool = False) -> Entry | None:
    """When and where a table is played; None for one without a time. `own` is the reader's own entry."""
    if pairing.starts_at is None:
        return None
    placement: Placement | None = getattr(pairing, "placement", None)
    season = pairing.round.stage.division.season
    at_club = pairing.where == Pairing.Where.CLUB
    cancelled = pairing.state == Pairing.State.VOID or forfeited
    lines = [_competition(pairing.round), gettext("Players: %(names)s") % {"names": listed(_names(pairing))}]
    place = ""
    if placement is not None:
        venue = placement.slot.night.venue
        starts_at, ends_at = placement.slot.starts_at, placement.slot.ends_at
        place = ", ".join(filter(None, (venue.name, venue.address)))
        lines.append(gettext("Board %(board)s") % {"board": placement.board})
        lines.append(venue.about)
        cancelled = cancelled or placement.slot.night.is_cancelled
    else:
        starts_at, ends_at = pairing.starts_at, pairing.starts_at + _length(pairing)
        if not at_club:
            place = gettext("Online")
            lines.append(gettext("How long it takes is a guess."))
    if (closes_at := _deadline(pairing)) and pairing.is_open:
        lines.append(gettext("To be played by %(when)s.") % {"when": when(closes_at)})
    return Entry(
        uid=uid("table", pairing.key),
        revision=pairing.revision,
        starts_at=starts_at,
        ends_at=ends_at,
        zone=zone_of(season.league.club.time_zone) if at_club else None,
        title=_title(pairing, own),
        lines=tuple(filter(None, lines)),
        link=settings.SITE_URL + pairing.get_absolute_url(),
        changed_at=_dated(pairing.round.published_at, pairing.revision),
        place=place,
        cancelled=cancelled,
    )


def deadline(pairing: Pairing, *, own: Entrant) -> Entry | None:
    """By when the reader has to play a table that is still open."""
    closes_at = _deadline(pairing)
    if closes_at is None or not pairing.is_open:
        return None
    if others := _names(pairing, without=own):
        said = gettext("Your table with %(names)s has to be played by %(when)s.")
    else:
        said = gettext("Your table has to be played by %(when)s.")
    lines = (_competition(pairing.round), said % {"names": listed(others), "when": when(closes_at)})
    link = settings.SITE_URL + pairing.get_absolute_url()
    return _reminder(uid("deadline", pairing.key), pairing.round, closes_at, pairing.revision, lines, link)


def round_deadline(round_: Round) -> Entry | None:
    if round_.closes_at is None:
        return None
    link = settings.SITE_URL + round_.stage.division.season.get_absolute_url()
    return _reminder(uid("round", round_.pk), round_, round_.closes_at, 0, (_competition(round_),), link)


def _reminder(uid: str, round_: Round, at: datetime, revision: int, lines: tuple[str, ...], link: str) -> Entry:
    season = round_.stage.division.season
    return Entry(
        uid=uid,
        revision=revision,
        starts_at=at - REMINDER,
        ends_at=at,
        zone=None,
        title=gettext("Deadline: %(league)s, round %(round)s") % {"league": season.league.name, "round": round_.number},
        lines=lines,
        link=link,
        changed_at=_dated(round_.published_at, revision),
        busy=False,
    )


def night(night: ClubNight, *, comes: bool = False) -> Entry:
    """An evening of a club, cancelled ones with that mark; `comes`: the reader said so."""
    slots = list(night.slots.all())
    tables = max((slot.tables for slot in slots), default=0)
    lines = [
        ngettext("%(count)s slot", "%(count)s slots", len(slots)) % {"count": len(slots)} if slots else "",
        ngettext("%(count)s table", "%(count)s tables", tables) % {"count": tables} if tables else "",
        night.venue.about,
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
        changed_at=_dated(BEFORE_ALL, night.revision),
        place=", ".join(filter(None, (night.venue.name, night.venue.address))),
        cancelled=night.is_cancelled,
        busy=comes,
    )


def turn(match: Match) -> Entry | None:
    """By when the reader has to move in a match with days for it."""
    if match.deadline is None:
        return None
    return Entry(
        uid=uid("turn", match.key),
        revision=match.ply,
        starts_at=match.deadline - REMINDER,
        ends_at=match.deadline,
        zone=None,
        title=gettext("Your turn: %(game)s") % {"game": match.title},
        lines=(gettext("Your move is due by %(when)s.") % {"when": when(match.deadline)},),
        link=settings.SITE_URL + match.get_absolute_url(),
        changed_at=match.turn_since or BEFORE_ALL,
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
    """Whom one plays; a team that plays together sits at a table of its own."""
    others = _names(pairing, without=own)
    if own is None:
        words = gettext("%(names)s: %(league)s, round %(round)s")
    elif others:
        words = gettext("With %(names)s: %(league)s, round %(round)s")
    else:
        words = gettext("Your table: %(league)s, round %(round)s")
    league = pairing.round.stage.division.season.league
    return words % {"names": listed(others), "league": league.name, "round": pairing.round.number}


def _names(pairing: Pairing, *, without: Entrant | None = None) -> list[str]:
    return [seat.entrant.name for seat in pairing.seats.all() if seat.entrant != without]


def _deadline(pairing: Pairing) -> datetime | None:
    return pairing.closes_at or pairing.round.closes_at


def _length(pairing: Pairing) -> timedelta:
    """How long an online table may take: the clocks of all its seats, within reason."""
    season = pairing.round.stage.division.season
    if season.clock != Match.Clock.LIVE:
        return USUAL
    return min(max(timedelta(seconds=season.bank * len(pairing.seats.all())), SHORTEST), LONGEST)


def _dated(since: datetime | None, revision: int) -> datetime:
    return (since or BEFORE_ALL).replace(microsecond=0) + timedelta(seconds=revision)
