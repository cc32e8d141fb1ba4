"""Helpers of the pages of a competition."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render

from games.tables import exhibition
from leagues.core import access
from leagues.core.access import Permission
from leagues.demo import bot_league
from leagues.models import Division, Entrant, Pairing, Round, Season, Stage
from leagues.results import reporting
from leagues.windows import extensions


def season_or_404(request: HttpRequest, slug: str, number: int) -> Season:
    """The season; 404 if the reader may not see it."""
    season = Season.objects.select_related("league__club").filter(league__slug=slug, number=number).first()
    if season is None or not access.may(request.user, Permission.SEE, season):
        raise Http404
    return season


def run_season(request: HttpRequest, slug: str, number: int) -> Season:
    """The season, for its organisers; others get 403."""
    season = season_or_404(request, slug, number)
    access.require(request.user, Permission.ORGANISE, season)
    return season


def division_of(season: Season, pk: int) -> Division:
    division = get_object_or_404(Division, season=season, pk=pk)
    division.season = season
    return division


def stage_of(season: Season, pk: int) -> Stage:
    stage = get_object_or_404(Stage.objects.select_related("division"), division__season=season, pk=pk)
    stage.division.season = season
    return stage


def entrant_of(season: Season, pk: int) -> Entrant:
    entrant = get_object_or_404(Entrant.objects.named().select_related("division"), season=season, pk=pk)
    entrant.season = season
    return entrant


def round_of(request: HttpRequest, season: Season, pk: int) -> Round:
    round_ = Round.objects.select_related("stage__division").filter(stage__division__season=season, pk=pk).first()
    if round_ is None:
        raise Http404
    round_.stage.division.season = season
    if not access.may(request.user, Permission.SEE, round_):
        raise Http404
    return round_


def pairing_or_404(request: HttpRequest, key: str) -> Pairing:
    """A table by the key of its link; before its round is published only organisers may see it."""
    pairing = (
        Pairing.objects.select_related(
            "round__stage__division__season__league__club",
            "match",
            "placement__slot__night__venue",
            "placement__slot__night__club",
        )
        .prefetch_related("seats__entrant__user", "seats__entrant__members__user")
        .filter(key=key)
        .first()
    )
    if pairing is None or not access.may(request.user, Permission.SEE, pairing):
        raise Http404
    return pairing


def run_pairing(request: HttpRequest, key: str) -> Pairing:
    pairing = pairing_or_404(request, key)
    access.require(request.user, Permission.ORGANISE, pairing)
    return pairing


def season_of(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season


def show(
    request: HttpRequest, season: Season, template: str, tab: str, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of a season, with its header and tabs."""
    if settings.DEMO and season.league.name == bot_league.NAME:
        # Reading about the bots of the demo keeps them playing.
        exhibition.keep_alive()
    can = access.allowed(request.user, season)
    waiting = 0
    if Permission.ORGANISE in can and season.is_running:
        waiting = len(reporting.disputed_pairings(season)) + extensions.how_many_wait(season)
    before, after = neighbours(season, runs=Permission.ORGANISE in can)
    frame = {
        "season": season,
        "league": season.league,
        "club": season.league.club,
        "can": can,
        "runs": Permission.ORGANISE in can,
        "tab": tab,
        "waiting": waiting,
        "season_before": before,
        "season_after": after,
        # A part of a page that reloads itself needs no header, and must not consume the next page's messages.
        "base": "leagues/_htmx_base.html" if request.headers.get("HX-Request") else "base.html",
    }
    # As keyword arguments, so that Python refuses a name given twice: a page cannot replace a part of the frame.
    return render(request, f"leagues/{template}", dict(**frame, **context), status=status)


def neighbours(season: Season, *, runs: bool) -> tuple[Season | None, Season | None]:
    """The seasons before and after this one, if the reader may see them."""
    seasons = Season.objects.filter(league=season.league_id)
    if not runs:
        seasons = seasons.exclude(status=Season.Status.DRAFT)
    before = after = None
    for each in seasons.only("league", "number", "name").order_by("-number"):
        each.league = season.league
        if each.number > season.number:
            after = each
        elif each.number < season.number:
            before = each
            break
    return before, after


def moved(order: list[str], posted: QueryDict) -> list[str]:
    """The order that a sortable list sends; without JavaScript its arrows send one step."""
    for key, step in (("up", -1), ("down", 1)):
        wanted = posted.get(key, "")
        if wanted in order and 0 <= (at := order.index(wanted)) + step < len(order):
            order[at], order[at + step] = order[at + step], order[at]
    return order
