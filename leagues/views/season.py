from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from leagues import access, agenda, carry, returning, signoff
from leagues.access import Permission
from leagues.models import Season
from leagues.views import meeting
from leagues.views.common import season_or_404, show


@require_safe
def hub(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The season at a glance: what is next for the reader, and where everything stands."""
    season = season_or_404(request, slug, number)
    runs = access.may(request.user, Permission.ORGANISE, season)
    person = request.user if isinstance(request.user, User) else None
    divisions = agenda.divisions(season, drawn=runs, ranked=True)
    context: dict[str, Any] = {
        "next": agenda.for_reader(season, person),
        "todo": agenda.for_organiser(season) if runs else [],
        "divisions": divisions,
        "outcome": carry.outcome(season) if season.is_closed else [],
        "is_last": runs and carry.last_closed(season.league) == season,
        "signed": signoff.of(season) if season.has_begun else None,
        "asked": returning.asked(season, person, runs=False) if person else None,
        "meetings": meeting.shown(divisions, person) if season.status == Season.Status.RUNNING else [],
    }
    return show(request, season, "season.html", "season", **context)
