"""Leagues and seasons that a reader may see, for lists and cards. Reads only."""

from typing import Any

from django.db.models import Case, Count, Prefetch, Q, QuerySet, When

from accounts.access import Actor
from accounts.models import Role, User
from leagues.models import League, Season

RUNS_CLUBS = (Role.OWNER, Role.ORGANISER)


def own_leagues(reader: Actor) -> list[League]:
    """Leagues that the reader plays in, alone or in a team."""
    if not isinstance(reader, User):
        return []
    plays = Q(seasons__entrants__user=reader) | Q(seasons__entrants__members__user=reader)
    playing = League.objects.open().filter(plays, seasons__status__in=["registration", "running"]).distinct()
    return list(with_seasons(playing.select_related("club"), reader).order_by("name", "pk"))


def run_leagues(reader: Actor) -> list[League]:
    """Leagues of the clubs that the reader owns or organises."""
    if not isinstance(reader, User):
        return []
    clubs = reader.memberships.filter(role__in=RUNS_CLUBS).values("club")
    running = League.objects.open().filter(club__in=clubs).select_related("club")
    return list(with_seasons(running, reader).order_by("-running", "-entering", "name", "pk"))


def with_seasons(leagues: QuerySet[League], reader: Actor) -> QuerySet[Any]:
    """Leagues with the data of their cards, in a fixed number of queries.

    A card shows the newest running season; if none runs, the newest open for entries, else the newest of all.
    """
    runs: list[int] = []
    if isinstance(reader, User):
        runs = list(reader.memberships.filter(role__in=RUNS_CLUBS).values_list("club_id", flat=True))
    visible = seasons_for(runs=isinstance(reader, User) and reader.is_staff, clubs=runs)
    current_first = Case(When(status="running", then=0), When(status="registration", then=1), default=2)
    ordered = visible.order_by(current_first, "-number")
    return leagues.prefetch_related(Prefetch("seasons", ordered, to_attr="shown")).annotate(
        entering=Count("seasons", Q(seasons__status="registration"), distinct=True),
        running=Count("seasons", Q(seasons__status="running"), distinct=True),
    )


def seasons_for(*, runs: bool, clubs: list[int] | None = None) -> QuerySet[Season]:
    """The seasons that a reader may see, the newest first; only organisers see drafts."""
    # Ordered explicitly, because Django ignores the model's own ordering in aggregations.
    seasons = (
        Season.objects.annotate(
            size=Count("entrants", ~Q(entrants__status__in=["waiting", "withdrawn"]), distinct=True)
        )
        .select_related("league")
        .order_by("-number")
    )
    return seasons if runs else seasons.filter(~Q(status="draft") | Q(league__club__in=clubs or []))
