"""The directory of leagues, and one league with its seasons."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.views.common import paginate
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import League
from leagues.seasons import desk
from leagues.seasons.directory import RUNS_CLUBS, own_leagues, run_leagues, seasons_for, with_seasons

LEAGUES_A_PAGE = 24


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All leagues of the site: first the reader's decisions and own leagues, then those open for entries or running."""
    mine, run = own_leagues(request.user), run_leagues(request.user)
    listed = with_seasons(League.objects.open().seen_by(request.user).select_related("club"), request.user)
    others = listed.exclude(pk__in=[league.pk for league in (*mine, *run)])
    clubs = []
    if isinstance(request.user, User):
        runs = request.user.memberships.filter(role__in=RUNS_CLUBS, club__closed_at=None).select_related("club")
        clubs = [membership.club for membership in runs.order_by("club__name")]
    context = {
        "mine": mine,
        "run": run,
        "decisions": desk.decisions(request.user),
        "page": paginate(others.order_by("-entering", "-running", "name", "pk"), request, LEAGUES_A_PAGE),
        "clubs": clubs,
    }
    return render(request, "leagues/seasons/index.html", context)


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    league_row = get_object_or_404(League.objects.select_related("club"), slug=slug)
    can = access.allowed(request.user, league_row)
    access.require(request.user, Permission.SEE, league_row)
    runs = Permission.ORGANISE in can
    seasons = list(seasons_for(runs=runs).filter(league=league_row))
    context = {"league": league_row, "club": league_row.club, "seasons": seasons, "runs": runs}
    return render(request, "leagues/seasons/league.html", context)
