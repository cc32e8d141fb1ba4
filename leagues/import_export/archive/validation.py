"""Checks that imported rows make a league, by reading once everything that a page would read."""

from typing import Any

from django.db.models import F
from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from leagues.core import format_catalogue, reason_text
from leagues.entries.questions import check_questions
from leagues.formats.errors import FormatError
from leagues.formats.game_series import MOST_GAMES, games_needed
from leagues.formats.points import OWN, own_scheme
from leagues.formats.tiebreaks.registry import parse
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
from leagues.results import game_series
from leagues.seasons.setup import check_options
from leagues.standings import presentation, ranking, snapshots
from leagues.standings.history import as_place

# A forged file can hold anything in its JSON columns.
WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError, ZeroDivisionError, FormatError)


def check(league: League) -> None:
    try:
        for season in Season.objects.filter(league=league).select_related("league__club"):
            _season(season)
    except WRONG as error:
        message = gettext("The file does not fit together: %(what)s. Nothing was imported.")
        raise Refused(message % {"what": type(error).__name__}) from error


def _season(season: Season) -> None:
    parse(season.tie_breaks)
    if season.points == OWN:
        own_scheme(season.own_points)
    elif season.own_points != []:
        raise ValueError(season.own_points)
    if check_questions(season.entry_questions, known=season.entry_questions) != season.entry_questions:
        raise ValueError("not a valid question")
    check_options(season)
    _same_season(season)
    for stage in Stage.objects.filter(division__season=season).select_related("division__season__league__club"):
        format_catalogue.check(stage.format, stage.settings, season.league.game)
        _reasons(stage)
        _results(stage)
        _games(stage)
        for group in ranking.groups_of(stage) or [0]:
            ranking.ranking(stage, group=group or None)
        if stage.status != Stage.Status.PLANNED:
            presentation.standings_tables(stage)
            if format_catalogue.format_of(stage).has_bracket:
                ranking.bracket_of(stage)
    for move in Movement.objects.filter(season=season):
        reason_text.render_reason(move.reason, {})


def _same_season(season: Season) -> None:
    """Rows name their season twice, so that the database can prevent double entries."""
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
    reason_text.render_reason(stage.trouble, {})
    for rows in (
        Starter.objects.filter(stage=stage),
        Pairing.objects.filter(round__stage=stage),
        Bye.objects.filter(round__stage=stage),
    ):
        for why in rows.values_list("reason", flat=True).iterator(chunk_size=500):
            reason_text.render_reason(why, {})
    for snapshot in StandingsSnapshot.objects.filter(stage=stage).iterator(chunk_size=50):
        parse(snapshot.tie_breaks)
        for row in snapshot.rows:
            snapshots.row_from_json(row)


def _results(stage: Stage) -> None:
    players = engine.game(stage.division.season.league.game).players
    results = Result.objects.filter(pairing__round__stage=stage).prefetch_related("pairing__seats")
    for result in results.iterator(chunk_size=500):
        seats = len(result.pairing.seats.all())
        if (result.places and len(result.places) != seats) or seats > max(players):
            raise ValueError("a result of another table")
        for place in result.places:
            _place(place)
        if not all(type(number) is int for number in result.grade):
            raise TypeError("a grade of numbers")
        if result.in_force and result.pairing.state != Pairing.State.CONFIRMED:
            raise ValueError("a result in force at an open table")


def _games(stage: Stage) -> None:
    """Games of series that were played online on the site of the file."""
    best_of = format_catalogue.best_of(stage)
    tables = Pairing.objects.filter(round__stage=stage, games__isnull=False).distinct().prefetch_related("games")
    for pairing in tables.iterator(chunk_size=500):
        won = game_series.games_won(pairing)
        numbers = {game.number for game in pairing.games.all()}
        if best_of == 1 or max(won) > games_needed(best_of) or sum(won) > best_of or max(numbers) > MOST_GAMES:
            raise ValueError("games of no series")


def _place(place: dict[str, Any]) -> None:
    value = as_place(place)
    if (
        not 1 <= value.rank <= 99
        or set(place) > {"rank", "score", "kind"}
        or value.kind.name not in ("PLAYED", "FW", "FL")
    ):
        raise ValueError("not a valid place")
