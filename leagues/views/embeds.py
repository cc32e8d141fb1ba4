"""Parts of a season to embed in the club's own site: pages without header, cached for at most a minute."""

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
from leagues.calendar.presentation import hide_private_places
from leagues.core.embedding import FRAMED_CSP
from leagues.models import Pairing, Season
from leagues.results import presentation as results_presentation
from leagues.seasons import overview
from leagues.standings import presentation as standings_presentation
from leagues.views.common import season_or_404

MATCHES = 30

View = Callable[[HttpRequest, Season], HttpResponse]


def framed(view: View) -> Callable[..., HttpResponse]:
    """Show what every visitor may see, in the theme and language of the frame's address."""

    @wraps(view)
    @require_safe
    @xframe_options_exempt
    @cache_control(public=True, max_age=60)
    def inner(request: HttpRequest, slug: str, number: int) -> HttpResponse:
        # A frame on another site shows everybody the same, even an organiser who is logged in here.
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
    divisions = overview.divisions(season, drawn=False)
    parts = [
        {"stage": now.stage, "title": now.title, "listings": standings_presentation.standings_tables(now.stage)}
        for each in divisions
        for now in each.stages[::-1]
        if now.stage.status != "planned"
    ]
    return _framed(request, season, "standings", parts=parts)


@framed
def matches(request: HttpRequest, season: Season) -> HttpResponse:
    """The next games: published open tables, those with a time first."""
    open_ones = Pairing.objects.open().seen().filter(round__stage__division__season=season)
    tables = open_ones.select_related(
        "round__stage__division", "placement__slot__night__venue", "placement__slot__night__club"
    ).prefetch_related("seats__entrant__user", "seats__entrant__members__user")
    ordered = tables.order_by(F("starts_at").asc(nulls_last=True), "round__number", "round__stage", "number")
    rows = []
    shown = list(ordered[:MATCHES])
    hide_private_places(shown, request.user)
    for pairing in shown:
        pairing.round.stage.division.season = season
        seats = [
            (seat, results_presentation.role_words(pairing, seat)) for seat in results_presentation.seats_of(pairing)
        ]
        rows.append({"pairing": pairing, "seats": seats})
    several = season.divisions.count() > 1
    return _framed(request, season, "matches", rows=rows, several=several)


def _framed(request: HttpRequest, season: Season, what: str, **context: Any) -> HttpResponse:
    theme = request.GET.get("theme", Theme.AUTO)
    context = dict(season=season, league=season.league, theme=theme, **context)
    return render(request, f"leagues/embeds/{what}.html", context)
