from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from leagues.core import access, consent
from leagues.core.access import Permission
from leagues.models import Season
from leagues.seasons import final_standings, next_steps, organiser_tasks, overview, renewal, rollover, sign_off
from leagues.views import ladder_arena
from leagues.views.common import season_or_404, show


@require_safe
def hub(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The overview of a season, with the reader's next step."""
    season = season_or_404(request, slug, number)
    runs = access.may(request.user, Permission.ORGANISE, season)
    person = request.user if isinstance(request.user, User) else None
    # The page of somebody who waits in an arena asks what has changed.
    waits = request.GET.get("waits", "") if "HX-Request" in request.headers else ""
    if waits and (table := ladder_arena.table_after_waiting(season, person, waits)):
        return HttpResponse(headers={"HX-Redirect": table})
    # A closed season has its final order above.
    divisions = overview.divisions(season, drawn=runs, ranked=not season.is_closed)
    context: dict[str, Any] = {
        "next": next_steps.next_step_for_reader(season, person),
        "todo": organiser_tasks.organiser_tasks(season) if runs else [],
        "divisions": divisions,
        "outcome": _outcome(season) if season.is_closed else [],
        "is_last": runs and rollover.last_closed(season.league) == season,
        "signed": sign_off.of(season) if season.has_begun else None,
        "invited": overview.entries_of(season, person) if consent.is_asked(season, person) else None,
        "asked": renewal.asked(season, person, runs=False) if person else None,
        "meetings": ladder_arena.ladder_arena_context(divisions, person)
        if season.status == Season.Status.RUNNING
        else [],
    }
    return show(request, season, "seasons/overview.html", "season", **context)


def _outcome(season: Season) -> list[dict[str, Any]]:
    """The final order of every division: its lines with their points, where it has any."""
    listed = []
    for each in rollover.outcome(season):
        scores = final_standings.points_by_entrant(each.division)
        lines = [(line, scores.get(line.entrant_id)) for line in each.movements]
        listed.append({"division": each.division, "lines": lines, "scores": scores, "has_moves": each.has_moves})
    return listed
