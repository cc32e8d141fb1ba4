"""What somebody has won: the first three places of closed seasons. Reads only."""

from dataclasses import dataclass

from django.db.models import Count, F, Q

from accounts.access import Actor
from accounts.models import User
from leagues.models import Entrant, League, Movement, Season
from leagues.seasons.summary import PODIUM

SHOWN = 24


@dataclass(frozen=True)
class Trophy:
    """A place at the end of a season; `division` is empty where the season had only one, `team` for a single player."""

    season: Season
    division: str
    team: str
    place: int
    field_size: int

    @property
    def is_title(self) -> bool:
        return self.place == 1


def trophies(person: User, reader: Actor) -> list[Trophy]:
    """The latest first; only of leagues that the reader may see. Whoever came last has won nothing."""
    own = Q(entrant__user=person) | Q(entrant__members__user=person)
    seen = League.objects.seen_by(reader)
    rows = (
        Movement.objects.filter(own, place__lte=PODIUM, season__status=Season.Status.CLOSED, season__league__in=seen)
        .select_related("season__league__club", "entrant__division")
        .annotate(
            field_size=Count("entrant__division__entrants__movement", distinct=True),
            divisions=Count("season__divisions", distinct=True),
        )
        .filter(field_size__gt=F("place"))
        .order_by("-season__closed_at", "-pk")
    )
    return [
        Trophy(
            season=row.season,
            division=row.entrant.division.name if row.divisions > 1 else "",
            team=row.entrant.team if row.entrant.kind == Entrant.Kind.TEAM else "",
            place=row.place,
            field_size=row.field_size,
        )
        for row in rows[:SHOWN]
    ]
