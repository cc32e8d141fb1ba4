"""Entries: conditions, caps and waiting list, check-in, seeds, byes, withdrawals; and what is refused."""

import pytest
from django.db import IntegrityError, transaction

from accounts import people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, User
from leagues.entries import bye_requests, registration, seeding, strength, withdrawal
from leagues.models import Division, Entrant, EntrantStep, Pairing, PairingSeat, RequestedBye, Season, Stage
from leagues.rounds import draw
from leagues.seasons import setup
from tests.factories import (
    add_guests,
    confirm_result,
    create_user,
    draft_season,
    finish_round,
    next_round,
    running_stage,
    stage_of,
)


def test_members_enter_and_strangers_do_not(league, alice, bob, charlie):
    season = draft_season(league, alice, "swiss", planned=2)
    entrant = registration.register(person=bob, season=season)
    assert entrant.status == Entrant.Status.REGISTERED
    with pytest.raises(Refused, match="Only members"):
        registration.register(person=charlie, season=season)
    with pytest.raises(Refused, match="already"):
        registration.register(person=bob, season=season)
    assert "entered" in AuditEntry.objects.filter(object_type="leagues.season").order_by("-pk")[0].action


def test_a_draft_takes_no_entries(league, alice, bob):
    season = setup.add_season(actor=alice, league=league)
    with pytest.raises(NotAllowed):
        registration.register(person=bob, season=season)


def test_conditions_on_ratings(league, alice, bob, olga, monkeypatch):
    season = draft_season(league, alice, "swiss", planned=2, rating_from=1400, rating_to=1600)
    known = {bob.pk: 1700, olga.pk: 1300}
    monkeypatch.setattr(strength, "of_people", lambda game, users: {each: known[each] for each in users & set(known)})
    with pytest.raises(Refused, match="up to 1600"):
        registration.register(person=bob, season=season)
    with pytest.raises(Refused, match="from 1400"):
        registration.register(person=olga, season=season)
    assert registration.register(person=alice, season=season)


def test_a_full_division_has_a_waiting_list_in_order(league, alice):
    season = draft_season(league, alice, "swiss", planned=2)
    division = season.divisions.get()
    setup.edit_division(actor=alice, division=division, name="Small", cap=2, up=0, down=0)
    first, second, third, fourth = add_guests(season, alice, 4)
    assert [each.status for each in (first, second, third, fourth)] == ["registered"] * 2 + ["waiting"] * 2
    withdrawal.withdraw(actor=alice, entrant=first)
    third.refresh_from_db()
    fourth.refresh_from_db()
    assert (third.status, fourth.status) == ("registered", "waiting")
    withdrawal.return_to_season(actor=alice, entrant=first)
    first.refresh_from_db()
    assert first.status == "waiting"
    setup.edit_division(actor=alice, division=division, name="Small", cap=3, up=0, down=0)
    fourth.refresh_from_db()
    assert fourth.status == "registered"
    draw.start(actor=alice, season=season)
    first.refresh_from_db()
    assert first.status == "waiting"
    assert stage_of(season).starters.count() == 3


def test_a_full_division_without_a_waiting_list_refuses(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, waiting_list=False)
    setup.edit_division(actor=alice, division=season.divisions.get(), name="Small", cap=2, up=0, down=0)
    with pytest.raises(Refused, match="full"):
        add_guests(season, alice, 3)
    assert Entrant.objects.count() == 2
    assert User.objects.filter(is_guest=True).count() == 2


def test_nonsense_is_refused_by_the_database_itself(league, alice, bob):
    """Guard 20: the same person, seat or table twice, or a bye of an unknown kind."""
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    round_ = next_round(alice, stage)
    first, second = round_.pairings.all()
    twice = first.seats.first().entrant
    season = stage.division.season
    attempts = [
        lambda: PairingSeat.objects.create(pairing=second, round=round_, entrant=twice, index=2),
        lambda: PairingSeat.objects.create(pairing=first, round=round_, entrant=twice, index=0),
        lambda: Pairing.objects.create(round=round_, number=1, reason={}),
        lambda: stage.rounds.create(number=1),
        lambda: round_.byes.create(entrant=twice, kind="XYZ"),
        lambda: Entrant.objects.create(season=season, division=stage.division, user=twice.user),
        lambda: Entrant.objects.create(season=season, division=stage.division, kind="team", user=bob, team="x"),
        lambda: stage.starters.create(entrant=twice, seed=9),
        lambda: stage.steps.create(entrant=twice, round=0, step="enter"),
        lambda: Stage.objects.create(division=stage.division, position=2, format="swiss", seed="x", secret="x"),
        lambda: first.results.create(version=1, kind="reported", source="player", in_force=True),
        lambda: Season.objects.filter(pk=season.pk).update(status="closed"),
        lambda: User.objects.filter(pk=twice.user_id).update(email="guest@example.org"),
    ]
    for attempt in attempts:
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt()


def test_one_result_in_force_for_a_table(league, alice):
    """Guard 8: the index itself."""
    stage = running_stage(league, alice, "swiss", 2, planned=1)
    pairing = next_round(alice, stage).pairings.get()
    first, second = confirm_result(pairing), confirm_result(pairing, ranks=[2, 1])
    first.refresh_from_db()
    assert (first.in_force, second.in_force, second.version) == (False, True, 2)
    with pytest.raises(IntegrityError), transaction.atomic():
        pairing.results.filter(version=1).update(in_force=True)


def test_guests_and_bots_where_they_can_play(league, alice):
    online = draft_season(league, alice, "swiss", planned=2, where="online")
    with pytest.raises(Refused, match="guest"):
        registration.add_guest(actor=alice, division=online.divisions.get(), name="Gina")
    at_club = draft_season(league, alice, "swiss", planned=2)
    with pytest.raises(Refused, match="bot"):
        registration.add_bot(actor=alice, division=at_club.divisions.get(), level="rookie")
    both = draft_season(league, alice, "swiss", planned=2, where="both")
    division = both.divisions.get()
    guest_entry = registration.add_guest(actor=alice, division=division, name="  Gina   Rossi ")
    assert guest_entry.name == "Gina Rossi"
    assert not guest_entry.user.has_usable_password()
    registration.add_guest(actor=alice, division=division, name="Pippo")
    bots = [registration.add_bot(actor=alice, division=division, level="rookie") for _ in range(2)]
    assert len({bot.name for bot in bots}) == 2
    draw.start(actor=alice, season=both)
    round_ = next_round(alice, stage_of(both))
    for pairing in round_.pairings.all():
        kinds = {seat.entrant.kind for seat in pairing.seats.all()}
        assert len(kinds) == 1, "a guest cannot log in and a bot cannot come: they never meet"
        assert pairing.where == ("online" if kinds == {"bot"} else "club")


def test_a_guest_without_a_name_is_refused(club, alice, bob):
    for name in ("", "   ", "x" * 61):
        with pytest.raises(Refused):
            people.add_guest(club=club, name=name, actor=alice)
    with pytest.raises(NotAllowed):
        people.add_guest(club=club, name="Gina", actor=bob)


def test_who_does_not_check_in_is_left_out_and_may_come_late(league, alice, bob, olga):
    season = draft_season(league, alice, "swiss", planned=3, check_in=True)
    mine = registration.register(person=bob, season=season)
    late = registration.register(person=olga, season=season)
    others = add_guests(season, alice, 3)
    with pytest.raises(NotAllowed):
        registration.check_in(actor=bob, entrant=late)
    registration.check_in(actor=bob, entrant=mine)
    for entrant in others:
        registration.check_in(actor=alice, entrant=entrant)
    draw.start(actor=alice, season=season)
    late.refresh_from_db()
    assert late.is_withdrawn
    stage = stage_of(season)
    assert stage.starters.count() == 4
    finish_round(next_round(alice, stage))
    withdrawal.return_to_season(actor=olga, entrant=late)
    second = next_round(alice, stage)
    assert second.byes.filter(entrant=late).exists() or PairingSeat.objects.filter(round=second, entrant=late).exists()
    assert EntrantStep.objects.get(entrant=late).round == 2


def test_seeds_by_rating_by_hand_and_by_lot(league, alice, monkeypatch):
    season = draft_season(league, alice, "swiss", planned=2)
    division = season.divisions.get()
    entrants = add_guests(season, alice, 4)
    ratings = {entrants[2].user_id: 1800, entrants[0].user_id: 1600}
    monkeypatch.setattr(strength, "of_people", lambda game, users: ratings)
    ranked = seeding.by_rating(actor=alice, division=division)
    assert [each.pk for each in ranked] == [entrants[at].pk for at in (2, 0, 1, 3)]
    wanted = [each.pk for each in reversed(entrants)]
    assert [each.pk for each in seeding.by_hand(actor=alice, division=division, order=wanted)] == wanted
    for wrong in (wanted[1:], [*wanted, wanted[0]], [*wanted[1:], 0]):
        with pytest.raises(Refused, match="everybody exactly once"):
            seeding.by_hand(actor=alice, division=division, order=wrong)
    drawn = seeding.by_lot(actor=alice, division=division)
    assert sorted(each.seed for each in drawn) == [1, 2, 3, 4]
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    assert list(stage.starters.values_list("entrant", flat=True)) == [each.pk for each in drawn]
    with pytest.raises(Refused, match="started"):
        seeding.by_lot(actor=alice, division=division)


def test_requested_byes(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=3)
    mine = registration.register(person=bob, season=season)
    add_guests(season, alice, 4)
    stage = stage_of(season)
    bye_requests.request_bye(actor=bob, entrant=mine, stage=stage, number=1, kind="HPB")
    with pytest.raises(Refused, match="organiser"):
        bye_requests.request_bye(actor=bob, entrant=mine, stage=stage, number=2, kind="FPB")
    with pytest.raises(Refused, match="no such round"):
        bye_requests.request_bye(actor=bob, entrant=mine, stage=stage, number=4, kind="HPB")
    request = bye_requests.request_bye(actor=alice, entrant=mine, stage=stage, number=2, kind="FPB")
    bye_requests.cancel(actor=bob, request=request)
    draw.start(actor=alice, season=season)
    first = next_round(alice, stage)
    assert first.byes.get(entrant=mine).kind == "HPB"
    with pytest.raises(Refused, match="drawn already"):
        bye_requests.request_bye(actor=bob, entrant=mine, stage=stage, number=1, kind="ZPB")
    assert RequestedBye.objects.count() == 1


def test_no_bye_where_every_round_is_needed(league, alice, bob):
    season = draft_season(league, alice, "round-robin")
    mine = registration.register(person=bob, season=season)
    with pytest.raises(Refused, match="every round is needed"):
        bye_requests.request_bye(actor=bob, entrant=mine, stage=stage_of(season), number=1, kind="HPB")


def test_a_late_entry_only_where_the_format_takes_it(league, alice):
    swiss = running_stage(league, alice, "swiss", 4, planned=3)
    finish_round(next_round(alice, swiss))
    late = registration.add_guest(actor=alice, division=swiss.division, name="Late")
    assert late.status == Entrant.Status.ACTIVE
    second = next_round(alice, swiss)
    assert second.byes.filter(entrant=late, kind="PAB").exists() or second.seats.filter(entrant=late).exists()
    fixed = running_stage(league, alice, "round-robin", 4)
    draw.draw_next_round(actor=alice, stage=fixed)
    with pytest.raises(Refused, match="takes no late entries"):
        registration.add_guest(actor=alice, division=fixed.division, name="Late")
    assert not Entrant.objects.filter(division=fixed.division, user__display_name="Late").exists()


def test_leaving_and_coming_back_never_pays(league, alice):
    """Guards 4 and 13: no second allocated bye, no points for missed rounds."""
    from leagues.standings.history import load_score_table

    stage = running_stage(league, alice, "swiss", 5, planned=5)
    first = next_round(alice, stage)
    rested = first.byes.get(kind="PAB").entrant
    finish_round(first)
    withdrawal.withdraw(actor=alice, entrant=rested)
    finish_round(next_round(alice, stage))
    before = load_score_table(stage).score[rested.pk]
    withdrawal.return_to_season(actor=alice, entrant=rested)
    for _number in (3, 4):
        round_ = next_round(alice, stage)
        assert not round_.byes.filter(entrant=rested, kind="PAB").exists()
        finish_round(round_)
    kinds = list(rested.byes.order_by("round__number").values_list("kind", flat=True))
    assert kinds == ["PAB", "WD"]
    assert before == 120


def test_who_may_speak_for_an_entry(league, alice, bob, olga, charlie):
    season = draft_season(league, alice, "swiss", planned=2)
    mine = registration.register(person=bob, season=season)
    with pytest.raises(NotAllowed):
        withdrawal.withdraw(actor=charlie, entrant=mine)
    assert withdrawal.withdraw(actor=olga, entrant=mine).is_withdrawn
    assert not withdrawal.return_to_season(actor=bob, entrant=mine).is_withdrawn


def test_an_entry_moves_between_divisions_until_the_start(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, divisions=2)
    first, second = Division.objects.filter(season=season)
    entrants = add_guests(season, alice, 3)
    add_guests(season, alice, 2, level=2)
    moved = registration.move(actor=alice, entrant=entrants[0], division=second)
    assert moved.division == second
    assert first.entrants.count() == 2
    draw.start(actor=alice, season=season)
    with pytest.raises(Refused, match="started"):
        registration.move(actor=alice, entrant=moved, division=first)


def test_a_bot_or_a_guest_enters_nothing_by_itself(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, members_only=False)
    robot = create_user("robot", is_bot=True)
    with pytest.raises(Refused):
        registration.register(person=robot, season=season)
