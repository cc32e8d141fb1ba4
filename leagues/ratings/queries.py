"""Queries about ratings for pages."""

from collections.abc import Iterable
from dataclasses import fields

from leagues.elo.explain import Explanation, Seated, explain
from leagues.elo.result_types import SCALE, STANDARD, START
from leagues.models import Rating, RatingChange, RatingOffset, RatingPool

SEATED = [field.name for field in fields(Seated) if field.name not in ("is_bot", "is_solo")]


def pool_of(game: str, mode: str = STANDARD) -> RatingPool | None:
    """The pool of a game, if anything has been rated in it."""
    return RatingPool.objects.filter(game=game, mode=mode).first()


def ratings_in(game: str, people: Iterable[int]) -> dict[int, int]:
    """The ratings of people in a game, in points; who has none counts as the average."""
    pool = pool_of(game)
    found = dict.fromkeys(people, pool.centre if pool else START)
    if pool is not None:
        found.update(Rating.objects.filter(pool=pool, user__in=list(found)).values_list("user_id", "rating"))
    return {person: rating // SCALE for person, rating in found.items()}


def table_of(change: RatingChange) -> list[RatingChange]:
    """All changes that the same result made, in the order of the seats, with their players; one query.

    A superseded change is listed with those that the same recomputation superseded.
    """
    same = RatingChange.objects.filter(result=change.result_id, superseded_by=change.superseded_by_id)
    return list(same.select_related("user").order_by("seat"))


def explanation(change: RatingChange, table: list[RatingChange] | None = None) -> Explanation:
    """The full calculation of a change; `table` can be passed if `table_of` was called already."""
    table = table or table_of(change)
    place = next(place for place, each in enumerate(table) if each.seat == change.seat)
    solo_role = change.pool.solo_role
    return explain(change.pool.kind, [seated(each, solo_role) for each in table], place)


def offsets(pool: RatingPool) -> list[RatingOffset]:
    """The published offsets: of seats by size of table, of team sizes, or the difficulty of scenarios."""
    return list(RatingOffset.objects.filter(pool=pool).order_by("name", "players"))


def seated(change: RatingChange, solo_role: str) -> Seated:
    """A change as input of `explain`; `solo_role` is the role that plays alone, if any."""
    numbers = {name: getattr(change, name) for name in SEATED}
    return Seated(is_bot=change.user.is_bot, is_solo=bool(solo_role) and change.role == solo_role, **numbers)
