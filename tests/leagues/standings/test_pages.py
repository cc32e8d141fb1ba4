"""What readers see of a competition: standings with their sums, crosstables, brackets."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from leagues.core import reason_text
from leagues.formats import bracket
from leagues.formats.reasons import reason
from leagues.formats.values import POINT
from leagues.models import Division, Pairing, Round, Stage
from leagues.rounds import closing, draw
from leagues.seasons import setup
from leagues.standings import bracket_svg, presentation, ranking
from leagues.templatetags.leagues import points_of
from tests.factories import add_guests, confirm_result, finish_round, next_round, running_stage, stage_of


def played(league, actor, format, count, rounds, **how):
    stage = running_stage(league, actor, format, count, **how)
    for _ in range(rounds):
        round_ = next_round(actor, stage)
        finish_round(round_)
        closing.close_round(actor=actor, round=round_)
    return stage


def address(stage, name="standings", *more):
    season = stage.division.season
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, stage.pk, *more])


def test_standings_show_places_points_and_every_tie_break(client: Client, league, alice):
    stage = played(league, alice, "table-swiss", 8, 2, planned=3)
    page = client.get(address(stage)).content.decode()
    rows = ranking.ranking(stage)
    assert page.count('id="entrant-') == 8
    for code in stage.division.season.tie_breaks:
        assert address(stage, "breakdown", rows[0].entrant, code) in page


def test_a_value_opens_to_a_sum_that_adds_up(client: Client, league, alice):
    stage = played(league, alice, "swiss", 6, 3, planned=4, tie_breaks=["buchholz-cut-1", "wins", "lot"])
    first = ranking.ranking(stage)[0]
    found = presentation.tie_break_breakdown(stage, first.entrant, "buchholz-cut-1")
    assert found
    counted = [line for line in found.lines if not line.cut]
    assert len(found.lines) - len(counted) == 1
    assert sum(float(line.amount) for line in counted) == pytest.approx(float(found.total))
    assert client.get(address(stage, "breakdown", first.entrant, "buchholz-cut-1")).status_code == 200


@pytest.mark.parametrize(
    ("language", "value", "read"),
    [("en", "8/3", "2.67"), ("it", "8/3", "2,67"), ("pl", "-7/2", "−3,50"), ("en", "-4", "−4"), ("pl", "3", "3")],
)
def test_values_are_written_as_the_reader_writes_numbers(language, value, read):
    with translation.override(language):
        assert reason_text.format_fraction(Fraction(value)) == read
        assert points_of(int(Fraction(value) * POINT)) == read
        assert read in reason_text.render_reason(reason("place.sole", points=Fraction(value)), {})


def test_one_point_is_not_called_points():
    assert reason_text.render_reason(reason("place.sole", points=Fraction(1)), {}) == "Points: 1."


@pytest.mark.parametrize(("entrant", "code"), [(0, "wins"), (None, "koya"), (None, "nonsense")])
def test_what_is_not_counted_has_no_sum(client: Client, league, alice, entrant, code):
    stage = played(league, alice, "swiss", 4, 1, planned=2, tie_breaks=["wins"])
    who = ranking.ranking(stage)[0].entrant if entrant is None else entrant
    assert client.get(address(stage, "breakdown", who, code)).status_code == 404


def test_old_rounds_are_shown_as_they_were(client: Client, league, alice):
    stage = played(league, alice, "swiss", 4, 2, planned=3)
    assert client.get(address(stage) + "?after=1").status_code == 200
    assert client.get(address(stage) + "?after=3").status_code == 404
    assert client.get(address(stage) + "?after=x").status_code == 404


def test_a_round_robin_has_everybody_against_everybody(league, alice):
    stage = played(league, alice, "round-robin", 4, 3)
    listing = presentation.standings_tables(stage)[0]
    table = presentation.crosstable(stage, listing)
    assert table.against
    cells = [[cell.text for cell in cells] for _, cells in table.lines]
    for at, row in enumerate(cells):
        assert row[at] == ""
        for other, text in enumerate(row):
            if other != at:
                assert {text, cells[other][at]} in ({"1", "0"}, {"½"})


def test_who_has_climbed_is_told(league, alice):
    stage = played(league, alice, "swiss", 4, 1, planned=3)
    round_ = next_round(alice, stage)
    for pairing in Pairing.objects.filter(round=round_):
        confirm_result(pairing, [2, 1])
    lines = presentation.standings_tables(stage)[0].lines
    assert any(line.climbed for line in lines)
    assert sum(line.climbed or 0 for line in lines if line.row.shared == 1) == 0


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13])
@pytest.mark.parametrize("kind", [bracket.single, bracket.double])
def test_no_two_boxes_of_a_bracket_overlap(count, kind):
    for each in bracket_svg.layout_bracket(kind(list(range(1, count + 1)), {}), bracket_svg.WIDE):
        boxes = [(box.x, box.y) for box in each.boxes]
        for at, (x, y) in enumerate(boxes):
            assert 0 < x <= each.width - each.box_width
            assert 0 < y <= each.height - bracket_svg.BOX_HEIGHT
            for other, below in boxes[at + 1 :]:
                assert abs(x - other) >= each.box_width or abs(y - below) >= bracket_svg.BOX_HEIGHT


def test_a_bracket_is_drawn_with_its_winners(client: Client, league, alice):
    stage = running_stage(league, alice, "single-elimination", 4)
    finish_round(next_round(alice, stage))
    page = client.get(address(stage)).content.decode()
    assert len(re.findall(r'<text [^>]*class="is-winner"', page)) == 2
    assert "bracket-ready" in page


def test_the_season_leads_to_its_standings(client: Client, league, alice):
    stage = played(league, alice, "swiss", 4, 1, planned=2)
    season = stage.division.season
    answer = client.get(reverse("leagues:standings-index", args=[season.league.slug, season.number]))
    assert answer.headers["Location"] == address(stage)


def test_standings_cost_the_same_however_many_play(client: Client, league, alice, django_assert_max_num_queries):
    stage = played(league, alice, "swiss", 12, 2, planned=4)
    with django_assert_max_num_queries(45):
        client.get(address(stage))
    assert Round.objects.filter(stage=stage).count() == 2


def test_stages_are_told_apart_by_what_is_played(client: Client, league, alice):
    """Groups and their knock-out in one division, a plain one beside it."""
    season = setup.add_season(actor=alice, league=league)
    main = setup.add_division(actor=alice, season=season, name="Main event")
    setup.add_stage(actor=alice, division=main, format="groups", settings={"groups": 2, "advance": 2})
    setup.add_stage(actor=alice, division=main, format="single-elimination")
    setup.open_registration(actor=alice, season=season)
    add_guests(season, alice, 8)
    draw.start(actor=alice, season=season)
    first = stage_of(season, 1)
    for round_ in draw.draw_all_rounds(actor=alice, stage=first):
        finish_round(draw.publish(actor=alice, round=round_))
    second = closing.finish_stage(actor=alice, stage=first)

    def tabs() -> list[str]:
        page = client.get(address(second)).content.decode()
        chips = re.findall(r'<a class="chip"\s+href="[^"?]+/standings/"[^>]*>([^<]+)</a>', page.split("chips-small")[0])
        return [" ".join(chip.split()) for chip in chips]

    assert tabs() == ["Groups", "Knock-out"]
    side = Division.objects.create(season=season, level=2, name="Side event")
    Stage.objects.create(division=side, format="round-robin", status="running")
    assert tabs() == ["Main event: Groups", "Main event: Knock-out", "Side event"]
