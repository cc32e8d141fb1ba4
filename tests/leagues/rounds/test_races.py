"""Concurrent actions on a round: real threads on both kinds of database."""

from functools import partial

import pytest

from accounts.infra.errors import Refused
from leagues.entries import registration
from leagues.models import Entrant, Pairing, PairingSeat, RequestedBye, Result, Round, Season, Waiting
from leagues.results import recording
from leagues.rounds import arena, attending, draw
from leagues.rounds import closing as rounds_closing
from leagues.seasons import closing, setup
from tests.factories import (
    add_guests,
    create_club,
    create_user,
    draft_season,
    finish_round,
    next_round,
    running_stage,
    stage_of,
)
from tests.games.play.test_races import done, race

pytestmark = pytest.mark.usefixtures("any_database")


@pytest.fixture
def staff():
    """Two organisers and their league."""
    alice, olga, bob = create_user("alice"), create_user("olga"), create_user("bob")
    club = create_club(alice, olga, bob)
    return alice, olga, setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")


def test_two_organisers_pressing_together_draw_one_round(staff):
    """Guard 1."""
    alice, olga, league = staff
    stage = running_stage(league, alice, "swiss", 8, planned=4)
    for number in (1, 2):
        press = [partial(draw.draw_next_round, actor=who, stage=stage, number=number) for who in (alice, olga) * 2]
        results = race(*press)
        assert len(set(done(results))) == 1
        assert Round.objects.filter(stage=stage, number=number).count() == 1
        round_ = Round.objects.get(stage=stage, number=number)
        assert round_.pairings.count() == 4
        assert PairingSeat.objects.filter(round=round_).values("entrant").distinct().count() == 8
        finish_round(draw.publish(actor=alice, round=round_))


def test_two_who_publish_tell_everybody_once_and_open_each_table_once(staff):
    alice, olga, league = staff
    season = draft_season(league, alice, "swiss", planned=2, where="online")
    for _bot in range(4):
        registration.add_bot(actor=alice, division=season.divisions.get(), level="rookie")
    draw.start(actor=alice, season=season)
    round_ = draw.draw_next_round(actor=alice, stage=stage_of(season))
    race(*[lambda who=who: draw.publish(actor=who, round=round_) for who in (alice, olga)])
    matches = list(Pairing.objects.values_list("match", flat=True))
    assert None not in matches
    assert len(set(matches)) == 2


def test_a_start_pressed_twice_starts_once(staff):
    alice, olga, league = staff
    season = draft_season(league, alice, "swiss", planned=2)
    add_guests(season, alice, 4)
    race(*[lambda who=who: draw.start(actor=who, season=season) for who in (alice, olga, alice)])
    assert stage_of(season).starters.count() == 4
    assert Season.objects.get(pk=season.pk).is_running


def test_the_last_place_goes_to_one(staff):
    alice, _olga, league = staff
    season = draft_season(league, alice, "swiss", planned=2, members_only=False)
    setup.edit_division(actor=alice, division=season.divisions.get(), name="Small", cap=2, up=0, down=0)
    rivals = [create_user(f"rival-{number}") for number in range(4)]
    race(*[lambda who=who: registration.register(person=who, season=season) for who in rivals])
    statuses = list(Entrant.objects.values_list("status", flat=True))
    assert sorted(statuses) == ["registered", "registered", "waiting", "waiting"]


def test_one_person_pressing_often_enters_once(staff):
    alice, _olga, league = staff
    season = draft_season(league, alice, "swiss", planned=2)
    results = race(*[lambda: registration.register(person=alice, season=season)] * 4)
    assert len(done(results)) == 1
    assert Entrant.objects.count() == 1


def test_a_season_closed_by_two_is_closed_once(staff):
    alice, olga, league = staff
    stage = running_stage(league, alice, "swiss", 4, planned=1)
    finish_round(next_round(alice, stage))
    rounds_closing.finish_stage(actor=alice, stage=stage)
    season = stage.division.season
    race(*[lambda who=who: closing.close_season(actor=who, season=season) for who in (alice, olga)])
    assert season.movements.count() == 4


def test_results_written_at_once_leave_one_in_force(staff):
    """Guard 8: a row lock and a partial unique index, not a lock inside one process."""
    from django.db import transaction

    alice, _olga, league = staff
    stage = running_stage(league, alice, "swiss", 2, planned=1)
    pairing = next_round(alice, stage).pairings.get()

    def confirm(ranks: list[int]) -> Result:
        with transaction.atomic():
            held = recording.lock_pairing(pairing)
            places = recording.validate_places(held, [{"rank": rank} for rank in ranks])
            return recording.record_result(pairing=held, kind="confirmed", source="organiser", places=places, by=alice)

    results = race(*[lambda ranks=ranks: confirm(ranks) for ranks in ([1, 2], [2, 1], [1, 1], [1, 2])])
    assert len(done(results)) == 4
    assert Result.objects.filter(pairing=pairing, in_force=True).count() == 1
    assert sorted(Result.objects.values_list("version", flat=True)) == [1, 2, 3, 4]


def test_an_arena_pairs_nobody_twice(staff):
    alice, olga, league = staff
    season = draft_season(league, alice, "arena", where="online", clock="days", days=1, members_only=False)
    people = [alice, olga, *(create_user(f"fighter-{number}") for number in range(4))]
    for each in people:
        registration.register(person=each, season=season)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    race(*[lambda who=who: arena.wait(person=who, stage=stage) for who in people])
    open_seats = PairingSeat.objects.filter(round__stage=stage).values_list("entrant", flat=True)
    assert len(open_seats) == len(set(open_seats)) == 6
    assert not Waiting.objects.exists()


def test_a_withdrawal_and_a_draw_at_once_agree(staff):
    """Guard 13: whoever is first, nobody who left sits at an open table of two."""
    alice, olga, league = staff
    stage = running_stage(league, alice, "swiss", 6, planned=2)
    leaver = Entrant.objects.first()
    from leagues.entries import withdrawal

    race(
        lambda: withdrawal.withdraw(actor=olga, entrant=leaver),
        lambda: draw.draw_next_round(actor=alice, stage=stage, number=1),
    )
    assert not Pairing.objects.open().filter(seats__entrant=leaver).exists()
    round_ = Round.objects.get(stage=stage)
    named = PairingSeat.objects.filter(round=round_, entrant=leaver).count()
    assert named + round_.byes.filter(entrant=leaver).count() == 1


def test_refusals_in_a_race_are_refusals(staff):
    alice, _olga, league = staff
    stage = running_stage(league, alice, "swiss", 4, planned=1)
    draw.draw_next_round(actor=alice, stage=stage)
    results = race(*[lambda: draw.draw_next_round(actor=alice, stage=stage)] * 2)
    assert all(isinstance(result, Refused) for result in results)


@pytest.mark.parametrize("attempt", range(3))
def test_a_tap_and_the_draw_wait_for_each_other(staff, attempt):
    """Whichever comes first: somebody who said no has no seat, and somebody who came late is in the draw."""
    alice, olga, league = staff
    stage = running_stage(league, alice, "swiss", 7, planned=3)
    away, late, *_others = stage.division.entrants.order_by("pk")
    attending.set_attendance(actor=olga, entrant=late, stage=stage, number=1, here=False)
    results = race(
        lambda: draw.draw_next_round(actor=alice, stage=stage, number=1),
        lambda: attending.set_attendance(actor=olga, entrant=away, stage=stage, number=1, here=False),
        lambda: attending.set_attendance(actor=olga, entrant=late, stage=stage, number=1, here=True),
    )
    assert len(done(results)) == 3
    round_ = Round.objects.get(stage=stage)
    seated = set(PairingSeat.objects.filter(round=round_).values_list("entrant", flat=True))
    assert away.pk not in seated
    assert late.pk in seated
    assert len(seated) == 6


def test_a_tap_and_the_publication_wait_for_each_other(staff):
    alice, olga, league = staff
    stage = running_stage(league, alice, "swiss", 6, planned=3)
    away = stage.division.entrants.order_by("pk").first()
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    race(
        lambda: draw.publish(actor=alice, round=round_),
        lambda: attending.set_attendance(actor=olga, entrant=away, stage=stage, number=1, here=False),
    )
    for published in Round.objects.filter(stage=stage, status=Round.Status.PUBLISHED):
        # It was published first, and the tap refused.
        assert PairingSeat.objects.filter(round=published, entrant=away).exists()
        assert not RequestedBye.objects.filter(entrant=away).exists()
    for drawn in Round.objects.filter(stage=stage, status=Round.Status.DRAWN):
        assert not PairingSeat.objects.filter(round=drawn, entrant=away).exists()
    assert Round.objects.filter(stage=stage).count() == 1
