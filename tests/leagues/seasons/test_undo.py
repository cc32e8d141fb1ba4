"""Taking back: the latest actions in words, each undone once, and only while nothing was built on it."""

import pytest

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry
from leagues.entries import registration, seeding, withdrawal
from leagues.models import Entrant, Pairing, Round
from leagues.rounds import draw
from leagues.seasons import undo
from tests.factories import add_guests, confirm_result, draft_season, next_round, running_stage, stage_of


def latest(season, kind: str):
    return next(step for step in undo.recent(season=season) if step.undoable.kind == kind)


def test_a_draw(league, alice, bob):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    season = stage.division.season
    draw.draw_next_round(actor=alice, stage=stage)
    step = latest(season, "draw")
    assert step.words == "Alice A. drew round 1 of Division 1"
    with pytest.raises(NotAllowed):
        undo.undo(actor=bob, undoable=step.undoable)
    undo.undo(actor=alice, undoable=step.undoable)
    undo.undo(actor=alice, undoable=step.undoable)
    assert not Round.objects.exists()
    assert AuditEntry.objects.filter(action="leagues.undone").count() == 1


def test_a_whole_plan(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    draw.draw_all_rounds(actor=alice, stage=stage)
    undo.undo(actor=alice, undoable=latest(stage.division.season, "draw-all").undoable)
    assert not Round.objects.exists()


def test_a_draw_that_was_played_stays(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    confirm_result(next_round(alice, stage).pairings.first())
    with pytest.raises(Refused, match="played"):
        undo.undo(actor=alice, undoable=latest(stage.division.season, "draw").undoable)
    assert Pairing.objects.count() == 2


def test_an_entry_a_check_in_and_seeds(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, check_in=True)
    division = season.divisions.get()
    entrants = add_guests(season, alice, 3)
    seeding.by_hand(actor=alice, division=division, order=[each.pk for each in entrants])
    seeding.by_hand(actor=alice, division=division, order=[each.pk for each in reversed(entrants)])
    undo.undo(actor=alice, undoable=latest(season, "seeding").undoable)
    assert list(Entrant.objects.order_by("seed").values_list("pk", flat=True)) == [each.pk for each in entrants]
    registration.check_in(actor=alice, entrant=entrants[0])
    undo.undo(actor=alice, undoable=latest(season, "check-in").undoable)
    assert Entrant.objects.get(pk=entrants[0].pk).status == Entrant.Status.REGISTERED
    undo.undo(actor=alice, undoable=latest(season, "entry").undoable)
    assert Entrant.objects.count() == 2


def test_a_withdrawal_before_and_after_the_draw(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    season = stage.division.season
    round_ = next_round(alice, stage)
    pairing = round_.pairings.first()
    somebody = pairing.seats.first().entrant
    withdrawal.withdraw(actor=alice, entrant=somebody)
    undo.undo(actor=alice, undoable=latest(season, "withdrawal").undoable)
    pairing.refresh_from_db()
    somebody.refresh_from_db()
    assert pairing.state == Pairing.State.SCHEDULED
    assert somebody.status == Entrant.Status.ACTIVE
    withdrawal.withdraw(actor=alice, entrant=somebody)
    step = latest(season, "withdrawal")
    confirm_result(round_.pairings.last())
    draw.publish(actor=alice, round=draw.draw_next_round(actor=alice, stage=stage))
    with pytest.raises(Refused, match="come back instead"):
        undo.undo(actor=alice, undoable=step.undoable)


def test_an_entry_that_was_drawn_stays(league, alice):
    season = draft_season(league, alice, "swiss", planned=2)
    add_guests(season, alice, 2)
    draw.start(actor=alice, season=season)
    draw.draw_next_round(actor=alice, stage=stage_of(season))
    with pytest.raises(Refused, match="withdraw"):
        undo.undo(actor=alice, undoable=latest(season, "entry").undoable)
