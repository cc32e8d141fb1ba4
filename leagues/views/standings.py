from collections import Counter
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.infra.input import whole_number
from leagues.core import format_catalogue
from leagues.models import Round, Stage
from leagues.odds import presentation as odds
from leagues.standings import bracket_presentation, luck, presentation
from leagues.views.common import season_or_404, show, stage_of


@require_safe
def index(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Redirect to the standings of all divisions, or of the only one's latest stage."""
    season = season_or_404(request, slug, number)
    begun = Stage.objects.filter(division__season=season).exclude(status=Stage.Status.PLANNED)
    stage = begun.order_by("division__level", "division__number", "-position").first()
    if stage is None:
        return redirect(season)
    beside = "?all" if begun.values("division").distinct().count() > 1 else ""
    return redirect(reverse("leagues:standings", args=[slug, number, stage.pk]) + beside)


@require_safe
def page(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    stage = stage_of(season, pk)
    closed = list(
        Round.objects.filter(stage=stage, status=Round.Status.CLOSED)
        .order_by("number")
        .values_list("number", flat=True)
    )
    stages = list(
        Stage.objects.filter(division__season=season)
        .exclude(status=Stage.Status.PLANNED)
        .select_related("division")
        .order_by("division__level", "division__number", "position")
    )
    for each in stages:
        each.division.season = season
    several = len({each.division_id for each in stages}) > 1
    together = several and "all" in request.GET
    after = None if together else _round(request, closed)
    alone = not together and after is None
    shown = list({each.division_id: each for each in stages}.values()) if together else [stage]
    context: dict[str, Any] = {
        "stage": stage,
        "together": together,
        "several": several,
        "tabs": _tabs(stages),
        "closed": [] if together else closed,
        "after": after,
        "parts": [
            {
                "stage": each,
                "format": format_catalogue.FORMATS[each.format].title,
                "listing": listing,
                "crosstable": presentation.crosstable(each, listing) if alone else None,
            }
            for each in shown
            for listing in presentation.standings_tables(each, after)
        ],
        "bracket": bracket_presentation.shown_bracket(stage) if alone else None,
        "odds": odds.odds_of(stage) if alone else None,
        # On demand: it needs every report of the season.
        "luck": luck.luck_in(season, request.user) if "luck" in request.GET else None,
        "has_luck": luck.analysed_in(season, request.user).exists(),
    }
    return show(request, season, "standings/page.html", "standings", **context)


def _tabs(stages: list[Stage]) -> list[tuple[Stage, str]]:
    """The tab titles: each stage by what distinguishes it: its division, its format, or both."""
    several = len({stage.division_id for stage in stages}) > 1
    in_division = Counter(stage.division_id for stage in stages)
    alike = Counter((stage.division_id, stage.format) for stage in stages)
    tabs = []
    for stage in stages:
        title = str(format_catalogue.FORMATS[stage.format].title)
        if alike[stage.division_id, stage.format] > 1:
            title = _("%(format)s, stage %(position)s") % {"format": title, "position": stage.position}
        if in_division[stage.division_id] == 1:
            title = stage.division.name
        elif several:
            title = f"{stage.division.name}: {title}"
        tabs.append((stage, title))
    return tabs


@require_safe
def explain(request: HttpRequest, slug: str, number: int, pk: int, entrant: int, code: str) -> HttpResponse:
    """The contributions to the value of a tie-break."""
    season = season_or_404(request, slug, number)
    stage = stage_of(season, pk)
    explained = presentation.tie_break_breakdown(stage, entrant, code)
    if explained is None:
        raise Http404
    return show(request, season, "standings/tie_break.html", "standings", stage=stage, found=explained)


def _round(request: HttpRequest, closed: list[int]) -> int | None:
    """The closed round in the query; None for the present standings."""
    wanted = request.GET.get("after", "")
    if not wanted:
        return None
    number = whole_number(wanted)
    if number not in closed:
        raise Http404
    return number
