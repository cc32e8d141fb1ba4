"""Titles and trophies on a person's page: from closed seasons alone, and for whoever may see the league."""

import pytest

from accounts.models import Club
from leagues.models import League, Movement, Season
from leagues.seasons import trophies
from tests.api.conftest import Program
from tests.factories import logged_in
from tests.leagues.seasons.test_summary import closed_season


@pytest.fixture
def season(league, alice) -> Season:
    return closed_season(league, alice, "round-robin", 4, 3)


def placed(season: Season, place: int):
    return Movement.objects.select_related("entrant__user").filter(season=season, place=place)[0].entrant.user


def test_the_first_three_and_nobody_else(season, client):
    champion = placed(season, 1)
    (title,) = trophies.trophies(champion, champion)
    assert (title.season, title.place, title.field_size, title.division) == (season, 1, 4, "")
    page = client.get(champion.get_absolute_url()).text
    assert "Titles and trophies" in page
    assert "Champion" in page
    assert season.get_absolute_url() in page
    last = Movement.objects.select_related("entrant__user").filter(season=season).order_by("place").last().entrant.user
    assert not trophies.trophies(last, last)
    assert "Titles and trophies" not in client.get(last.get_absolute_url()).text


def test_whoever_came_last_of_two_has_won_nothing(league, alice):
    season = closed_season(league, alice, "round-robin", 2, 1)
    places = {row.place: len(trophies.trophies(row.entrant.user, alice)) for row in season.movements.all()}
    assert places == {1: 1, 2: 0}


def test_a_season_with_divisions_names_them(league, alice):
    season = closed_season(league, alice, "round-robin", 4, 3, divisions=2)
    names = {
        trophy.division
        for row in Movement.objects.filter(season=season, place=1).select_related("entrant__user")
        for trophy in trophies.trophies(row.entrant.user, alice)
    }
    assert names == {division.name for division in season.divisions.all()}
    assert len(names) == 2


def test_not_before_the_season_is_closed(season, client):
    champion = placed(season, 1)
    Season.objects.filter(pk=season.pk).update(status="running", closed_at=None)
    assert not trophies.trophies(champion, champion)


@pytest.mark.parametrize("hidden", [League, Club])
def test_private_leagues_are_not_for_strangers(season, client, bob, charlie, hidden):
    champion = placed(season, 1)
    path = f"/people/{champion.handle}/trophies/"
    assert len(Program().get(path).json()["trophies"]) == 1
    hidden.objects.update(is_private=True)
    for reader in (client, logged_in(charlie)):
        page = reader.get(champion.get_absolute_url()).text
        assert "Champion" not in page
        assert season.get_absolute_url() not in page
    assert Program(charlie).get(path).json() == {"trophies": []}
    assert season.get_absolute_url() in logged_in(bob).get(champion.get_absolute_url()).text
    (trophy,) = Program(bob).get(path).json()["trophies"]
    assert (trophy["place"], trophy["page"], trophy["club"]) == (1, season.get_absolute_url(), season.league.club.slug)


def test_nobody_of_that_name(db):
    assert Program().get("/people/nobody/trophies/").status_code == 404
