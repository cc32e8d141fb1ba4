"""Luck beside the standings: what the analysed matches of a season say together. A curiosity that changes no place."""

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt

from django.db.models import Q, QuerySet

from accounts.access import Actor
from engine.analysis import VERSION
from games.analysis.presentation import CLEAR
from games.models import Analysis, Match, Seat
from leagues.models import Entrant, Season, TeamMember


@dataclass(frozen=True)
class LuckLine:
    """The luck of one entrant in points of a hundred (100 is a whole win), with its error, from so many matches."""

    entrant: int
    name: str
    luck: int
    error: int
    matches: int

    @property
    def points(self) -> int:
        """Without its sign, for a page that writes a real minus."""
        return abs(self.luck)


def luck_in(season: Season, reader: Actor) -> list[LuckLine]:
    """Everybody with an analysed match that this reader may see, the luckiest first. As many queries for any field."""
    sides = dict(analysed_in(season, reader).values_list("match", "report__sides"))
    if not sides:
        return []
    entrant_of = dict(Entrant.objects.filter(season=season, user__isnull=False).values_list("user", "pk"))
    entrant_of |= dict(TeamMember.objects.filter(season=season).values_list("user", "entrant"))
    names = {each.pk: each.name for each in Entrant.objects.filter(season=season).named()}
    # By entrant and match: the seats of a team are on one side, and its luck counts once.
    luck: dict[int, dict[int, tuple[float, float]]] = defaultdict(dict)
    for match, index, user in Seat.objects.filter(match__in=sides).values_list("match", "index", "user"):
        side = next((each for each in sides[match] if index in each["seats"]), None)
        if side is not None and user in entrant_of:
            luck[entrant_of[user]][match] = side["luck"], side["luck_error"]
    lines = [
        LuckLine(
            entrant=entrant,
            name=names[entrant],
            luck=round(100 * sum(gained for gained, _ in matches.values())),
            error=round(100 * CLEAR * sqrt(sum(error**2 for _, error in matches.values()))),
            matches=len(matches),
        )
        for entrant, matches in luck.items()
    ]
    return sorted(lines, key=lambda line: (-line.luck, line.name))


def analysed_in(season: Season, reader: Actor) -> QuerySet[Analysis]:
    """The analyses of the season's finished matches by the present judge that this reader may see in lists."""
    of_season = Q(pairing__round__stage__division__season=season) | Q(
        pairing_game__pairing__round__stage__division__season=season
    )
    listed = Match.objects.listed_for(reader).filter(of_season, status=Match.Status.FINISHED, sealed=False)
    return Analysis.objects.filter(state=Analysis.State.DONE, version=VERSION, match__in=listed)
