"""What pages ask of ratings beyond the rows themselves."""

from dataclasses import fields

from leagues.models import RatingChange, RatingOffset, RatingPool
from leagues.ratings.explain import Explanation, Seated, explain
from leagues.ratings.kinds import STANDARD

SEATED = [field.name for field in fields(Seated) if field.name != "is_bot"]


def pool_of(game: str, mode: str = STANDARD) -> RatingPool | None:
    """The pool of a game, if anything has been rated in it."""
    return RatingPool.objects.filter(game=game, mode=mode).first()


def table_of(change: RatingChange) -> list[RatingChange]:
    """All changes that the same result made, in the order of the seats, with their players; one query.

    A change that a refold has superseded is shown among those of its own time.
    """
    same = RatingChange.objects.filter(result=change.result_id, superseded_by=change.superseded_by_id)
    return list(same.select_related("user").order_by("seat"))


def explanation(change: RatingChange, table: list[RatingChange] | None = None) -> Explanation:
    """The full sum of a change; `table` is what `table_of` gave, for a page that shows the names too."""
    table = table or table_of(change)
    place = next(place for place, each in enumerate(table) if each.seat == change.seat)
    return explain(change.pool.kind, [seated(each) for each in table], place)


def offsets(pool: RatingPool) -> list[RatingOffset]:
    """The published offsets: of seats by size of table, of team sizes, or the difficulty of scenarios."""
    return list(RatingOffset.objects.filter(pool=pool).order_by("name", "players"))


def seated(change: RatingChange) -> Seated:
    """A change as the sum takes it."""
    numbers = {name: getattr(change, name) for name in SEATED}
    return Seated(is_bot=change.user.is_bot, **numbers)
