"""The database's ratings are exactly what the pure fold makes of the facts, however those came in."""

import random

import pytest

from accounts.models import User
from leagues.models import RatedResult, RatingPool
from leagues.ratings import housebots, settling
from tests.leagues.ratings import seasons


@pytest.fixture
def people(db: None) -> list[int]:
    return crowd(12)


def crowd(count: int) -> list[int]:
    made = User.objects.bulk_create([User(handle=f"p{number}", password="!") for number in range(count)])
    return [user.pk for user in made]


def check_exact() -> None:
    """Every stored number is the pure fold's, and a rebuild finds nothing to do."""
    bots = set(User.objects.filter(is_bot=True).values_list("pk", flat=True))
    for pool in RatingPool.objects.all():
        book, entries = seasons.refolded(pool, bots, dict(housebots.forebears()))
        assert seasons.stored(pool) == entries
        expected = {user: book.standing(user) for user in book.numbers}
        assert seasons.numbers(pool) == {
            user: (now.rating, now.games, now.solo, now.solo_games, now.team) for user, now in expected.items() if now
        }
        assert seasons.offsets(pool) == {(each.players, each.name, each.value, each.games) for each in book.offsets()}
        assert not settling.rebuild(pool_id=pool.pk).report.differs
    assert not settling.unsettled_pools()


@pytest.mark.parametrize("seed", range(3))
def test_one_by_one_is_all_at_once(people: list[int], seed: int) -> None:
    rng = random.Random(seed)
    for said in seasons.season(300, people, seed):
        seasons.tell(said)
        if rng.random() < 0.3:
            for pool_id in settling.unsettled_pools():
                settling.settle(pool_id=pool_id)
    for pool_id in settling.unsettled_pools():
        settling.settle(pool_id=pool_id)
    assert RatedResult.objects.filter(version__gt=1).exists()
    check_exact()
