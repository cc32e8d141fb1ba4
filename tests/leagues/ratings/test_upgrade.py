"""A database of the first method, taken through the migration: everything is rated again from its results."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

from leagues.models import RatedResult, Rating, RatingChange, RatingPool, Refold
from leagues.ratings import settling
from tests.leagues.ratings import seasons
from tests.leagues.ratings.test_settling import check_exact, crowd

BEFORE = [("leagues", "0002_calendar")]


def migrated(target: list[tuple[str, str]]) -> ProjectState:
    executor = MigrationExecutor(connection)
    return executor.migrate(target)


@pytest.mark.django_db(transaction=True)
def test_what_was_rated_before_is_rated_again() -> None:
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes("leagues")
    people = crowd(3)
    old = migrated(BEFORE).apps
    try:
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
                pool=pool, user_id=user, is_bot=False, rating=1_564_000, as_solo=1_564_000, as_team=1_564_000,
                games=2, last_at=seasons.BEGIN,
            )  # fmt: skip
    finally:
        migrated(latest)
    assert list(RatedResult.objects.values_list("counts_at", flat=True)) == [
        seasons.BEGIN + timedelta(days=number) for number in range(4)
    ]
    now = RatingPool.objects.get()
    assert (now.method, settling.unsettled_pools()) == (1, [now.pk])
    assert all(rating.is_provisional for rating in Rating.objects.select_related("pool"))

    settling.settle(pool_id=now.pk)
    check_exact()
    assert RatingPool.objects.get().method == 2
    refold = Refold.objects.get()
    assert (refold.method, refold.since, refold.results) == (2, None, 4)
    # The old changes stay as they were, superseded.
    assert RatingChange.objects.filter(variance=0, superseded_by=refold).count() == 8
    assert RatingChange.objects.standing().filter(variance__gt=0).count() == 8
