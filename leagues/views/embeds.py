"""Parts of a season for the club's own site: pages to be framed, without anything around, at most a minute old."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.models import Language, Theme
from leagues import agenda, scorecard, shown
from leagues.boards.views import FRAMED_CSP
from leagues.models import Pairing, Season
from leagues.views.common import season_or_404

MATCHES = 30

View = Callable[[HttpRequest, Season], HttpResponse]


def framed(view: View) -> Callable[..., HttpResponse]:
    """What every visitor may see, in the light and the language that the frame's address asks for."""

    @wraps(view)
    @require_safe
    @xframe_options_exempt
    @cache_control(public=True, max_age=60)
    def inner(request: HttpRequest, slug: str, number: int) -> HttpResponse:
        # A frame on another site shows the same to everybody, also to an organiser who is logged in here.
        request.user = AnonymousUser()
        season = season_or_404(request, slug, number)
        language = request.GET.get("lang", "") or translation.get_language() or Language.ENGLISH
        if language not in Language.values or request.GET.get("theme", Theme.AUTO) not in Theme.values:
            raise BadRequest("a language or theme that is none")
        with translation.override(language):
            response = view(request, season)
        response["Content-Security-Policy"] = FRAMED_CSP
        return response

    return inner


@framed
def standings(request: HttpRequest, season: Season) -> HttpResponse:
    divisions = agenda.divisions(season, drawn=False)
    parts = [
        {"stage": now.stage, "title": now.title, "listings": shown.listings(now.stage)}
        for each in divisions
        for now in each.stages[::-1]
        if now.stage.status != "planned"
    ]
    return _framed(request, season, "standings", parts=parts)


@framed
def matches(request: HttpRequest, season: Season) -> HttpResponse:
    """What is played next: tables that are published and open, those with a time first."""
    open_ones = Pairing.objects.open().seen().filter(round__stage__division__season=season)
    found = open_ones.select_related("round__stage__division", "placement__slot__night__venue").prefetch_related(
        "seats__entrant__user", "seats__entrant__members__user"
    )
    ordered = found.order_by(F("starts_at").asc(nulls_last=True), "round__number", "round__stage", "number")
    rows = []
    for pairing in ordered[:MATCHES]:
        pairing.round.stage.division.season = season
        seats = [(seat, scorecard.role_words(pairing, seat)) for seat in scorecard.seats_of(pairing)]
        rows.append({"pairing": pairing, "seats": seats})
    several = season.divisions.count() > 1
    return _framed(request, season, "matches", rows=rows, several=several)


def _framed(request: HttpRequest, season: Season, what: str, **context: Any) -> HttpResponse:
    theme = request.GET.get("theme", Theme.AUTO)
    context = dict(season=season, league=season.league, theme=theme, **context)
    return render(request, f"leagues/embed_{what}.html", context)
