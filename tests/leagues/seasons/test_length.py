"""The number of rounds, changed while a season runs: found on the page, checked, and in the log."""

import pytest
from django.urls import reverse

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.rounds import closing, draw
from leagues.seasons import organiser_tasks, setup
from tests.factories import actions_of, finish_round, next_round, running_stage


def test_more_rounds_are_offered_when_all_are_played_and_can_be_drawn(club, league, alice, as_alice):
    stage = running_stage(league, alice, "swiss", 6, planned=1)
    round_ = next_round(alice, stage)
    finish_round(round_)
    closing.close_round(actor=alice, round=round_)
    tasks = organiser_tasks.organiser_tasks(stage.division.season)
    assert [each.code for each in tasks] == ["finish-stage", "more-rounds"]
    assert tasks[0].primary
    page = as_alice.get(tasks[1].path).content.decode()
    assert f'id="length-{stage.pk}"' in page
    as_alice.post(reverse("leagues:stage-length", args=[league.slug, 1, stage.pk]), {"planned": "2"})
    assert actions_of(club)[-1] == "leagues.length-changed"
    assert draw.draw_next_round(actor=alice, stage=stage).number == 2
    assert "Change the number of rounds" in as_alice.get(stage.division.season.get_absolute_url()).content.decode()


def test_fewer_than_drawn_are_refused_and_nothing_changes(league, alice, bob, as_alice, as_bob):
    stage = running_stage(league, alice, "swiss", 6, planned=4)
    for _number in range(2):
        finish_round(next_round(alice, stage))
    with pytest.raises(Refused, match="2 rounds are drawn already"):
        setup.change_length(actor=alice, stage=stage, planned=1)
    with pytest.raises(Refused, match="1 to"):
        setup.change_length(actor=alice, stage=stage, planned=1000)
    with pytest.raises(NotAllowed):
        setup.change_length(actor=bob, stage=stage, planned=5)
    path = reverse("leagues:stage-length", args=[league.slug, 1, stage.pk])
    for wrong in ("0", "-1", "x", "100", "9" * 400):
        assert "is saved" not in as_alice.post(path, {"planned": wrong}, follow=True).content.decode()
    assert as_bob.post(path, {"planned": "5"}).status_code == 403
    stage.refresh_from_db()
    assert stage.planned == 4
    setup.change_length(actor=alice, stage=stage, planned=2)
    setup.change_length(actor=alice, stage=stage, planned=None)
    stage.refresh_from_db()
    assert stage.planned is None


@pytest.mark.parametrize("format", ["round-robin", "single-elimination", "ladder"])
def test_where_the_entrants_decide_it_cannot_be_chosen(league, alice, as_alice, format):
    stage = running_stage(league, alice, format, 4)
    with pytest.raises(Refused, match="follows from"):
        setup.change_length(actor=alice, stage=stage, planned=5)
    settings = as_alice.get(reverse("leagues:settings", args=[league.slug, 1])).content.decode()
    assert "Change the number of rounds" not in settings


def test_a_finished_stage_keeps_its_length(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=1)
    finish_round(next_round(alice, stage))
    closing.finish_stage(actor=alice, stage=stage)
    with pytest.raises(Refused, match="finished"):
        setup.change_length(actor=alice, stage=stage, planned=3)
