"""What a club's webhooks are told about its leagues."""

import pytest

from accounts import webhooks
from accounts.models import Delivery
from leagues import close, competitions, corrections, draw, news
from leagues.models import Pairing
from tests.leagues.conftest import begun, decide, next_round, play_out


@pytest.fixture(autouse=True)
def hook(club, alice):
    webhooks.make(
        actor=alice,
        club=club,
        name="News",
        url="https://news.example/",
        shape="discord",
        events=[news.PAIRED, news.CHANGED],
    )


def owed() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("event", flat=True))


def test_a_round_is_news_once_it_is_published(league, alice):
    stage = begun(league, alice, "swiss", 5, planned=3)
    round_ = draw.pair(actor=alice, stage=stage)
    assert owed() == []
    assert news.describe_round(round_.pk) is None
    draw.publish(actor=alice, round=round_)
    draw.publish(actor=alice, round=round_)
    assert owed() == ["round.paired"]
    story = news.describe_round(Delivery.objects.get().subject)
    assert story.object["round"] == 1
    assert [len(table["seats"]) for table in story.object["tables"]] == [2, 2]
    assert len(story.object["byes"]) == 1
    assert len(story.lines) == 3
    assert "Thursday league" in story.title


def test_a_round_taken_back_is_no_news_any_more(league, alice):
    stage = begun(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    draw.take_back(actor=alice, round=round_)
    assert news.describe_round(round_.pk) is None


def test_a_rounds_results_are_told_together_as_they_stand(league, alice):
    stage = begun(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    play_out(round_)
    assert owed() == ["round.paired", "standings.changed"]
    story = news.describe_standings(stage.pk)
    assert [row["place"] for row in story.object["rows"]] == sorted(row["place"] for row in story.object["rows"])
    assert {row["played"] for row in story.object["rows"]} == {1}
    assert story.lines[0].startswith("1. Guest")
    assert f"/stages/{stage.pk}/standings/" in story.path


def test_closing_corrections_and_tie_breaks_are_told_and_a_preview_is_not(league, alice):
    stage = begun(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    play_out(round_)
    close.close_round(actor=alice, round=round_)
    Delivery.objects.filter(status="waiting").update(status="delivered", due_at=None)
    pairing = Pairing.objects.filter(round=round_).first()
    places = [{"rank": 2}, {"rank": 1}]
    preview = corrections.preview(actor=alice, pairing=pairing, places=places)
    assert not Delivery.objects.filter(status="waiting").exists()
    corrections.correct(actor=alice, pairing=pairing, places=places, why="They sat crosswise", seen=preview.seal)
    assert Delivery.objects.filter(status="waiting", event="standings.changed").count() == 1
    Delivery.objects.filter(status="waiting").update(status="delivered", due_at=None)
    competitions.change_tie_breaks(actor=alice, season=stage.division.season, codes=["wins"])
    assert Delivery.objects.filter(status="waiting", event="standings.changed").count() == 1


def test_a_report_that_waits_changes_nothing(league, alice):
    stage = begun(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    Delivery.objects.all().delete()
    result = decide(Pairing.objects.filter(round=round_).first())
    assert owed() == ["standings.changed"]
    assert result.in_force


def test_a_long_list_is_cut_for_people_and_whole_for_programs(league, alice):
    stage = begun(league, alice, "swiss", 30, planned=3)
    next_round(alice, stage)
    story = news.describe_standings(stage.pk)
    assert len(story.object["rows"]) == 30
    assert len(story.lines) == news.MOST_LINES + 1
    assert story.lines[-1] == "and 10 more"
