"""A season on the calendar: everybody sees it, organisers have its tables placed there or place them themselves."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.views.common import PersonRequest, telling
from leagues import access
from leagues.access import Permission
from leagues.models import Plan, Round, Season
from leagues.scheduling import grid, planning, report
from leagues.scheduling.said import Clock
from leagues.views.common import run_season, season_or_404, show


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return calendar_page(request, season_or_404(request, slug, number))


def calendar_page(request: HttpRequest, season: Season, said: str = "", refused: bool = False) -> HttpResponse:
    """Nights, slots and boards; `said` is what has just become of a table."""
    runs = access.may(request.user, Permission.ORGANISE, season)
    drawn = Round.objects.filter(stage__division__season=season).exclude(status=Round.Status.CLOSED)
    latest = Plan.objects.filter(season=season).first() if runs else None
    context: dict[str, Any] = {
        "nights": grid.nights(season, request.user, drawn=runs),
        "unplaced": grid.waiting(season, request.user, drawn=runs),
        "clock": Clock(season.league.club),
        "several": season.divisions.count() > 1,
        "rounds": list(drawn.select_related("stage__division").order_by("number", "stage")) if runs else [],
        "plan": report.of(latest) if latest else None,
        "said": said,
        "address": reverse("leagues:calendar", args=[season.league.slug, season.number]),
        "refused": refused,
    }
    return show(request, season, "calendar.html", "calendar", **context)


@login_required
@require_POST
def plan(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Have the tables placed: a task does it, and the page shows how far it is."""
    season = run_season(request, slug, number)
    known = Round.objects.filter(stage__division__season=season, pk__in=_numbers(request, "round"))
    a_night = _numbers(request, "a_night")
    scope = planning.Scope(tuple(known.values_list("pk", flat=True)), a_night[0] if a_night else None)
    with telling(request, _("The tables are being placed. This page shows how far it is.")):
        planning.ask(actor=request.user, season=season, scope=scope)
    return redirect("leagues:calendar", slug=slug, number=number)


def _numbers(request: HttpRequest, name: str) -> list[int]:
    return [int(text) for text in request.POST.getlist(name) if text.isdecimal() and len(text) < 10]
