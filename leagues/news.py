"""What a club's webhooks are told about its leagues: rounds once they are published, standings as the page has them."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import webhooks
from accounts.webhooks import Story
from leagues.models import Bye, Pairing, Round, Season, Stage

BLUE, GREEN = 0x2860CF, 0x127345
# A round's results come in a bunch: what changes within this time is told once.
TOGETHER = timedelta(seconds=15)
MOST_PLACES = 200
# So many lines where people read it; programs get all.
MOST_LINES = 20


def describe_round(round_id: int) -> Story | None:
    round_ = Round.objects.select_related("stage__division__season__league").filter(pk=round_id).first()
    if round_ is None or not round_.is_published or not _is_public(round_.stage):
        return None
    pairings = Pairing.objects.filter(round=round_).prefetch_related("seats__entrant__user").order_by("number")
    tables: list[dict[str, Any]] = [
        {
            "number": pairing.number,
            "where": pairing.where,
            "seats": [{"name": seat.entrant.name, "role": seat.role} for seat in pairing.seats.all()],
        }
        for pairing in pairings
    ]
    byes = [bye.entrant.name for bye in Bye.objects.filter(round=round_).select_related("entrant__user")]
    told: dict[str, Any] = {
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
        % {"number": table["number"], "names": ", ".join(seat["name"] for seat in table["seats"])}
        for table in tables
    ]
    if byes:
        lines.append(gettext("Without a table: %(names)s") % {"names": ", ".join(byes)})
    return Story(told, title, _shortened(lines), season.get_absolute_url())


def describe_standings(stage_id: int) -> Story | None:
    # Here, because what shows standings is above what writes results, and results are news.
    from leagues import shown

    stage = Stage.objects.select_related("division__season__league").filter(pk=stage_id).first()
    if stage is None or stage.status == Stage.Status.PLANNED or not _is_public(stage):
        return None
    season = stage.division.season
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for listing in shown.listings(stage):
        if listing.group:
            lines.append(gettext("Group %(number)s") % {"number": listing.group})
        for line in listing.lines:
            points = line.points if listing.scores else None
            row = {"place": line.place, "name": line.name, "points": points, "played": line.row.played}
            rows.append(row | ({"group": listing.group} if listing.group else {}))
            number = f"{line.place}. " if line.place is not None else ""
            lines.append(f"{number}{line.name}" + (f" ({points})" if points is not None else ""))
    told = {**_place(stage), "rows": rows[:MOST_PLACES], "more": max(len(rows) - MOST_PLACES, 0)}
    title = gettext("The standings of %(season)s have changed") % {"season": season.full_name}
    path = reverse("leagues:standings", args=[season.league.slug, season.number, stage.pk])
    return Story(told, title, _shortened(lines), path)


PAIRED = webhooks.event("round.paired", _("A round is drawn and published"), describe=describe_round, colour=BLUE)
CHANGED = webhooks.event(
    "standings.changed", _("Standings have changed"), describe=describe_standings, colour=GREEN, patience=TOGETHER
)


def tell_paired(round_: Round) -> None:
    """Inside the transaction that publishes a round."""
    webhooks.emit(PAIRED, club_id=round_.stage.division.season.league.club_id, subject=round_.pk)


def tell_standings(stage: Stage) -> None:
    """Inside the transaction that changes what counts."""
    webhooks.emit(CHANGED, club_id=stage.division.season.league.club_id, subject=stage.pk)


def _is_public(stage: Stage) -> bool:
    return stage.division.season.status != Season.Status.DRAFT


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
