"""How strong entrants are, by their ratings in the game; a team has the mean of its members."""

from collections.abc import Iterable, Mapping

from leagues.elo.result_types import STANDARD, points
from leagues.models import Entrant, Rating, TeamMember

UNRATED = 1500
"""The rating everybody starts with."""


def ratings(game: str, entrants: Iterable[Entrant]) -> dict[int, int]:
    """Entrants' ratings in whole points, for those who have one."""
    listed = list(entrants)
    members: dict[int, list[int]] = {each.pk: [each.user_id] for each in listed if each.user_id}
    for entrant, user in TeamMember.objects.filter(entrant__in=listed).values_list("entrant", "user"):
        members.setdefault(entrant, []).append(user)
    known = of_people(game, {user for users in members.values() for user in users})
    result = {}
    for entrant, users in members.items():
        rated = [known[user] for user in users if user in known]
        if rated:
            result[entrant] = round(sum(rated) / len(rated))
    return result


def of_people(game: str, users: set[int]) -> Mapping[int, int]:
    """Current ratings of these people in whole points, in one query."""
    rows = Rating.objects.filter(pool__game=game, pool__mode=STANDARD, user__in=users)
    return {user: points(rating) for user, rating in rows.values_list("user", "rating")}
