"""A pool computed by an earlier method of rating: everything is rated again from its results."""

from datetime import timedelta

import pytest

from leagues.models import RatedResult, Rating, RatingChange, RatingPool, Refold
from leagues.ratings import pending
from tests.leagues.ratings import result_factories
from tests.leagues.ratings.test_pending import check_exact, crowd


@pytest.mark.django_db
def test_what_was_rated_by_the_first_method_is_rated_again() -> None:
    people = crowd(3)
    pool = pool_of_first_method(people)
    assert pending.pools_with_pending_results() == [pool.pk]

    pending.apply_pending_results(pool_id=pool.pk)
    check_exact()
    assert RatingPool.objects.get().method == 2
    refold = Refold.objects.get()
    assert (refold.method, refold.since, refold.results) == (2, None, 4)
    # The old changes stay as they were, superseded.
    assert RatingChange.objects.filter(variance=0, superseded_by=refold).count() == 8
    assert RatingChange.objects.standing().filter(variance__gt=0).count() == 8
    assert Rating.objects.filter(user__in=people).count() == 3


def pool_of_first_method(people: list[int]) -> RatingPool:
    pool = RatingPool.objects.create(game="splendor-marvel", seeds={}, method=1)
    for number in range(4):
        at = result_factories.BEGIN + timedelta(days=number)
        first, second = people[number % 3], people[(number + 1) % 3]
        result = RatedResult.objects.create(
            source=f"match:{number}",
            pool=pool,
            finished_at=at,
            counts_at=at,
            seats=[[first, 1, False, ""], [second, 2, False, ""]],
            folded=True,
        )
        for seat, user in enumerate((first, second)):
            RatingChange.objects.create(
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
                variance=0,
            )
    for user in people:
        Rating.objects.create(
            pool=pool,
            user_id=user,
            is_bot=False,
            rating=1_564_000,
            as_solo=1_564_000,
            as_team=1_564_000,
            games=2,
            last_at=result_factories.BEGIN,
        )
    return pool
