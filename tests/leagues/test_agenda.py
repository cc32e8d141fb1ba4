"""What is next: a decision that is offered can be done, and a sentence to a reader is true."""

import pytest

from accounts.errors import Refused
from leagues import absence, agenda, close, competitions, draw, enrol, ladder, undo
from leagues.models import Round, Stage, Starter
from tests.leagues.conftest import begun, drafted, guests, next_round, person, play_out, stage_of


def labels(stage: Stage) -> list[str]:
    return [each.label for each in agenda.for_organiser(stage.division.season)]


def play(actor, stage: Stage) -> Round:
    round_ = next_round(actor, stage)
    play_out(round_)
    return close.close_round(actor=actor, round=round_)


@pytest.mark.parametrize(("format", "rounds"), [("round-robin", 3), ("single-elimination", 2)])
def test_what_is_offered_can_be_done(league, alice, format, rounds):
    stage = begun(league, alice, format, 4)
    for number in range(1, rounds + 1):
        assert labels(stage) == [f"Draw round {number}"]
        play(alice, stage)
    assert labels(stage) == ["Finish the stage"]
    close.finish_stage(actor=alice, stage=stage)
    assert labels(stage) == ["Close the season"]


def test_a_swiss_without_a_plan_goes_on_first_of_all(league, alice):
    stage = begun(league, alice, "swiss", 4)
    play(alice, stage)
    finish, again = agenda.for_organiser(stage.division.season)
    assert (finish.label, bool(finish.confirm), finish.primary) == ("Finish the stage", True, False)
    assert (again.label, again.primary) == ("Draw round 2", True)


@pytest.mark.parametrize("format", ["ladder", "arena"])
def test_free_play_is_ended_quietly(league, alice, format):
    (only,) = agenda.for_organiser(begun(league, alice, format, 4).division.season)
    assert only.label == f"End the {format}"
    assert only.confirm.startswith(f"This ends the {format}")
    assert not only.primary


def test_the_leader_of_a_ladder_has_nobody_above(league, alice, bob):
    season = drafted(league, alice, "ladder")
    for each in (bob, alice):
        enrol.add_person(actor=alice, division=season.divisions.get(), person=each)
    season = draw.start(actor=alice, season=season)
    order = ladder.standing(stage_of(season)).ladder.order
    by_entrant = {each.pk: each.user for each in season.entrants.select_related("user")}
    said = [agenda.for_reader(season, by_entrant[who]).words for who in order]
    assert said == ["You lead the ladder: the others challenge you.", "Challenge somebody above you whenever you like."]


def test_not_checked_in_is_not_withdrawn(league, alice, bob):
    season = drafted(league, alice, "swiss", planned=1, check_in=True)
    away = enrol.add_person(actor=alice, division=season.divisions.get(), person=bob)
    left = enrol.add_person(actor=alice, division=season.divisions.get(), person=person("lena"))
    absence.withdraw(actor=alice, entrant=left)
    for each in guests(season, alice, 2):
        enrol.check_in(actor=alice, entrant=each)
    season = draw.start(actor=alice, season=season)
    assert (
        agenda.for_reader(season, away.user).words
        == "You had not checked in when the season started, so you are not drawn."
    )
    assert agenda.for_reader(season, left.user).words == "You have withdrawn from this season."


def test_after_the_last_round_and_after_the_stage(league, alice, bob):
    season = drafted(league, alice, "swiss", planned=2)
    enrol.add_person(actor=alice, division=season.divisions.get(), person=bob)
    guests(season, alice, 3)
    season = draw.start(actor=alice, season=season)
    stage = stage_of(season)
    play(alice, stage)
    assert agenda.for_reader(season, bob).words.endswith("the next round is not drawn yet.")
    play(alice, stage)
    assert agenda.for_reader(season, bob).words == "You have played all your games: no round is left to draw."
    close.finish_stage(actor=alice, stage=stage)
    assert agenda.for_reader(season, bob).words.startswith("Division 1 is over.")


def test_the_end_of_a_stage_is_undone_until_the_next_is_drawn(league, alice):
    season = drafted(league, alice, "swiss", planned=1)
    competitions.add_stage(actor=alice, division=season.divisions.get(), format="single-elimination", take=2)
    guests(season, alice, 4)
    season = draw.start(actor=alice, season=season)
    first, second = stage_of(season), stage_of(season, 2)
    play(alice, first)
    close.finish_stage(actor=alice, stage=first)
    step = undo.recent(season=season)[0]
    assert step.undoable.kind == "finish"
    undo.undo(actor=alice, undoable=step.undoable)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == (Stage.Status.RUNNING, Stage.Status.PLANNED)
    assert not Starter.objects.filter(stage=second).exists()
    close.finish_stage(actor=alice, stage=first)
    draw.pair(actor=alice, stage=stage_of(season, 2))
    step = next(each for each in undo.recent(season=season) if each.undoable.kind == "finish")
    with pytest.raises(Refused, match="next stage"):
        undo.undo(actor=alice, undoable=step.undoable)
