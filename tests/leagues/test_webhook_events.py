"""Webhook events of a club's leagues."""

import pytest

from accounts.models import Delivery
from accounts.webhooks import service as webhooks
from leagues import webhook_events
from leagues.core import webhook_emit
from leagues.models import Pairing
from leagues.results import corrections
from leagues.rounds import closing, draw
from leagues.seasons import setup
from tests.factories import confirm_result, finish_round, next_round, running_stage


@pytest.fixture(autouse=True)
def hook(club, alice):
    webhooks.create_webhook(
        actor=alice,
        club=club,
        name="News",
        url="https://news.example/",
        shape="discord",
        events=[webhook_emit.ROUND_PAIRED, webhook_emit.STANDINGS_CHANGED],
    )


def queued_events() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("event", flat=True))


def test_a_round_is_sent_once_it_is_published(league, alice):
    stage = running_stage(league, alice, "swiss", 5, planned=3)
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    assert queued_events() == []
    assert webhook_events.describe_round(round_.pk) is None
    draw.publish(actor=alice, round=round_)
    draw.publish(actor=alice, round=round_)
    assert queued_events() == ["round.paired"]
    story = webhook_events.describe_round(Delivery.objects.get().subject)
    assert story.object["round"] == 1
    assert [len(table["seats"]) for table in story.object["tables"]] == [2, 2]
    assert len(story.object["byes"]) == 1
    assert len(story.lines) == 3
    assert "Thursday league" in story.title


def test_a_deleted_round_is_not_sent(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    draw.delete_round(actor=alice, round=round_)
    assert webhook_events.describe_round(round_.pk) is None


def test_a_rounds_results_are_sent_together(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    finish_round(round_)
    assert queued_events() == ["round.paired", "standings.changed"]
    story = webhook_events.describe_standings(stage.pk)
    assert [row["place"] for row in story.object["rows"]] == sorted(row["place"] for row in story.object["rows"])
    assert {row["played"] for row in story.object["rows"]} == {1}
    assert story.lines[0].startswith("1. Guest")
    assert f"/stages/{stage.pk}/standings/" in story.path


def test_closing_corrections_and_tie_breaks_are_sent_and_a_preview_is_not(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    finish_round(round_)
    closing.close_round(actor=alice, round=round_)
    Delivery.objects.filter(status="waiting").update(status="delivered", due_at=None)
    pairing = Pairing.objects.filter(round=round_).first()
    places = [{"rank": 2}, {"rank": 1}]
    preview = corrections.preview(actor=alice, pairing=pairing, places=places)
    assert not Delivery.objects.filter(status="waiting").exists()
    corrections.correct(actor=alice, pairing=pairing, places=places, why="They sat crosswise", seen=preview.seal)
    assert Delivery.objects.filter(status="waiting", event="standings.changed").count() == 1
    Delivery.objects.filter(status="waiting").update(status="delivered", due_at=None)
    setup.change_tie_breaks(actor=alice, season=stage.division.season, codes=["wins"])
    assert Delivery.objects.filter(status="waiting", event="standings.changed").count() == 1


def test_a_report_that_waits_changes_nothing(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    Delivery.objects.all().delete()
    result = confirm_result(Pairing.objects.filter(round=round_).first())
    assert queued_events() == ["standings.changed"]
    assert result.in_force


def test_a_long_list_is_cut_for_people_and_whole_for_programs(league, alice):
    stage = running_stage(league, alice, "swiss", 30, planned=3)
    next_round(alice, stage)
    story = webhook_events.describe_standings(stage.pk)
    assert len(story.object["rows"]) == 30
    assert len(story.lines) == webhook_events.MOST_LINES + 1
    assert story.lines[-1] == "and 10 more"
