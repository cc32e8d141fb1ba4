"""The webhook events of leagues: announcements, rounds once they are published, standings as the page has them."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.webhooks import events
from accounts.webhooks.events import EventPayload
from leagues.core import access
from leagues.core.webhook_emit import ANNOUNCED, ROUND_PAIRED, STANDINGS_CHANGED
from leagues.models import Announcement, Bye, Pairing, Round, Season, Stage
from leagues.standings import presentation

BLUE, GREEN = 0x2860CF, 0x127345
# A round's results come in a bunch: what changes within this time is sent once.
TOGETHER = timedelta(seconds=15)
MOST_PLACES = 200
# So many lines where people read it; programs get all.
MOST_LINES = 20


def describe_round(round_id: int) -> EventPayload | None:
    round_ = Round.objects.select_related("stage__division__season__league").filter(pk=round_id).first()
    if round_ is None or not round_.is_published or not _is_public(round_.stage):
        return None
    pairings = Pairing.objects.filter(round=round_).prefetch_related("seats__entrant__user").order_by("number")
    tables: list[dict[str, Any]] = [
        {
            "number": pairing.number,
            "table": pairing.table,
            "where": pairing.where,
            "seats": [{"name": seat.entrant.name, "role": seat.role} for seat in pairing.seats.all()],
        }
        for pairing in pairings
    ]
    byes = [bye.entrant.name for bye in Bye.objects.filter(round=round_).select_related("entrant__user")]
    payload: dict[str, Any] = {
        **_place(round_.stage),
        "round": round_.number,
        "opens_at": round_.opens_at.isoformat() if round_.opens_at else None,
        "closes_at": round_.closes_at.isoformat() if round_.closes_at else None,
        "tables": tables,
        "byes": byes,
    }
    season = round_.stage.division.season
    title = gettext("Round %(round)s of %(season)s is drawn") % {"round": round_.number, "season": season.full_name}
    lines = [
        gettext("Table %(number)s: %(names)s")
        % {"number": table["table"], "names": ", ".join(seat["name"] for seat in table["seats"])}
        for table in tables
    ]
    if byes:
        lines.append(gettext("Without a table: %(names)s") % {"names": ", ".join(byes)})
    return EventPayload(payload, title, _shortened(lines), season.get_absolute_url())


def describe_standings(stage_id: int) -> EventPayload | None:
    stage = Stage.objects.select_related("division__season__league").filter(pk=stage_id).first()
    if stage is None or stage.status == Stage.Status.PLANNED or not _is_public(stage):
        return None
    season = stage.division.season
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for listing in presentation.standings_tables(stage):
        if listing.group:
            lines.append(gettext("Group %(number)s") % {"number": listing.group})
        for line in listing.lines:
            points = line.points if listing.scores else None
            row = {"place": line.place, "name": line.name, "points": points, "played": line.row.played}
            rows.append(row | ({"group": listing.group} if listing.group else {}))
            number = f"{line.place}. " if line.place is not None else ""
            lines.append(f"{number}{line.name}" + (f" ({points})" if points is not None else ""))
    payload = {**_place(stage), "rows": rows[:MOST_PLACES], "more": max(len(rows) - MOST_PLACES, 0)}
    title = gettext("The standings of %(season)s have changed") % {"season": season.full_name}
    path = reverse("leagues:standings", args=[season.league.slug, season.number, stage.pk])
    return EventPayload(payload, title, _shortened(lines), path)


def describe_announcement(announcement_id: int) -> EventPayload | None:
    rows = Announcement.objects.select_related("by", "club", "season__league__club")
    row = rows.filter(pk=announcement_id, deleted_at=None).first()
    if row is None or row.club.is_private or (row.season is not None and access.is_private(row.season)):
        return None
    payload = {
        "league": row.season.league.name if row.season else None,
        "season": row.season.name if row.season else None,
        "by": row.by.name,
        "at": row.at.isoformat(),
        "title": row.title,
        "text": row.text,
    }
    title = gettext("News of %(club)s") % {"club": row.club.name}
    if row.season is not None:
        title = gettext("To all players of %(season)s") % {"season": row.season.full_name}
    if row.title:
        title = f"{title}: {row.title}"
    return EventPayload(payload, title, row.text.splitlines()[:MOST_LINES], row.get_absolute_url())


events.declare_event(
    ANNOUNCED, _("An announcement to all players, or news of the club"), describe=describe_announcement, colour=BLUE
)
events.declare_event(ROUND_PAIRED, _("A round is drawn and published"), describe=describe_round, colour=BLUE)
events.declare_event(
    STANDINGS_CHANGED, _("Standings have changed"), describe=describe_standings, colour=GREEN, patience=TOGETHER
)


def _is_public(stage: Stage) -> bool:
    season = stage.division.season
    return season.status != Season.Status.DRAFT and not access.is_private(season)


def _place(stage: Stage) -> dict[str, Any]:
    season = stage.division.season
    return {
        "league": season.league.name,
        "game": season.league.game,
        "season": season.name,
        "division": stage.division.name,
        "stage": stage.position,
        "format": stage.format,
    }


def _shortened(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_LINES
    if more <= 0:
        return lines
    return [*lines[:MOST_LINES], ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more}]
