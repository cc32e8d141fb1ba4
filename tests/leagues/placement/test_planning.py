"""From the rows to a plan and back, through the real task, on both kinds of database."""

from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.infra import shutdown
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Notice
from leagues import tasks
from leagues.entries import registration
from leagues.models import Availability, Pairing, Placement, Plan, Season
from leagues.placement import planning, report
from leagues.placement import service as placement
from leagues.placement.inputs import PlacementInputs
from leagues.placement.planning import Scope
from leagues.placement.solver import solve
from leagues.rounds import draw
from leagues.seasons import setup
from tests.factories import create_club, create_user, draft_season, running_stage, stage_of
from tests.games.play.test_races import race
from tests.leagues.placement.conftest import drawn, night, people, slot_of, table


def planned(season: Season, actor, **scope) -> Plan:
    """Request a plan and run it as a worker does."""
    plan = planning.request_plan(actor=actor, season=season, scope=Scope(**scope))
    tasks.plan(plan.pk)
    return Plan.objects.get(pk=plan.pk)


def where(season: Season) -> dict[tuple[int, int], tuple[int, int]]:
    rows = Placement.objects.filter(pairing__round__stage__division__season=season)
    return {(each.pairing.round.number, each.pairing.number): (each.slot_id, each.board) for each in rows}


@pytest.mark.usefixtures("any_database")
def test_a_season_is_placed_by_the_task(sent_plans):
    """The whole way: locked tables stay, and a second plan moves nothing."""
    alice, olga, bob = create_user("alice"), create_user("olga"), create_user("bob")
    club = create_club(alice, olga, bob)
    league = setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")
    season = drawn(running_stage(league, alice, "round-robin", 6), alice, 5)
    one, two = night(club, 7, tables=3), night(club, 14, tables=3)
    away = people(table(season, 1, 1))[0]
    Availability.objects.create(night=one, user=away, answer="no")
    placement.place(actor=alice, pairing=table(season, 5, 2), slot=slot_of(one, 2), board=3, lock=True)

    plan = planned(season, olga)

    assert sent_plans == [plan.pk]
    assert plan.status == Plan.Status.DONE
    assert plan.finished_at is not None
    assert where(season)[5, 2] == (slot_of(one, 2).pk, 3)
    taken: set[tuple[int, int]] = set()
    for each in Placement.objects.select_related("slot__night", "pairing"):
        assert each.pairing.starts_at == each.slot.starts_at
        for who in people(each.pairing):
            assert (who.pk, each.slot_id) not in taken
            taken.add((who.pk, each.slot_id))
            assert who != away or each.slot.night == two or each.locked
    outcome = report.report_of(plan)
    assert len(outcome.missing) + len(where(season)) == 15
    assert all(each.why and each.change for each in outcome.missing)
    assert AuditEntry.objects.filter(action="leagues.planned").count() == 1

    before, revisions = where(season), dict(Pairing.objects.values_list("pk", "revision"))
    planned(season, olga)
    assert where(season) == before
    assert dict(Pairing.objects.values_list("pk", "revision")) == revisions
    # A task that is delivered twice finds nothing to do.
    tasks.plan(plan.pk)
    assert Plan.objects.get(pk=plan.pk).finished_at == plan.finished_at


def test_who_may_ask_and_when(club, season, olga, bob, charlie, league, alice):
    for stranger in (bob, charlie):
        with pytest.raises(NotAllowed):
            planning.request_plan(actor=stranger, season=season)
    with pytest.raises(Refused, match="no night to come"):
        planning.request_plan(actor=olga, season=season)
    night(club, 7)
    with pytest.raises(Refused, match="1 to 12"):
        planning.request_plan(actor=olga, season=season, scope=Scope(a_night=0))
    planning.request_plan(actor=olga, season=season)
    with pytest.raises(Refused, match="placed already"):
        planning.request_plan(actor=olga, season=season)
    empty = running_stage(league, alice, "round-robin", 4).division.season
    with pytest.raises(Refused, match="No round is drawn"):
        planning.request_plan(actor=olga, season=empty)
    with pytest.raises(Refused, match="not running"):
        planning.request_plan(actor=olga, season=draft_season(league, alice, "round-robin"))


def test_only_the_rounds_that_were_asked_for(club, season, olga):
    evening = night(club, 7)
    placement.place(actor=olga, pairing=table(season, 3, 1), slot=slot_of(evening, 3))
    plan = planned(season, olga, rounds=(table(season, 1, 1).round_id,))
    assert set(where(season)) == {(1, 1), (1, 2), (3, 1)}
    assert not report.report_of(plan).missing


def test_so_many_tables_a_night(club, season, olga):
    for days in (7, 14, 21):
        night(club, days)
    planned(season, olga, a_night=1)
    nights = [each.slot.night_id for each in Placement.objects.select_related("slot")]
    assert len(nights) == 6
    assert all(nights.count(each) == 2 for each in nights)


def test_boards_and_people_of_other_leagues_are_left_alone(club, league, season, alice, olga):
    evening = night(club, 7, slots=1, tables=2)
    other = drawn(running_stage(league, alice, "round-robin", 4), alice, 1)
    placement.place(actor=alice, pairing=table(other, 1, 1), slot=slot_of(evening, 1), board=1)
    plan = planned(season, olga, rounds=(table(season, 1, 1).round_id,))
    assert [board for _slot, board in where(season).values()] == [2]
    (missing,) = report.report_of(plan).missing
    assert "Every board is taken" in missing.why
    assert "one more board" in missing.change


def test_what_changed_while_it_was_worked_out_stays_and_is_named(club, season, olga, monkeypatch):
    """A table placed by hand and a slot taken meanwhile: the plan leaves both alone."""
    one, two = night(club, 7, slots=1, tables=2), night(club, 14, slots=1, tables=2)
    work = solve.solve

    def meanwhile(problem, **how):
        solution = work(problem, **how)
        placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot_of(two, 1), board=2)
        for who in people(table(season, 1, 2)):
            Availability.objects.create(night=one, user=who, answer="no")
        return solution

    monkeypatch.setattr(solve, "solve", meanwhile)
    plan = planned(season, olga, rounds=(table(season, 1, 1).round_id,))
    assert where(season) == {(1, 1): (slot_of(two, 1).pk, 2)}
    left_out = report.report_of(plan).left_out
    names = [seat.entrant.name for number in (1, 2) for seat in table(season, 1, number).seats.all()]
    assert names
    assert all(name in left_out for name in names)
    assert table(season, 1, 2).revision == 0


def test_people_are_told_once_however_many_of_their_tables_moved(club, league, alice, olga):
    made = draft_season(league, alice, "round-robin", members_only=False)
    players = [create_user(handle) for handle in ("ada", "ben", "cleo", "dan")]
    for each in players:
        registration.register(person=each, season=made)
    draw.start(actor=alice, season=made)
    drawn(stage_of(made), alice, 2)
    night(club, 7)
    planned(made, olga)
    notices = Notice.objects.filter(kind="leagues.planned")
    assert sorted(notices.values_list("user", flat=True)) == sorted(each.pk for each in players)
    assert notices[0].path == reverse("leagues:calendar", args=[league.slug, made.number])


def test_a_plan_that_fails_leaves_everything_as_it_was(club, season, olga, monkeypatch):
    night(club, 7)
    monkeypatch.setattr(planning._Changes, "write", lambda self: 1 / 0)
    plan = planned(season, olga)
    assert plan.status == Plan.Status.FAILED
    assert not Placement.objects.exists()
    assert set(Pairing.objects.values_list("revision", flat=True)) == {0}
    assert "nothing was changed" in report.report_of(plan).sentences[0]
    # It can be requested again.
    planning.request_plan(actor=olga, season=season)


def test_a_worker_that_fell_silent_is_replaced_once_and_then_given_up(club, season, olga, sent_plans):
    night(club, 7)
    plan = planning.request_plan(actor=olga, season=season)
    late = timezone.now() - timedelta(minutes=10)
    Plan.objects.filter(pk=plan.pk).update(status="solving", attempts=1, seen_at=late)
    planning.sweep()
    assert Plan.objects.get(pk=plan.pk).status == Plan.Status.WAITING
    assert sent_plans == [plan.pk]
    planning.sweep()
    assert sent_plans == [plan.pk]
    Plan.objects.filter(pk=plan.pk).update(seen_at=late)
    planning.sweep()
    assert sent_plans == [plan.pk] * 2
    Plan.objects.filter(pk=plan.pk).update(status="solving", attempts=2, seen_at=late)
    planning.sweep()
    assert Plan.objects.get(pk=plan.pk).status == Plan.Status.FAILED


def test_a_worker_that_comes_back_from_the_dead_writes_nothing(club, season, olga, monkeypatch):
    """Another worker took its plan over meanwhile."""
    night(club, 7)
    work = solve.solve

    def slowly(problem, **how):
        Plan.objects.update(status="waiting", attempts=5)
        return work(problem, **how)

    monkeypatch.setattr(solve, "solve", slowly)
    assert planned(season, olga).status == Plan.Status.WAITING
    assert not Placement.objects.exists()


def test_progress_is_written_down(club, season, olga, monkeypatch):
    night(club, 7)
    seen: list[dict] = []
    finish = planning.apply
    monkeypatch.setattr(planning, "apply", lambda **how: (seen.append(Plan.objects.get().progress), finish(**how)))
    plan = planning.request_plan(actor=olga, season=season)
    assert report.report_of(plan).is_open
    tasks.plan(plan.pk)
    assert seen[0]["share"] == 1.0
    assert seen[0]["measure"]["placed"] == 6
    solving = Plan(season=season, status="solving", progress=seen[0] | {"goal": "waiting"})
    assert "little waiting" in report.report_of(solving).sentences[0]
    assert report.report_of(solving).percent == 100


def test_a_large_season_is_read_with_as_few_questions(club, league, alice, django_assert_max_num_queries):
    small = drawn(running_stage(league, alice, "round-robin", 4), alice, 1)
    large = drawn(running_stage(league, alice, "round-robin", 8), alice, 7)
    for days in range(7, 12):
        night(club, days)
    for season in (small, large):
        with django_assert_max_num_queries(18):
            problem = PlacementInputs(season).problem()
        assert len(problem.slots) == 15


@pytest.mark.usefixtures("any_database")
def test_two_organisers_one_board():
    """Three organisers place tables of three seasons on the same board at once: one succeeds."""
    alice, olga, bob = create_user("alice"), create_user("olga"), create_user("bob")
    club = create_club(alice, olga, bob)
    league = setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")
    seasons = [drawn(running_stage(league, alice, "round-robin", 2), alice, 1) for _ in range(3)]
    slot = slot_of(night(club, 7), 1)
    tried = [
        partial(placement.place, actor=who, pairing=table(season, 1, 1), slot=slot, board=1)
        for season, who in zip(seasons, (alice, olga, alice))
    ]
    results = race(*tried)
    assert len([each for each in results if isinstance(each, Placement)]) == 1
    assert all(isinstance(each, Placement | Refused) for each in results)
    assert Placement.objects.count() == 1


@pytest.mark.usefixtures("any_database")
def test_a_plan_asked_for_twice_at_once_is_one_plan():
    alice, olga, bob = create_user("alice"), create_user("olga"), create_user("bob")
    club = create_club(alice, olga, bob)
    league = setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")
    season = drawn(running_stage(league, alice, "round-robin", 4), alice, 1)
    night(club, 7)
    results = race(*[partial(planning.request_plan, actor=who, season=season) for who in (alice, olga)])
    assert sorted(type(each).__name__ for each in results) == ["Plan", "Refused"]
    plan = Plan.objects.get()
    race(*[partial(planning.run, plan_id=plan.pk) for _ in range(2)])
    assert Plan.objects.get().attempts == 1
    assert Placement.objects.count() == 6


def test_a_plan_is_put_down_when_its_program_closes_and_found_again(club, season, olga, sent_plans, monkeypatch):
    """The attempt does not count: the sweep gives the plan to the next worker, which places all tables."""
    night(club, 7)
    work = solve.solve

    def stop_midway(problem, **how):
        monkeypatch.setattr(shutdown, "_is_closing", True)
        with how["stopped_by"](lambda: None):
            raise AssertionError("it goes on")

    monkeypatch.setattr(solve, "solve", stop_midway)
    plan = planning.request_plan(actor=olga, season=season)
    with pytest.raises(shutdown.ShutdownRequested):
        tasks.plan(plan.pk)
    plan.refresh_from_db()
    assert (plan.status, plan.attempts) == (Plan.Status.WAITING, 0)
    with pytest.raises(shutdown.ShutdownRequested):  # delivered again to the same program: not even started
        tasks.plan(plan.pk)

    monkeypatch.setattr(shutdown, "_is_closing", False)
    monkeypatch.setattr(solve, "solve", work)
    Plan.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    planning.sweep()
    assert sent_plans == [plan.pk]
    tasks.plan(plan.pk)
    assert Plan.objects.get().status == Plan.Status.DONE
