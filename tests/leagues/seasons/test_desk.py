"""The organiser's desk: all decisions of all leagues one runs, and the draw of all divisions in one press."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, Notice, Role, User
from leagues.entries import registration, withdrawal
from leagues.models import Extension, League, Pairing, Result, Round, Season
from leagues.rounds import all_divisions, closing, draw
from leagues.seasons import desk, organiser_tasks, setup, sign_off
from tests.api.conftest import Program
from tests.factories import (
    GAME,
    add_guests,
    add_member,
    create_club,
    create_user,
    draft_season,
    enter,
    finish_round,
    logged_in,
    next_round,
    running_stage,
    stage_of,
)

WON = [{"rank": 1, "score": None}, {"rank": 2, "score": None}]


def codes(person: User) -> list[str]:
    return [each.task.code for each in desk.decisions(person)]


def new_league(club: Club, actor: User, name: str) -> League:
    return setup.create_league(actor=actor, club=club, name=name, game=GAME)


def two_divisions(league: League, actor: User, format: str = "swiss", **how) -> Season:
    """A running season with four guests in each of two divisions."""
    season = draft_season(league, actor, format, divisions=2, **how)
    for level in (1, 2):
        add_guests(season, actor, 4, level)
    return draw.start(actor=actor, season=season)


def busy_league(club: Club, actor: User, number: int) -> None:
    """A league with a table in dispute, one that was not played, and a round of another division to draw."""
    season = two_divisions(new_league(club, actor, f"League {number}"), actor, "round-robin", where="both")
    stage = stage_of(season)
    first, second = next_round(actor, stage).pairings.order_by("number")
    Extension.objects.create(pairing=first, cause=Extension.Cause.NO_SHOW)
    Pairing.objects.filter(pk=second.pk).update(state=Pairing.State.DISPUTED)
    Result.objects.create(pairing=second, version=1, kind="disputed", source="player", places=WON)
    round_ = next_round(actor, stage_of(season, level=2))
    finish_round(round_)
    closing.close_round(actor=actor, round=round_)


def test_every_kind_of_decision_of_every_league_the_oldest_first(club, league, alice, bob):
    draft = setup.add_season(actor=alice, league=league)
    entries = draft_season(new_league(club, alice, "Open league"), alice, "swiss")
    add_guests(entries, alice, 2)
    registration.add_person(actor=alice, division=entries.divisions.get(), person=bob)
    busy_league(club, alice, 1)
    over = running_stage(new_league(club, alice, "Old league"), alice, "swiss", 4, planned=1)
    finish_round(next_round(alice, over))
    closing.finish_stage(actor=alice, stage=over)
    found = desk.decisions(alice)
    assert sorted(each.task.code for each in found) == [
        "disputes",
        "draw-round",
        "missing-results",
        "no-shows",
        "open-entries",
        "sign-off",
        "start-season",
        "without-answer",
    ]
    assert [each.task.since for each in found] == sorted(each.task.since for each in found)
    assert found[0].season == draft
    sign_off.sign_off(actor=alice, season=over.division.season)
    assert "close-season" in codes(alice)


def test_what_is_late_comes_before_what_is_due_later(club, alice):
    early = running_stage(new_league(club, alice, "First"), alice, "swiss", 4)
    late = running_stage(new_league(club, alice, "Second"), alice, "swiss", 4)
    now = timezone.now()
    for stage, closes in ((early, now + timedelta(days=5)), (late, now + timedelta(days=1))):
        draw.publish(actor=alice, round=draw.draw_next_round(actor=alice, stage=stage), closes_at=closes)
    assert [each.season.league.name for each in desk.decisions(alice)] == ["Second", "First"]


def test_only_organisers_of_the_club_have_its_decisions(club, league, alice, olga, bob, stella, charlie):
    running_stage(league, alice, "swiss", 4)
    assert codes(alice) == codes(olga) == ["draw-round"]
    assert not codes(bob)
    assert not codes(charlie)
    assert not codes(stella)
    # In another club the member is the owner: only that club's decisions are theirs.
    other = create_club(bob, create_user("omar"))
    running_stage(new_league(other, bob, "Elsewhere"), bob, "swiss", 4)
    assert [each.season.league.name for each in desk.decisions(bob)] == ["Elsewhere"]


def test_eight_leagues_need_no_more_queries_than_one(club, alice):
    client, pages = logged_in(alice), [reverse("home"), reverse("leagues:index")]

    def ask(page: str) -> tuple[int, str]:
        with CaptureQueriesContext(connection) as asked:
            text = client.get(page).content.decode()
        return len(asked), text

    busy_league(club, alice, 1)
    for page in pages:
        ask(page)
    one = [ask(page) for page in pages]
    for number in range(2, 9):
        busy_league(club, alice, number)
    eight = [ask(page) for page in pages]
    assert len(desk.decisions(alice)) == 8 * 4
    assert [count for count, _text in eight] == [count for count, _text in one]
    assert all("Draw round 2" in text for _count, text in one)
    home, leagues = (text for _count, text in eight)
    assert (home.count('muted">· <time'), leagues.count('muted">· <time')) == (desk.SHOWN_AT_HOME, 32)
    assert "24 more decisions" in home
    assert "more decisions" not in leagues


def test_the_buttons_of_the_page_act_and_lead(club, league, alice, as_alice, as_bob):
    stage = running_stage(league, alice, "swiss", 4)
    page = as_alice.get(reverse("leagues:index")).content.decode()
    assert "You run" in page
    assert "You play in" not in page
    assert page.count(reverse("leagues:draw", args=[league.slug, 1, stage.pk])) == 1
    (decision,) = desk.decisions(alice)
    as_alice.post(decision.task.path, decision.task.fields)
    (decision,) = desk.decisions(alice)
    assert decision.task.code == "publish-round"
    assert as_alice.get(decision.task.path).status_code == 200
    assert "Your next decisions" not in as_bob.get(reverse("home")).content.decode()
    assert "You run" not in as_bob.get(reverse("leagues:index")).content.decode()


def test_a_league_one_runs_and_plays_in_is_in_both_lists(league, alice, as_alice):
    season = draft_season(league, alice, "swiss")
    enter(season.divisions.get(), alice, alice)
    page = as_alice.get(reverse("leagues:index")).content.decode()
    assert "You run" in page
    assert "You play in" in page
    assert "Other leagues" not in page


def test_the_api_has_the_same_desk(club, league, alice, bob):
    stage = running_stage(league, alice, "swiss", 4)
    (decision,) = Program(alice).get("/desk/").json()["decisions"]
    assert (decision["code"], decision["season"], decision["stage"]) == (
        "draw-round",
        stage.division.season_id,
        stage.pk,
    )
    assert decision["post"]
    assert decision["form"] == {"number": "1"}
    assert Program(bob).get("/desk/").json() == {"decisions": []}
    assert Program().get("/desk/").status_code == 401


# -- all divisions in one press


def test_all_divisions_are_drawn_and_published_in_one_press(league, alice, bob, as_alice):
    season = draft_season(league, alice, "swiss", divisions=2)
    for level in (1, 2):
        add_guests(season, alice, 3, level)
    enter(season.divisions.get(level=2), alice, bob)
    season = draw.start(actor=alice, season=season)
    tasks = organiser_tasks.organiser_tasks(season)
    assert [each.code for each in tasks] == ["draw-round", "draw-round", "draw-all-divisions"]
    assert codes(alice) == ["draw-all-divisions"]
    all_at_once = tasks[-1]
    assert all_at_once.primary
    for round_number in (1, 2):
        task = organiser_tasks.organiser_tasks(season)[-1]
        as_alice.post(task.path, task.fields)
        rounds = Round.objects.filter(stage__division__season=season, number=round_number)
        assert [each.status for each in rounds] == ["published", "published"]
        assert Notice.objects.filter(user=bob, kind="leagues.drawn").count() == round_number
        # Pressing again, with the page as it was, draws nothing more.
        again = as_alice.post(task.path, task.fields, follow=True).content.decode()
        assert "meanwhile" in again
        for each in rounds:
            finish_round(each)
    assert Round.objects.filter(stage__division__season=season).count() == 4


def test_only_divisions_that_are_ready_are_drawn(league, alice):
    season = two_divisions(league, alice)
    busy = next_round(alice, stage_of(season))
    assert sorted(codes(alice)) == ["draw-round", "missing-results"]
    (only,) = all_divisions.draw_and_publish_all(actor=alice, season=season)
    assert only.stage == stage_of(season, level=2)
    with pytest.raises(Refused, match="No division is ready"):
        all_divisions.draw_and_publish_all(actor=alice, season=season)
    assert not Round.objects.filter(stage=busy.stage, number=2).exists()


def test_a_round_that_was_drawn_before_is_published_and_a_plan_goes_on(league, alice):
    season = two_divisions(league, alice, "round-robin")
    for level in (1, 2):
        draw.draw_all_rounds(actor=alice, stage=stage_of(season, level=level))
    for number in (1, 2, 3):
        published = all_divisions.draw_and_publish_all(actor=alice, season=season)
        assert [each.number for each in published] == [number, number]
        for each in published:
            finish_round(each)
    assert Round.objects.filter(stage__division__season=season).count() == 6
    with pytest.raises(Refused, match="No division is ready"):
        all_divisions.draw_and_publish_all(actor=alice, season=season)


def test_if_one_division_cannot_be_drawn_none_is(league, alice):
    season = two_divisions(league, alice)
    second = stage_of(season, level=2)
    for entrant in season.entrants.filter(division__level=2)[:3]:
        withdrawal.withdraw(actor=alice, entrant=entrant)
    with pytest.raises(Refused, match="Nothing was drawn, because of Division 2"):
        all_divisions.draw_and_publish_all(actor=alice, season=season)
    assert not Round.objects.filter(stage__division__season=season).exists()
    second.refresh_from_db()
    assert second.trouble


def test_who_may_draw_all_divisions(league, alice, bob):
    season = two_divisions(league, alice)
    with pytest.raises(NotAllowed):
        all_divisions.draw_and_publish_all(actor=bob, season=season)
    address = f"/seasons/{season.pk}/draw-and-publish/"
    assert Program(bob).post(address).status_code == 403
    assert Program(alice, "read").post(address).status_code == 403
    made = Program(alice).post(address, {"seen": 0}).json()["rounds"]
    assert [each["status"] for each in made] == ["published", "published"]
    again = Program(alice).post(address, {"seen": 0})
    assert again.status_code == 409
    assert "meanwhile" in again.json()["detail"]


def test_a_closed_club_has_no_desk(club, league, alice):
    running_stage(league, alice, "swiss", 4)
    add_member(club, create_user("omar"), Role.ORGANISER)
    Club.objects.filter(pk=club.pk).update(closed_at=timezone.now())
    assert not codes(alice)
