"""Pairings and standings for printing."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leagues.models import Stage
from leagues.seasons import overview
from leagues.standings import presentation
from leagues.standings.presentation import Crosstable, StandingsTable
from leagues.views.common import round_of, season_or_404, show
from leagues.views.rounds import round_context


@require_safe
def pairings(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Who sits where, in alphabetical order."""
    season = season_or_404(request, slug, number)
    current = round_of(request, season, pk)
    context = round_context(request, season, current)
    by_name = sorted(
        ((seat.entrant.name, row["pairing"], seat, role) for row in context["rows"] for seat, role in row["seats"]),
        key=lambda each: each[0].casefold(),
    )
    timed = any(row["pairing"].starts_at for row in context["rows"])
    return show(request, season, "rounds/print_pairings.html", "rounds", by_name=by_name, timed=timed, **context)


@require_safe
def standings(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    parts = [
        {"stage": now.stage, "title": now.title, "listings": _with_crosstables(now.stage)}
        for each in overview.divisions(season, drawn=False)
        for now in each.stages
        if now.stage.status != "planned"
    ]
    return show(request, season, "standings/print.html", "standings", parts=parts)


def _with_crosstables(stage: Stage) -> list[tuple[StandingsTable, Crosstable | None]]:
    return [(each, presentation.crosstable(stage, each)) for each in presentation.standings_tables(stage)]
