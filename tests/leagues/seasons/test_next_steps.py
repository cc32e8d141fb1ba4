"""What is next: a decision that is offered can be done, and a sentence to a reader is true."""

import pytest
from django.urls import reverse

from accounts.infra.errors import Refused
from accounts.models import Membership, Role
from leagues.entries import registration, withdrawal
from leagues.models import Round, Stage, Starter
from leagues.rounds import closing, draw
from leagues.seasons import next_steps, organiser_tasks, setup, undo
from leagues.standings import ladder_order
from tests.factories import (
    add_guests,
    create_user,
    draft_season,
    enter,
    finish_round,
    logged_in,
    next_round,
    running_stage,
    stage_of,
)


def labels(stage: Stage) -> list[str]:
    return [each.label for each in organiser_tasks.organiser_tasks(stage.division.season)]


def play(actor, stage: Stage) -> Round:
    round_ = next_round(actor, stage)
    finish_round(round_)
    return closing.close_round(actor=actor, round=round_)


@pytest.mark.parametrize(
    ("format", "offered"),
    [
        ("round-robin", ["Draw round 1", "Draw round 2", "Draw round 3"]),
        ("single-elimination", ["Open the bracket", "Enter results"]),
    ],
)
def test_what_is_offered_can_be_done(league, alice, format, offered):
    stage = running_stage(league, alice, format, 4)
    for label in offered:
        assert labels(stage) == [label]
        play(alice, stage)
    assert labels(stage) == ["Finish the stage"]
    closing.finish_stage(actor=alice, stage=stage)
    assert labels(stage) == ["Close the season"]


def test_a_swiss_without_a_plan_goes_on_first_of_all(league, alice):
    stage = running_stage(league, alice, "swiss", 4)
    play(alice, stage)
    finish, again = organiser_tasks.organiser_tasks(stage.division.season)
    assert (finish.label, bool(finish.confirm), finish.primary) == ("Finish the stage", True, False)
    assert (again.label, again.primary) == ("Draw round 2", True)


def test_after_the_last_result_the_next_round_or_the_end_is_one_press_away(league, alice, as_alice):
    """Drawing and finishing close the round; closing it by itself is still offered, but need not be done."""
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    season = stage.division.season
    finish_round(next_round(alice, stage))
    close, again = organiser_tasks.organiser_tasks(season)
    assert (close.label, close.optional) == ("Close round 1", True)
    assert (again.label, again.primary) == ("Draw round 2", True)
    as_alice.post(again.path, again.fields)
    first, second = stage.rounds.order_by("number")
    assert (first.is_closed, second.is_published) == (True, False)
    page = as_alice.get(reverse("leagues:round", args=[league.slug, 1, second.pk])).content.decode()
    assert "Draw round 3" not in page
    finish_round(draw.publish(actor=alice, round=second))
    assert [each.label for each in organiser_tasks.organiser_tasks(season) if not each.optional] == ["Finish the stage"]
    # The last stage leads to the end of the season, which one press signs off and closes.
    words = [each.words for each in organiser_tasks.organiser_tasks(season)]
    assert len(words) == len(set(words)) == 3
    finish = next(each for each in organiser_tasks.organiser_tasks(season) if each.code == "finish-stage")
    page = as_alice.post(finish.path, follow=True)
    end = reverse("leagues:close", args=[league.slug, 1])
    assert page.redirect_chain[-1][0] == end
    assert "Sign off and close the season" in page.content.decode()
    # There is one division, and nowhere to move to.
    assert ">Points<" in page.content.decode()
    assert "Next season" not in page.content.decode()
    as_alice.post(end)
    season.refresh_from_db()
    assert season.is_closed


def test_the_page_of_a_round_offers_the_next_one(league, alice, as_alice):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    round_ = next_round(alice, stage)
    path = reverse("leagues:round", args=[league.slug, 1, round_.pk])
    assert "Draw round 2" not in as_alice.get(path).content.decode()
    finish_round(round_)
    page = as_alice.get(path).content.decode()
    assert "Draw round 2" in page
    assert page.count("Correct this result") == 2
    # In a plan the rounds are drawn ahead, and closed one by one.
    planned = running_stage(
        setup.create_league(actor=alice, club=league.club, name="Plan", game=league.game), alice, "round-robin", 4
    )
    round_ = next_round(alice, planned)
    finish_round(round_)
    assert labels(planned) == ["Close round 1"]
    assert "Draw round 2" not in as_alice.get(reverse("leagues:round", args=["plan", 1, round_.pk])).content.decode()


@pytest.mark.parametrize("format", ["ladder", "arena"])
def test_free_play_is_ended_quietly(league, alice, format):
    (only,) = organiser_tasks.organiser_tasks(running_stage(league, alice, format, 4).division.season)
    assert only.label == f"End the {format}"
    assert only.confirm.startswith(f"This ends the {format}")
    assert not only.primary


def test_the_leader_of_a_ladder_has_nobody_above(league, alice, bob):
    season = draft_season(league, alice, "ladder")
    for each in (bob, alice):
        enter(season.divisions.get(), alice, each)
    season = draw.start(actor=alice, season=season)
    order = ladder_order.ladder_now(stage_of(season)).ladder.order
    by_entrant = {each.pk: each.user for each in season.entrants.select_related("user")}
    sentences = [next_steps.next_step_for_reader(season, by_entrant[who]).words for who in order]
    assert sentences == [
        "You lead the ladder: the others challenge you.",
        "Challenge somebody above you whenever you like.",
    ]


def test_not_checked_in_is_not_withdrawn(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=1, check_in=True)
    [away] = enter(season.divisions.get(), alice, bob)
    [left] = enter(season.divisions.get(), alice, create_user("lena"))
    withdrawal.withdraw(actor=alice, entrant=left)
    for each in add_guests(season, alice, 2):
        registration.check_in(actor=alice, entrant=each)
    season = draw.start(actor=alice, season=season)
    assert (
        next_steps.next_step_for_reader(season, away.user).words
        == "You had not checked in when the season started, so you are not drawn."
    )
    assert next_steps.next_step_for_reader(season, left.user).words == "You have withdrawn from this season."


def test_after_the_last_round_and_after_the_stage(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=2)
    enter(season.divisions.get(), alice, bob)
    add_guests(season, alice, 3)
    season = draw.start(actor=alice, season=season)
    stage = stage_of(season)
    play(alice, stage)
    assert next_steps.next_step_for_reader(season, bob).words.endswith("the next round is not drawn yet.")
    play(alice, stage)
    assert (
        next_steps.next_step_for_reader(season, bob).words
        == "You have played all your games: no round is left to draw."
    )
    closing.finish_stage(actor=alice, stage=stage)
    assert next_steps.next_step_for_reader(season, bob).words.startswith("Division 1 is over.")


@pytest.mark.parametrize(
    ("confirmation", "reported", "flash", "confirmed"),
    [
        ("one", "the others have yet to confirm.", "Somebody else at the table has to confirm it.", ""),
        (
            "all",
            "the others have yet to confirm.",
            "Everybody else at the table has to confirm it.",
            "You confirmed table 1; others have yet to.",
        ),
        (
            "organiser",
            "an organiser has yet to confirm.",
            "An organiser has to confirm it.",
            "You confirmed table 1; an organiser has yet to.",
        ),
    ],
)
def test_a_report_waits_for_those_who_have_yet_to_confirm_it(
    league, club, alice, bob, charlie, confirmation, reported, flash, confirmed
):
    """Told to who reported, to the second before and after confirming, and to the third."""
    season = draft_season(league, alice, "table-swiss", planned=1, confirmation=confirmation)
    dora = create_user("dora")
    for each in (bob, charlie, dora):
        Membership.objects.get_or_create(club=club, user=each, defaults={"role": Role.MEMBER})
        registration.add_person(actor=alice, division=season.divisions.get(), person=each)
    season = draw.start(actor=alice, season=season)
    pairing = next_round(alice, stage_of(season)).pairings.get()

    def words(person):
        return next_steps.next_step_for_reader(season, person).words

    form = {f"rank-{seat.index}": str(seat.index + 1) for seat in pairing.seats.all()}
    page = logged_in(bob).post(reverse("leagues:report", args=[pairing.key]), form, follow=True)
    assert f"Reported. {flash}" in page.content.decode()
    assert words(bob) == f"You reported table 1; {reported}"
    assert words(charlie) == words(dora) == "The result of table 1 is reported: is it right?"
    second = logged_in(charlie)
    page = second.post(reverse("leagues:answer", args=[pairing.key]), {"version": "1"}, follow=True)
    pairing.refresh_from_db()
    assert (pairing.state == "confirmed") == (not confirmed)
    if confirmed:
        assert words(charlie) == confirmed
        assert words(dora) == "The result of table 1 is reported: is it right?"
        assert f"You have confirmed it; {confirmed.split('; ')[1]}" in page.content.decode()


def test_the_end_of_a_stage_is_undone_until_the_next_is_drawn(league, alice):
    season = draft_season(league, alice, "swiss", planned=1)
    setup.add_stage(actor=alice, division=season.divisions.get(), format="single-elimination", take=2)
    add_guests(season, alice, 4)
    season = draw.start(actor=alice, season=season)
    first, second = stage_of(season), stage_of(season, 2)
    play(alice, first)
    closing.finish_stage(actor=alice, stage=first)
    step = undo.recent(season=season)[0]
    assert step.undoable.kind == "finish"
    undo.undo(actor=alice, undoable=step.undoable)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == (Stage.Status.RUNNING, Stage.Status.PLANNED)
    assert not Starter.objects.filter(stage=second).exists()
    closing.finish_stage(actor=alice, stage=first)
    draw.draw_next_round(actor=alice, stage=stage_of(season, 2))
    step = next(each for each in undo.recent(season=season) if each.undoable.kind == "finish")
    with pytest.raises(Refused, match="next stage"):
        undo.undo(actor=alice, undoable=step.undoable)
