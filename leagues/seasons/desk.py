"""The organiser's desk: everything to decide, across all seasons that a person runs. Reads only."""

from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.access import Actor
from accounts.models import User
from leagues.models import Season
from leagues.seasons.directory import RUNS_CLUBS
from leagues.seasons.organiser_tasks import OrganiserTask, tasks_of_seasons

SHOWN_AT_HOME = 8


@dataclass(frozen=True)
class Decision:
    season: Season
    task: OrganiserTask


def seasons_run_by(person: User) -> QuerySet[Season]:
    """The seasons of the person's clubs that are not closed. Staff have a desk only for clubs they run themselves."""
    clubs = person.memberships.filter(role__in=RUNS_CLUBS, club__closed_at=None).values("club")
    seasons = Season.objects.filter(league__club__in=clubs, league__closed_at=None)
    return seasons.exclude(status=Season.Status.CLOSED).select_related("league__club").order_by("pk")


def decisions(reader: Actor) -> list[Decision]:
    """Everything that waits for the reader, the oldest first, in a fixed number of queries."""
    if not isinstance(reader, User) or not reader.is_active:
        return []
    seasons = list(seasons_run_by(reader))
    if not seasons:
        return []
    tasks = tasks_of_seasons(seasons)
    waiting = [Decision(season, task) for season in seasons for task in tasks[season.pk] if not task.optional]
    return sorted(waiting, key=lambda each: (each.task.since, each.season.pk))
