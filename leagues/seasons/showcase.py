"""What the front page shows everybody of the leagues: a running season, and the next club night. Reads only."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count
from django.utils import timezone

from accounts.models import Club
from leagues.calendar import presentation as calendar_presentation
from leagues.models import ClubNight, League, Stage
from leagues.standings import presentation as standings_presentation
from leagues.standings.presentation import StandingsTable

ROWS = 5
TRIED = 4
# The standings of a larger field are not made for every visitor.
LARGEST_FIELD = 100


@dataclass(frozen=True)
class ShownSeason:
    stage: Stage
    table: StandingsTable

    @property
    def lines(self) -> Any:
        return self.table.lines[:ROWS]


def running_season() -> ShownSeason | None:
    """A public season of people in which results count already; the newest first."""
    public = League.objects.open().seen_by(None)
    stages = (
        Stage.objects.filter(
            division__season__league__in=public, division__season__status="running", status=Stage.Status.RUNNING
        )
        .filter(division__season__entrants__user__is_bot=False)
        .annotate(size=Count("division__season__entrants", distinct=True))
        .filter(size__lte=LARGEST_FIELD)
        .select_related("division__season__league__club")
        .order_by("-division__season__pk", "division__level", "division__number", "-position")
    )
    for stage in stages[:TRIED]:
        table = next(iter(standings_presentation.standings_tables(stage)), None)
        if table is not None and table.ranked and table.lines:
            return ShownSeason(stage, table)
    return None


def next_night() -> dict[str, Any] | None:
    """The next public night of a public club, and when it is."""
    coming = ClubNight.objects.seen_by(None).filter(
        club__in=Club.objects.open(), cancelled_at=None, ends_at__gt=timezone.now()
    )
    night = coming.select_related("club", "venue").order_by("starts_at", "pk").first()
    if night is None:
        return None
    when = calendar_presentation.when(night.starts_at, night.ends_at, night.club, AnonymousUser())
    return {"night": night, "when": when}
