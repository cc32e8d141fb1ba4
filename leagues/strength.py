"""How strong entrants are, from the ratings of the game; a team is the mean of its members."""

from collections.abc import Iterable, Mapping

from leagues.models import Entrant, Rating, TeamMember
from leagues.ratings.kinds import STANDARD, points

UNRATED = 1500
"""Where everybody starts."""


def ratings(game: str, entrants: Iterable[Entrant]) -> dict[int, int]:
    """Entrants' ratings in whole points, for those who have one."""
    listed = list(entrants)
    members: dict[int, list[int]] = {each.pk: [each.user_id] for each in listed if each.user_id}
    for entrant, user in TeamMember.objects.filter(entrant__in=listed).values_list("entrant", "user"):
        members.setdefault(entrant, []).append(user)
    known = of_people(game, {user for users in members.values() for user in users})
    found = {}
    for entrant, users in members.items():
        rated = [known[user] for user in users if user in known]
        if rated:
            found[entrant] = round(sum(rated) / len(rated))
    return found


def of_people(game: str, users: set[int]) -> Mapping[int, int]:
    """The present ratings of these people, in whole points: one query."""
    rows = Rating.objects.filter(pool__game=game, pool__mode=STANDARD, user__in=users)
    return {user: points(rating) for user, rating in rows.values_list("user", "rating")}
