"""The end of a season: champions and its course in pictures, and certificates to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leagues.models import Season
from leagues.seasons import place_chart, summary
from leagues.views.common import season_or_404, show


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    divisions = [
        {"summary": each, "charts": [(past, _chart(past)) for past in each.histories]} for each in _of_closed(season)
    ]
    return show(request, season, "seasons/summary.html", "season", divisions=divisions)


@require_safe
def certificates(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One to a page: for the podium of every division, or for everybody who played."""
    season = season_or_404(request, slug, number)
    everybody = request.GET.get("for") == "everybody"
    divisions = _of_closed(season)
    papers = [
        (each.division, movement)
        for each in divisions
        for movement in (each.movements if everybody else each.podium)
        if movement.entrant.kind != movement.entrant.Kind.BOT
    ]
    several = len(divisions) > 1
    return show(
        request, season, "seasons/certificates.html", "season", papers=papers, everybody=everybody, several=several
    )


def _of_closed(season: Season) -> list[summary.DivisionSummary]:
    if not season.is_closed:
        raise Http404
    return summary.summarise(season)


def _chart(past: summary.PlaceHistory) -> place_chart.PlaceChart:
    lines = [(line.entrant.name, line.places, line.final) for line in past.lines]
    return place_chart.layout(past.rounds, lines, summary.PODIUM)
