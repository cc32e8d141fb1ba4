"""One number for the place where one sits: in two divisions, on the calendar, in a bracket, and on every page."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Club, User
from leagues.core import table_numbers
from leagues.models import League, Pairing, Round, Season, Stage
from leagues.placement import service as placement
from leagues.results import reporting
from leagues.rounds import draw
from leagues.seasons import setup
from tests.factories import add_guests, draft_season, finish_round, logged_in, next_round, running_stage, stage_of
from tests.leagues.pages.conftest import in_order
from tests.leagues.placement.conftest import night, slot_of


def numbers(*rounds: Round) -> list[int]:
    return [pairing.table for each in rounds for pairing in each.pairings.order_by("number")]


@pytest.fixture
def league(club: Club, olga: User) -> League:
    return setup.create_league(actor=olga, club=club, name="Friday Splendor", game="splendor-marvel")


@pytest.fixture
def stages(league: League, olga: User) -> list[Stage]:
    """Two divisions of eight."""
    season = draft_season(league, olga, "table-swiss", planned=3, divisions=2)
    for level in (1, 2):
        add_guests(season, olga, 8, level)
    draw.start(actor=olga, season=season)
    return [stage_of(season, level=level) for level in (1, 2)]


def test_two_divisions_never_share_a_place(stages, olga):
    first, second = (next_round(olga, stage) for stage in stages)
    assert numbers(first, second) == [1, 2, 3, 4]
    assert [pairing.number for pairing in second.pairings.order_by("number")] == [1, 2]
    finish_round(first)
    # The others still play at 3 and 4.
    assert numbers(next_round(olga, stages[0])) == [1, 2]


def test_every_page_of_the_second_division_prints_the_place(stages, olga):
    next_round(olga, stages[0])
    second = next_round(olga, stages[1])
    season = second.stage.division.season
    where = [season.league.slug, season.number]
    for what in ("round", "sheet", "print-pairings"):
        page = Client().get(reverse(f"leagues:{what}", args=[*where, second.pk])).content.decode()
        main = page.partition("<main")[2]
        assert "able 3" in main or ">3</th>" in main
        assert "able 1<" not in main
    pairing = second.pairings.get(number=1)
    assert "<h2>Table 3</h2>" in Client().get(pairing.get_absolute_url()).content.decode()
    told = Client().get(f"/api/v1/pairings/{pairing.key}/").json()
    assert (told["number"], told["table"]) == (1, 3)
    listed = Client().get(reverse("leagues:export", args=[*where, "pairings", "json"])).json()
    assert {row["table"] for row in listed["pairings"] if row["division"] == "Division 2"} == {3, 4}
    framed = Client().get(reverse("leagues:embed-matches", args=where)).content.decode()
    assert all(f"Table {number}" in framed for number in (1, 2, 3, 4))


def test_a_placed_table_has_the_number_of_its_place(stages, club, olga):
    first = next_round(olga, stages[0])
    evening = night(club, 7, tables=6)
    pairing = first.pairings.get(number=1)
    placement.place(actor=olga, pairing=pairing, slot=slot_of(evening, 1), board=5)
    assert numbers(first) == [5, 2]
    # Taken off the calendar it keeps its number, as nobody else has it.
    placement.clear(actor=olga, pairing=pairing)
    assert numbers(first) == [5, 2]
    placement.place(actor=olga, pairing=pairing, slot=slot_of(evening, 1), board=2)
    assert numbers(first) == [2, 2]
    placement.clear(actor=olga, pairing=pairing)
    assert numbers(first) == [1, 2]


def test_matches_of_a_bracket_that_are_open_together_have_different_places(league, olga):
    stage = running_stage(league, olga, "single-elimination", 8)
    first = next_round(olga, stage)
    taken = numbers(first)
    assert len(set(taken)) == len(taken)
    later = Round.objects.create(stage=stage, number=2)
    assert table_numbers.free_numbers(later, 1)[0] not in taken


def test_the_log_names_the_place(stages, olga):
    next_round(olga, stages[0])
    second = next_round(olga, stages[1])
    for pairing in second.pairings.all():
        reporting.enter_result(actor=olga, pairing=pairing, places=in_order(pairing))
    season: Season = second.stage.division.season
    page = logged_in(olga).get(reverse("leagues:log", args=[season.league.slug, season.number])).content.decode()
    assert "table 3 of round 1 in Division 2" in page
    assert Pairing.objects.filter(round=second, table_number=None).count() == 0
