"""Standings, pairings and results of a season for other programs, as CSV or JSON.

The results have the columns that the results import reads.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser

import engine
from accounts.infra.text import escape_formula
from leagues.calendar.presentation import hide_private_places
from leagues.formats.reasons import rounded
from leagues.formats.values import Kind
from leagues.models import Bye, Entrant, Pairing, Result, Season, Stage
from leagues.results import presentation
from leagues.standings import ranking

Row = dict[str, Any]


def rows(what: str, season: Season, stage: Stage | None = None) -> list[Row]:
    """`what` is one of WHAT; of the whole season, or of one stage."""
    stages = [stage] if stage else list(_stages(season))
    return [row for each in stages for row in WHAT[what](each)]


def _stages(season: Season) -> Iterator[Stage]:
    stages = Stage.objects.filter(division__season=season).exclude(status=Stage.Status.PLANNED)
    for stage in stages.select_related("division").order_by("division__level", "division__number", "position"):
        stage.division.season = season
        yield stage


def _standings(stage: Stage) -> Iterator[Row]:
    entrants = Entrant.objects.named().filter(division=stage.division).in_bulk()
    codes = stage.division.season.tie_breaks
    for group in ranking.groups_of(stage) or [0]:
        rows = list(ranking.ranking(stage, group=group or None))
        ranked = ranking.has_order(stage, group=group or None)
        if not ranked:
            rows.sort(key=lambda row: (entrants[row.entrant].name.casefold(), row.entrant))
        for row in rows:
            yield {
                "division": stage.division.name,
                "stage": stage.position,
                "group": group or None,
                "place": row.place if ranked else None,
                **_who(entrants[row.entrant]),
                "played": row.played,
                "points": row.points,
                **{code: value for code, value in zip(codes, row.values) if code != "lot"},
            }


def _pairings(stage: Stage) -> Iterator[Row]:
    for pairing in _tables(stage):
        for seat in presentation.seats_of(pairing):
            yield {
                "division": stage.division.name,
                "stage": stage.position,
                "round": pairing.round.number,
                "table": pairing.table,
                "seat": seat.index + 1,
                **_who(seat.entrant),
                "role": seat.role,
                "where": pairing.where,
                "starts": _local(stage, pairing.starts_at),
                "state": pairing.state,
            }


def _results(stage: Stage) -> Iterator[Row]:
    """Results that count and byes, with the columns of the import."""
    together = engine.game(stage.division.season.league.game).cooperative
    tables = list(_tables(stage))
    # On different evenings of a round people may sit at the same place; the import tells tables apart by their number.
    sharing = Counter((pairing.round_id, pairing.table) for pairing in tables)
    shared = {round_ for (round_, _table), count in sharing.items() if count > 1}
    for pairing in tables:
        counts = next((result for result in pairing.results.all() if result.in_force), None)
        for seat, place in zip(presentation.seats_of(pairing), counts.places if counts else ()):
            assert counts is not None
            yield {
                "division": stage.division.name,
                "stage": stage.position,
                "date": _local(stage, counts.at),
                "round": pairing.round.number,
                "table": pairing.number if pairing.round_id in shared else pairing.table,
                "seat": seat.index + 1,
                **_who(seat.entrant),
                "role": seat.role,
                "place": _won(counts) if together else place["rank"],
                "score": place.get("score"),
                "kind": "" if place["kind"] == Kind.PLAYED.name else place["kind"],
            }
    byes = Bye.objects.filter(round__stage=stage).exclude(round__status="drawn").exclude(kind__in=["NP", "WD"])
    for bye in byes.select_related("round", "entrant__user").order_by("round__number", "pk"):
        yield {
            "division": stage.division.name,
            "stage": stage.position,
            "date": None,
            "round": bye.round.number,
            "table": None,
            "seat": None,
            **_who(bye.entrant),
            "role": "",
            "place": None,
            "score": None,
            "kind": bye.kind,
        }


def _won(result: Result) -> int:
    return 1 if result.grade and result.grade[0] else 2


def _tables(stage: Stage) -> Iterator[Pairing]:
    pairings = Pairing.objects.seen().filter(round__stage=stage)
    pairings = pairings.select_related("round", "placement__slot__night__club")
    seats = pairings.prefetch_related("seats__entrant__user", "results").order_by("round__number", "number")
    for pairing in seats.iterator(chunk_size=500):
        hide_private_places([pairing], AnonymousUser())
        yield pairing


def _who(entrant: Entrant) -> Row:
    """People with an account are identified by handle; guests, bots and teams by name."""
    user = entrant.user
    return {"name": entrant.name, "handle": user.handle if user and user.reads_notices else ""}


def _local(stage: Stage, at: Any) -> str | None:
    zone = ZoneInfo(stage.division.season.league.club.time_zone)
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M") if at else None


WHAT = {"standings": _standings, "pairings": _pairings, "results": _results}


def as_csv(listed: list[Row]) -> str:
    """For spreadsheets: with a UTF-8 mark, and with nothing that a spreadsheet would compute."""
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in listed for name in row))
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in listed)
    return f"\ufeff{text.getvalue()}"


def _cell(value: Any) -> Any:
    if isinstance(value, Fraction):
        return rounded(value)
    return escape_formula(value) if isinstance(value, str) else value


def as_json(what: str, season: Season, listed: list[Row]) -> str:
    """Exact values: a number that is not whole is written as a fraction."""
    header = {"league": season.league.name, "game": season.league.game, "season": season.name, "number": season.number}
    return json.dumps({**header, what: listed}, default=_exact, ensure_ascii=False)


def _exact(value: Any) -> int | str:
    assert isinstance(value, Fraction)
    return value.numerator if value.denominator == 1 else str(value)
