"""Before the first result there is no order, only a list of names; and a bye says that it is one."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from leagues import webhook_events
from leagues.entries import bye_requests
from leagues.models import Round
from leagues.rounds import draw, stage_start
from leagues.seasons import setup
from leagues.standings import presentation
from tests.factories import (
    add_guests,
    confirm_result,
    draft_season,
    finish_round,
    markup_of,
    next_round,
    running_stage,
    stage_of,
)


def address(stage, name, *more):
    season = stage.division.season
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, *more])


def pages(client, stage):
    names = [("standings", stage.pk), ("season",), ("embed-standings",), ("print-standings",)]
    return [client.get(address(stage, *each)).content.decode() for each in names]


FORMATS = {
    "swiss": (7, 3),
    "table-swiss": (7, 3),
    "round-robin": (5, None),
    "single-elimination": (5, None),
    "heats": (8, None),
    "duplicate": (6, 3),
    "arena": (4, None),
}


@pytest.mark.parametrize("format", FORMATS)
def test_nobody_has_a_place_before_the_first_result(client: Client, league, alice, format):
    count, rounds = FORMATS[format]
    stage = running_stage(league, alice, format, count, planned=rounds)
    if format != "arena":
        next_round(alice, stage)
    User.objects.filter(display_name="Guest 1").update(display_name="Zoe")
    listing = presentation.standings_tables(stage)[0]
    names = [line.name for line in listing.lines]
    assert names == sorted(names)
    assert names[-1] == "Zoe"
    assert not listing.ranked
    assert {(line.place, line.why, line.climbed) for line in listing.lines} == {(None, "", None)}
    for page in pages(client, stage):
        assert ">Place<" not in page
        assert "no order: the names are in alphabetical order" in page
    answer = client.get(f"/api/v1/stages/{stage.pk}/standings/").json()["listings"][0]
    assert (answer["ranked"], {line["place"] for line in answer["lines"]}) == (False, {None})
    assert client.get(f"/api/v1/stages/{stage.pk}/crosstables/").json() == {"crosstables": []}
    sheet = client.get(address(stage, "stage-export", stage.pk, "standings", "csv")).content.decode("utf-8-sig")
    assert [row["place"] for row in csv.DictReader(io.StringIO(sheet))] == [""] * len(names)
    rows = json.loads(client.get(address(stage, "stage-export", stage.pk, "standings", "json")).content)["standings"]
    assert [row["name"] for row in rows] == names
    story = webhook_events.describe_standings(stage.pk)
    assert story
    assert [(row["place"], row["name"]) for row in story.object["rows"]] == [(None, name) for name in names]
    assert not any(line.startswith("1.") for line in story.lines)


def test_the_first_result_makes_an_order(client: Client, league, alice):
    stage = running_stage(league, alice, "swiss", 7, planned=3)
    round_ = next_round(alice, stage)
    confirm_result(round_.pairings.all()[0])
    listing = presentation.standings_tables(stage)[0]
    assert listing.ranked
    assert [line.place for line in listing.lines] == list(range(1, 8))
    for page in pages(client, stage):
        assert ">Place<" in page
        assert "no order" not in page
    story = webhook_events.describe_standings(stage.pk)
    assert story
    assert [row["place"] for row in story.object["rows"]] == list(range(1, 8))
    assert story.lines[0].startswith("1. ")


def test_a_group_without_a_result_has_no_order_while_another_has_one(league, alice):
    settings = {"groups": 2, "advance": 1, "seats": 2, "double": False}
    stage = running_stage(league, alice, "groups", 8, settings=settings)
    round_ = next_round(alice, stage)
    first = set(stage.starters.filter(group=1).values_list("entrant", flat=True))
    confirm_result(next(each for each in round_.pairings.all() if each.seats.first().entrant_id in first))
    assert [listing.ranked for listing in presentation.standings_tables(stage)] == [True, False]


def test_a_ladder_begins_with_its_order(league, alice):
    stage = running_stage(league, alice, "ladder", 4)
    assert [line.place for line in presentation.standings_tables(stage)[0].lines] == [1, 2, 3, 4]


def test_a_bye_says_that_it_is_one(client: Client, league, alice):
    stage = running_stage(league, alice, "swiss", 8, planned=3)
    resting = stage.starters.get(seed=8).entrant
    bye_requests.request_bye(actor=alice, entrant=resting, stage=stage, number=1, kind="HPB")
    round_ = next_round(alice, stage)
    finish_round(round_)
    table = presentation.crosstable(stage, presentation.standings_tables(stage)[0])
    assert table
    cells = {line.row.entrant: cell for line, (cell,) in table.lines}
    assert (cells[resting.pk].text, cells[resting.pk].words) == ("bye", "half-point bye, points: 0.50")
    given = round_.byes.exclude(entrant=resting).get()
    assert (cells[given.entrant_id].text, cells[given.entrant_id].words) == ("bye", "bye, points: 1")
    page = markup_of(client.get(address(stage, "round", round_.pk)))
    assert '<span class="badge">half-point bye</span>' in page
    assert '<span class="badge">bye</span>' in page
    paper = client.get(address(stage, "print-pairings", Round.objects.get().pk)).content.decode()
    assert "(half-point bye)" in paper


def test_a_shared_place_at_the_cut_is_drawn_by_lot_and_says_so(league, alice):
    """Marks leave many level, and there is no tie-break to add: who goes on from a shared place is a lot."""
    season = draft_season(league, alice, "duplicate", settings={"seats": 2}, planned=1)
    division = season.divisions.get()
    later = setup.add_stage(actor=alice, division=division, format="swiss", planned=1, take=2)
    add_guests(season, alice, 6)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    for pairing in next_round(alice, stage).pairings.all():
        confirm_result(pairing, [1, 2])
    assert [line.place for line in presentation.standings_tables(stage)[0].lines] == [1] * 6
    going = stage_start.qualified(stage, later)
    assert [why.code for _, why in going] == ["stage.lot", "stage.lot"]
    assert going == stage_start.qualified(stage, later)
