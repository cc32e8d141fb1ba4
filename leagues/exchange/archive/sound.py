"""Whether rows that came in from outside make a league: everything a page would read of them is read once."""

from typing import Any

from django.db.models import F
from django.utils.translation import gettext

import engine
from accounts.errors import Refused
from leagues import catalogue, ranking, shown, standings, words
from leagues.competitions import check_options
from leagues.formats.errors import FormatError
from leagues.formats.tiebreaks.parts import parse
from leagues.history import as_place
from leagues.models import (
    Bye,
    Entrant,
    League,
    Movement,
    Pairing,
    PairingSeat,
    Result,
    Season,
    Stage,
    StandingsSnapshot,
    Starter,
)

# A forged file can hold anything at all in its JSON columns.
WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError, ZeroDivisionError, FormatError)


def check(league: League) -> None:
    try:
        for season in Season.objects.filter(league=league).select_related("league__club"):
            _season(season)
    except WRONG as error:
        words_ = gettext("The file does not fit together: %(what)s. Nothing was imported.")
        raise Refused(words_ % {"what": type(error).__name__}) from error


def _season(season: Season) -> None:
    parse(season.tie_breaks)
    check_options(season)
    _same_season(season)
    for stage in Stage.objects.filter(division__season=season).select_related("division__season__league__club"):
        catalogue.check(stage.format, stage.settings, season.league.game)
        _reasons(stage)
        _results(stage)
        for group in ranking.groups_of(stage) or [0]:
            ranking.ranking(stage, group=group or None)
        if stage.status != Stage.Status.PLANNED:
            shown.listings(stage)
            if catalogue.FORMATS[stage.format].ranks == "bracket":
                ranking.bracket_of(stage)
    for move in Movement.objects.filter(season=season):
        words.said(move.reason, {})


def _same_season(season: Season) -> None:
    """Rows name their season twice, so that the database can keep anybody from entering twice."""
    strays = [
        Entrant.objects.filter(season=season).exclude(division__season=season),
        Movement.objects.filter(season=season).exclude(entrant__season=season),
        Starter.objects.filter(stage__division__season=season).exclude(entrant__season=season),
        Pairing.objects.filter(round__stage__division__season=season).exclude(seats__entrant__season=season),
        PairingSeat.objects.filter(entrant__season=season).exclude(round=F("pairing__round")),
    ]
    if any(rows.exists() for rows in strays):
        raise ValueError("a row of another season")


def _reasons(stage: Stage) -> None:
    words.said(stage.trouble, {})
    for rows in (
        Starter.objects.filter(stage=stage),
        Pairing.objects.filter(round__stage=stage),
        Bye.objects.filter(round__stage=stage),
    ):
        for why in rows.values_list("reason", flat=True).iterator(chunk_size=500):
            words.said(why, {})
    for kept in StandingsSnapshot.objects.filter(stage=stage).iterator(chunk_size=50):
        parse(kept.tie_breaks)
        for row in kept.rows:
            standings.from_json(row)


def _results(stage: Stage) -> None:
    players = engine.game(stage.division.season.league.game).players
    found = Result.objects.filter(pairing__round__stage=stage).prefetch_related("pairing__seats")
    for result in found.iterator(chunk_size=500):
        seats = len(result.pairing.seats.all())
        if (result.places and len(result.places) != seats) or seats > max(players):
            raise ValueError("a result of another table")
        for place in result.places:
            _place(place)
        if not all(type(number) is int for number in result.grade):
            raise TypeError("a grade of numbers")
        if result.in_force and result.pairing.state != Pairing.State.CONFIRMED:
            raise ValueError("a result in force at an open table")


def _place(place: dict[str, Any]) -> None:
    value = as_place(place)
    if (
        not 1 <= value.rank <= 99
        or set(place) > {"rank", "score", "kind"}
        or value.kind.name not in ("PLAYED", "FW", "FL")
    ):
        raise ValueError("a place that is none")
