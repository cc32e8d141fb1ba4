from typing import Any

from django.db.models import Case, Count, Prefetch, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts.access import Actor
from accounts.models import Role, User
from accounts.views.common import page_of
from leagues import access
from leagues.access import Permission
from leagues.models import League, Season

LEAGUES_A_PAGE = 24
RUN = (Role.OWNER, Role.ORGANISER)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every league of the site: the reader's own first, then what is open for entries, then what runs."""
    mine = own_leagues(request.user)
    listed = with_seasons(League.objects.open().select_related("club"), request.user)
    others = listed.exclude(pk__in=[league.pk for league in mine])
    clubs = []
    if isinstance(request.user, User):
        runs = request.user.memberships.filter(role__in=RUN, club__closed_at=None).select_related("club")
        clubs = [membership.club for membership in runs.order_by("club__name")]
    context = {
        "mine": mine,
        "page": page_of(others.order_by("-entering", "-running", "name", "pk"), request, LEAGUES_A_PAGE),
        "clubs": clubs,
    }
    return render(request, "leagues/index.html", context)


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(League.objects.select_related("club"), slug=slug)
    can = access.allowed(request.user, found)
    access.require(request.user, Permission.SEE, found)
    runs = Permission.ORGANISE in can
    seasons = list(seasons_for(runs=runs).filter(league=found))
    context = {"league": found, "club": found.club, "seasons": seasons, "runs": runs}
    return render(request, "leagues/league.html", context)


def own_leagues(reader: Actor) -> list[League]:
    """Leagues that the reader plays in, alone or in a team."""
    if not isinstance(reader, User):
        return []
    plays = Q(seasons__entrants__user=reader) | Q(seasons__entrants__members__user=reader)
    found = League.objects.open().filter(plays, seasons__status__in=["registration", "running"]).distinct()
    return list(with_seasons(found.select_related("club"), reader).order_by("name", "pk"))


def with_seasons(leagues: QuerySet[League], reader: Actor) -> QuerySet[Any]:
    """Leagues with what a card says of them: a fixed number of queries for any number of leagues.

    A card shows the newest running season; if none runs, the newest open for entries, else the newest of all.
    """
    runs: list[int] = []
    if isinstance(reader, User):
        runs = list(reader.memberships.filter(role__in=RUN).values_list("club_id", flat=True))
    visible = seasons_for(runs=isinstance(reader, User) and reader.is_staff, clubs=runs)
    current_first = Case(When(status="running", then=0), When(status="registration", then=1), default=2)
    ordered = visible.order_by(current_first, "-number")
    return leagues.prefetch_related(Prefetch("seasons", ordered, to_attr="shown")).annotate(
        entering=Count("seasons", Q(seasons__status="registration"), distinct=True),
        running=Count("seasons", Q(seasons__status="running"), distinct=True),
    )


def seasons_for(*, runs: bool, clubs: list[int] | None = None) -> QuerySet[Season]:
    """Seasons as a reader may know of them, the newest first: one being set up is there for organisers alone."""
    # The order is said here, because Django leaves the model's own out where it counts.
    seasons = (
        Season.objects.annotate(
            size=Count("entrants", ~Q(entrants__status__in=["waiting", "withdrawn"]), distinct=True)
        )
        .select_related("league")
        .order_by("-number")
    )
    return seasons if runs else seasons.filter(~Q(status="draft") | Q(league__club__in=clubs or []))
