"""A database of the first method, made and taken through the migration: `python -m ... upgrade`, in one of its own.

A process of its own, because half a migration must not stay behind for other tests.
"""

from datetime import timedelta
from typing import Any

import django
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = ("leagues", "0002_calendar")


def main() -> None:
    from tests.leagues.ratings.test_settling import crowd

    loader = MigrationExecutor(connection).loader
    others = [leaf for leaf in loader.graph.leaf_nodes() if leaf[0] != "leagues"]
    old = MigrationExecutor(connection).migrate([*others, BEFORE]).apps
    people = crowd(3)
    rate_by_first_method(old, people)
    MigrationExecutor(connection).migrate(loader.graph.leaf_nodes())
    check(people)


def rate_by_first_method(old: Any, people: list[int]) -> None:
    from tests.leagues.ratings import seasons

    pool = old.get_model("leagues", "RatingPool").objects.create(game="splendor-marvel", seeds={})
    for number in range(4):
        at = seasons.BEGIN + timedelta(days=number)
        first, second = people[number % 3], people[(number + 1) % 3]
        result = old.get_model("leagues", "RatedResult").objects.create(
            source=f"match:{number}",
            pool=pool,
            finished_at=at,
            seats=[[first, 1, False, ""], [second, 2, False, ""]],
            folded=True,
        )
        for seat, user in enumerate((first, second)):
            old.get_model("leagues", "RatingChange").objects.create(
                pool=pool,
                result=result,
                user_id=user,
                at=at,
                seat=seat,
                players=2,
                rank=seat + 1,
                won=not seat,
                before=1_500_000,
                after=1_564_000 - 128_000 * seat,
                games=0,
            )
    for user in people:
        old.get_model("leagues", "Rating").objects.create(
            pool=pool,
            user_id=user,
            is_bot=False,
            rating=1_564_000,
            as_solo=1_564_000,
            as_team=1_564_000,
            games=2,
            last_at=seasons.BEGIN,
        )


def check(people: list[int]) -> None:
    from leagues.models import RatedResult, Rating, RatingChange, RatingPool, Refold
    from leagues.ratings import settling
    from tests.leagues.ratings import seasons
    from tests.leagues.ratings.test_settling import check_exact

    assert list(RatedResult.objects.values_list("counts_at", flat=True)) == [
        seasons.BEGIN + timedelta(days=number) for number in range(4)
    ]
    pool = RatingPool.objects.get()
    assert (pool.method, settling.unsettled_pools()) == (1, [pool.pk])
    assert all(rating.is_provisional for rating in Rating.objects.select_related("pool"))

    settling.settle(pool_id=pool.pk)
    check_exact()
    assert RatingPool.objects.get().method == 2
    refold = Refold.objects.get()
    assert (refold.method, refold.since, refold.results) == (2, None, 4)
    # The old changes stay as they were, superseded.
    assert RatingChange.objects.filter(variance=0, superseded_by=refold).count() == 8
    assert RatingChange.objects.standing().filter(variance__gt=0).count() == 8
    assert Rating.objects.filter(user__in=people).count() == 3


if __name__ == "__main__":
    django.setup()
    main()
    print("rated again")
