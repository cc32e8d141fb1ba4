import pytest

from accounts import demo as people
from leagues import demo_season, results
from leagues.models import League, Pairing, Round, Season

pytestmark = pytest.mark.django_db


def test_the_demo_shows_a_league_at_work():
    people.seed()
    demo_season.seed()
    season = Season.objects.get()
    assert season.is_running
    assert [round_.status for round_ in Round.objects.order_by("number")] == ["closed", "closed", "published"]
    states = set(Pairing.objects.filter(round__number=3).values_list("state", flat=True))
    assert {"reported", "disputed"} <= states
    assert len(results.waiting_for_organiser(season)) == 1
    demo_season.seed()
    assert League.objects.count() == 1
