"""Tables online and at the club: who is waited for, what is shared and sealed, and who sits with whom."""

import pytest
from django.utils import translation

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from games.models import Match
from games.tables import leaving
from leagues.entries import registration, withdrawal
from leagues.models import Division, Entrant, Pairing, RatingChange, Result, Round
from leagues.rounds import closing, draw, tables
from leagues.seasons import setup
from leagues.templatetags.leagues import result_note
from tests.factories import (
    draft_season,
    enter_team,
    finish_round,
    finished_match,
    next_round,
    running_stage,
    set_up_preset,
    stage_of,
)
from tests.leagues.results.test_from_matches import taken_up


def test_duplicate_tables_share_a_deal_that_is_not_the_public_seed(league, alice):
    stage = running_stage(league, alice, "duplicate", 8, planned=2)
    deals = {}
    for number in (1, 2):
        round_ = next_round(alice, stage)
        deals[number] = set(round_.pairings.values_list("deal", flat=True))
        finish_round(round_)
    assert len(deals[1]) == len(deals[2]) == 1
    assert deals[1] != deals[2]
    assert stage.seed not in deals[1] | deals[2]
    assert stage.secret != stage.seed


def test_bots_begin_when_a_round_is_published_and_people_when_all_are_there(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=2, where="online", clock="live", bank=600)
    division = Division.objects.get(season=season)
    registration.register(person=alice, season=season)
    registration.register(person=bob, season=season)
    for _bot in range(2):
        registration.add_bot(actor=alice, division=division, level="rookie")
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    for pairing in round_.pairings.all():
        people = [user for user, level in tables.people_at(pairing) if not level]
        assert (pairing.match is not None) == (not people)
        for user in people:
            tables.mark_present(person=user, pairing=pairing)
        pairing.refresh_from_db()
        assert pairing.state == Pairing.State.PLAYING
        match = pairing.match
        assert match.status == Match.Status.PLAYING
        assert not match.draws_seats
        assert [seat.user for seat in match.seats.order_by("index")] == [
            seat.entrant.user for seat in pairing.seats.order_by("index")
        ]


def test_a_duplicate_table_is_sealed_until_its_round_is_closed(league, alice, bob, charlie):
    from games import access

    season = draft_season(
        league, alice, "duplicate", {"seats": 2}, planned=1, where="online", clock="days", days=1, members_only=False
    )
    for somebody in (alice, bob, charlie):
        registration.register(person=somebody, season=season)
    registration.add_bot(actor=alice, division=Division.objects.get(season=season), level="rookie")
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    matches = [pairing.match for pairing in round_.pairings.all()]
    assert len({match.secret for match in matches}) == 1
    outsider = next(user for user in (alice, bob, charlie) if not matches[0].seats.filter(user=user).exists())
    assert not access.may(outsider, access.Permission.SEE, matches[0])
    finish_round(round_)
    closing.close_round(actor=alice, round=round_)
    assert access.may(outsider, access.Permission.SEE, Match.objects.get(pk=matches[0].pk))


def test_a_stand_in_for_somebody_who_left_wins_nothing(league, alice, bob, charlie):
    from leagues.results import reporting

    season = draft_season(league, alice, "table-swiss", planned=1, where="online", members_only=False)
    for somebody in (alice, bob, charlie):
        registration.register(person=somebody, season=season)
    draw.start(actor=alice, season=season)
    pairing = next_round(alice, stage_of(season)).pairings.get()
    withdrawal.withdraw(actor=alice, entrant=Entrant.objects.get(user=bob))
    for somebody in (alice, charlie):
        tables.mark_present(person=somebody, pairing=pairing)
    pairing.refresh_from_db()
    match = finished_match(pairing.match)
    result = reporting.accept_match_result(match)
    place = dict(zip(pairing.seats.values_list("entrant__user__handle", flat=True), result.places))
    assert (place["bob"]["kind"], place["bob"]["rank"]) == ("FL", 3)
    assert {place["alice"]["rank"], place["charlie"]["rank"]} <= {1, 2}


def test_taking_back_calls_off_tables_that_opened(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, where="online")
    division = Division.objects.get(season=season)
    for _bot in range(4):
        registration.add_bot(actor=alice, division=division, level="rookie")
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    draw.delete_round(actor=alice, round=round_)
    assert set(Match.objects.values_list("status", flat=True)) == {Match.Status.ABORTED}
    assert not Round.objects.exists()


def test_teams_sit_together(club, alice, bob, charlie, olga):
    league = setup.create_league(actor=alice, club=club, name="Together", game="thanos-rising")
    season = set_up_preset(league, alice, "team-duplicate")
    division = Division.objects.get(season=season)
    enter_team(division, alice, "Reds", alice, bob)
    enter_team(division, alice, "Blues", charlie, bots=["rookie"])
    with pytest.raises(Refused, match="twice, or in another"):
        enter_team(division, alice, "Greens", olga, bob)
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    assert round_.pairings.count() == 2
    pairing = round_.pairings.get(seats__entrant__team="Reds")
    for member in (alice, bob):
        tables.mark_present(person=member, pairing=pairing)
    pairing.refresh_from_db()
    assert list(pairing.match.seats.values_list("user__handle", flat=True)) == ["alice", "bob"]
    assert pairing.match.secret == pairing.deal


def test_a_table_moves_between_club_and_site_until_it_is_played(league, alice, bob, charlie):
    season = draft_season(league, alice, "swiss", planned=2, where="both", members_only=False)
    for somebody in (alice, bob):
        registration.register(person=somebody, season=season)
    draw.start(actor=alice, season=season)
    pairing = next_round(alice, stage_of(season)).pairings.get()
    assert pairing.where == Pairing.Where.CLUB
    with pytest.raises(Refused, match="online or at the club"):
        tables.set_location(actor=alice, pairing=pairing, where="moon")
    with pytest.raises(NotAllowed):
        tables.set_location(actor=charlie, pairing=pairing, where="online")
    tables.set_location(actor=alice, pairing=pairing, where="online")
    with pytest.raises(NotAllowed):
        tables.mark_present(person=charlie, pairing=pairing)
    tables.mark_present(person=alice, pairing=pairing)
    tables.mark_present(person=alice, pairing=pairing)
    assert Pairing.objects.get().match is None
    tables.mark_present(person=bob, pairing=pairing)
    assert Pairing.objects.get().match is not None
    with pytest.raises(Refused, match="being played"):
        tables.set_location(actor=alice, pairing=pairing, where="club")


def test_a_table_begins_when_the_one_waited_for_leaves(league, alice, bob, charlie):
    season = draft_season(league, alice, "table-swiss", planned=1, where="online", members_only=False)
    for somebody in (alice, bob, charlie):
        registration.register(person=somebody, season=season)
    draw.start(actor=alice, season=season)
    pairing = next_round(alice, stage_of(season)).pairings.get()
    for somebody in (alice, charlie):
        tables.mark_present(person=somebody, pairing=pairing)
    assert Pairing.objects.get().match is None
    withdrawal.withdraw(actor=bob, entrant=Entrant.objects.get(user=bob))
    assert Pairing.objects.get().match.is_playing


def test_whoever_leaves_a_league_table_early_forfeits_it_and_nobody_is_rated(league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=1, where="online", clock="live", bank=600, rated=True)
    for each in (alice, bob):
        registration.register(person=each, season=season)
    draw.start(actor=alice, season=season)
    round_ = next_round(alice, stage_of(season))
    pairing = Pairing.objects.get(round=round_)
    for user, _level in tables.people_at(pairing):
        tables.mark_present(person=user, pairing=pairing)
    pairing.refresh_from_db()
    assert pairing.match is not None
    leaving.resign(person=bob, match=pairing.match)
    assert taken_up(pairing.match)
    pairing.refresh_from_db()
    result = Result.objects.get(pairing=pairing)
    kinds = {seat.entrant.user: place["kind"] for seat, place in zip(pairing.seats.order_by("index"), result.places)}
    assert kinds == {alice: "FW", bob: "FL"}
    assert (result.in_force, pairing.state) == (True, "confirmed")
    assert not RatingChange.objects.exists()
    closing.close_round(actor=alice, round=round_)
    with translation.override("it"):
        assert result_note(result.note) != result.note
