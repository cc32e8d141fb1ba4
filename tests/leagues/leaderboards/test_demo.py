"""The demo's past is written once, and has enough to show."""

import pytest

from accounts import demo as people
from leagues.demo import rating_history as demo
from leagues.models import RatedResult, RatingChange, RatingPool
from leagues.ratings import pending


@pytest.mark.django_db
def test_the_past_is_written_once_and_every_board_has_players() -> None:
    people.seed()
    demo.seed()
    results = RatedResult.objects.count()
    assert results > 200
    assert not RatedResult.objects.filter(pending.UNSETTLED).exists()
    for pool in RatingPool.objects.all():
        assert pool.ratings.filter(is_bot=False).count() > 8
    assert RatingPool.objects.count() == 3
    demo.seed()
    assert RatedResult.objects.count() == results
    assert not RatingChange.objects.filter(superseded_by__isnull=False).exists()
