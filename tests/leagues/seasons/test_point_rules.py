"""Own points and the best rounds: set by verb, form and API, played, read, and kept in the next season."""

import random
from fractions import Fraction
from itertools import combinations

import pytest
from django.urls import reverse

from accounts.infra.errors import Refused
from leagues.models import Pairing, PairingSeat, Season, Stage
from leagues.rounds import closing, draw
from leagues.seasons import closing as season_closing
from leagues.seasons import presets, rollover, setup
from leagues.standings import presentation, ranking
from tests.api.conftest import Program
from tests.factories import add_guests, confirm_result, next_round, running_stage, stage_of

LIST = [5, 3, 2, 1]


def played_season(league, actor):
    """Five rounds of nine guests at tables of three and four; the best three count."""
    rng = random.Random("own points")
    terms = {"points": "own", "own_points": LIST, "best_rounds": 3}
    stage = running_stage(league, actor, "table-swiss", 9, planned=5, **terms)
    for _ in range(5):
        round_ = next_round(actor, stage)
        for pairing in Pairing.objects.filter(round=round_):
            ranks = list(range(1, pairing.seats.count() + 1))
            rng.shuffle(ranks)
            confirm_result(pairing, ranks)
        closing.close_round(actor=actor, round=round_)
    return Stage.objects.get(pk=stage.pk)


def test_a_season_by_own_points_from_first_round_to_the_next_season(league, alice, client):
    stage = played_season(league, alice)
    season = stage.division.season
    # The points again, from the stored results alone.
    worth: dict[int, list[int]] = {}
    for seat in PairingSeat.objects.filter(round__stage=stage).select_related("pairing"):
        place = seat.pairing.results.get(in_force=True).places[seat.index]["rank"]
        worth.setdefault(seat.entrant_id, []).append(LIST[place - 1])
    expected = {who: max(map(sum, combinations(each, min(3, len(each))))) for who, each in worth.items()}
    rows = ranking.ranking(stage)
    assert {row.entrant: row.points for row in rows} == {who: Fraction(each) for who, each in expected.items()}
    # Whoever asks reads which rounds do not count, on the page and by API.
    first = rows[0].entrant
    found = presentation.tie_break_breakdown(stage, first, "points")
    assert found
    assert len([line for line in found.lines if line.cut]) == len(found.lines) - 3
    assert sum(int(line.amount) for line in found.lines if not line.cut) == int(found.total) == expected[first]
    path = reverse("leagues:breakdown", args=[league.slug, season.number, stage.pk, first, "points"])
    assert "not among the best 3" in client.get(path).content.decode()
    answer = Program().get(f"/stages/{stage.pk}/standings/{first}/points/")
    assert (answer.status_code, answer.json()["total"]) == (200, found.total)
    page = client.get(reverse("leagues:standings", args=[league.slug, season.number, stage.pk])).content.decode()
    assert path in page
    assert "best 3 rounds count" in page
    assert "Own points by place: 5-3-2-1" in page
    # Each cell says it twice: as a title, and for those who do not see it.
    assert page.count("does not count") == 2 * sum(max(0, len(each) - 3) for each in worth.values())
    # The rules go on with the next season.
    closing.finish_stage(actor=alice, stage=stage)
    season_closing.close_season(actor=alice, season=season)
    again = rollover.start_next_season(actor=alice, league=league)
    assert (again.points, again.own_points, again.best_rounds) == ("own", LIST, 3)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"points": "own"}, "1 to 12 places"),
        ({"points": "own", "own_points": [1, 2]}, "more than the one before"),
        ({"points": "own", "own_points": [2, 2]}, "more than the second"),
        ({"points": "own", "own_points": ["5"]}, "whole number"),
        ({"own_points": [5, 3]}, "points list “own”"),
        ({"best_rounds": 101}, "100"),
    ],
)
def test_rules_that_cannot_be_are_refused(league, alice, terms, words):
    with pytest.raises(Refused, match=words):
        setup.add_season(actor=alice, league=league, **terms)
    assert not Season.objects.exists()


def test_the_form_takes_the_list_as_people_write_it(league, alice, as_alice):
    season = presets.set_up(actor=alice, league=league, preset="points-season")
    assert (season.points, season.own_points, season.best_rounds) == ("own", LIST, 6)
    path = reverse("leagues:settings", args=[league.slug, season.number])
    page = as_alice.get(path)
    assert 'value="5-3-2-1"' in page.content.decode()
    initial = page.context["form"].initial
    kept = {name: value for name, value in initial.items() if value is not None and not isinstance(value, bool)}
    kept |= {"time": "none", "own_points": "7, 4 2;1", "best_rounds": ""}
    assert as_alice.post(path, kept).status_code == 302
    season.refresh_from_db()
    assert (season.own_points, season.best_rounds) == ([7, 4, 2, 1], 0)
    wrong = as_alice.post(path, kept | {"own_points": "1-2"})
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (422, ["own_points"])
    wrong = as_alice.post(path, kept | {"own_points": "5-x"})
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (422, ["own_points"])
    # One of the site's lists instead: the own one is forgotten.
    assert as_alice.post(path, kept | {"points": "meeple"}).status_code == 302
    season.refresh_from_db()
    assert (season.points, season.own_points) == ("meeple", [])


def test_the_rules_are_set_and_read_by_api(league, alice):
    as_alice = Program(alice)
    season = setup.add_season(actor=alice, league=league)
    new = {"points": "own", "own_points": LIST, "best_rounds": 4}
    answer = as_alice.patch(f"/seasons/{season.pk}/", new)
    assert answer.status_code == 200, answer.content
    assert {name: answer.json()[name] for name in new} == new
    assert as_alice.patch(f"/seasons/{season.pk}/", {"own_points": [1, 5]}).status_code == 409
    assert as_alice.patch(f"/seasons/{season.pk}/", {"best_rounds": -1}).status_code == 400
    season.refresh_from_db()
    assert season.own_points == LIST


def test_a_season_of_two_divisions_by_preset(league, alice):
    season = presets.set_up(actor=alice, league=league, preset="club-nights-season")
    assert [(each.name, each.cap, each.up, each.down) for each in season.divisions.order_by("level")] == [
        ("First division", 12, 0, 2),
        ("Second division", None, 2, 0),
    ]
    assert {(each.format, each.planned) for each in Stage.objects.filter(division__season=season)} == {
        ("table-swiss", 8)
    }
    for level in (1, 2):
        add_guests(season, alice, 4, level)
    draw.start(actor=alice, season=season)
    assert stage_of(season, level=2).status == Stage.Status.RUNNING
