"""A season's tables on the calendar: everybody sees them, organisers place them or have them placed."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.infra.input import whole_numbers
from accounts.views.common import PersonRequest, flash_outcome
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Plan, Round, Season
from leagues.placement import grid, planning, report
from leagues.placement.reason_text import Clock
from leagues.views.common import run_season, season_or_404, show


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return calendar_page(request, season_or_404(request, slug, number))


def calendar_page(request: HttpRequest, season: Season, message: str = "", refused: bool = False) -> HttpResponse:
    """Nights, slots and boards; `message` says what was just done to a table."""
    runs = access.may(request.user, Permission.ORGANISE, season)
    drawn = Round.objects.filter(stage__division__season=season).exclude(status=Round.Status.CLOSED)
    latest = Plan.objects.filter(season=season).first() if runs else None
    context: dict[str, Any] = {
        "nights": grid.nights(season, request.user, drawn=runs),
        "unplaced": grid.waiting(season, request.user, drawn=runs),
        "clock": Clock(season.league.club),
        "several": season.divisions.count() > 1,
        "rounds": list(drawn.select_related("stage__division").order_by("number", "stage")) if runs else [],
        "plan": report.report_of(latest) if latest else None,
        "said": message,
        "address": reverse("leagues:calendar", args=[season.league.slug, season.number]),
        "refused": refused,
    }
    return show(request, season, "placement/calendar.html", "calendar", **context)


@login_required
@require_POST
def plan(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Start a task that places the tables; the page shows its progress."""
    season = run_season(request, slug, number)
    known = Round.objects.filter(stage__division__season=season, pk__in=_numbers(request, "round"))
    a_night = _numbers(request, "a_night")
    scope = planning.Scope(tuple(known.values_list("pk", flat=True)), a_night[0] if a_night else None)
    with flash_outcome(request, _("The tables are being placed. This page shows the progress.")):
        planning.request_plan(actor=request.user, season=season, scope=scope)
    return redirect("leagues:calendar", slug=slug, number=number)


def _numbers(request: HttpRequest, name: str) -> list[int]:
    return whole_numbers(request.POST.getlist(name))
