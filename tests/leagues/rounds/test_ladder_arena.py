"""Formats without rounds: the ladder's order follows from its events, the arena pairs those who wait."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import presence
from accounts.infra.datetimes import format_datetime
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Notice
from leagues.entries import registration, withdrawal
from leagues.models import Challenge, League, Pairing, Season, Stage, Waiting
from leagues.rounds import arena, draw, ladder
from leagues.standings import ladder_order
from leagues.standings.ranking import ranking
from tests.api.conftest import Program
from tests.factories import actions_of, confirm_result, create_user, draft_season, enter, logged_in, stage_of


@pytest.fixture
def climbers(db):
    return [create_user(f"climber-{number}") for number in range(1, 6)]


@pytest.fixture
def rungs(league, alice, climbers):
    """A ladder with five on it, the first on top."""
    season = draft_season(league, alice, "ladder", {"reach": 2, "days": 7}, members_only=False)
    entries = [registration.register(person=each, season=season) for each in climbers]
    draw.start(actor=alice, season=season)
    return stage_of(season), entries


def order(stage) -> list[int]:
    return [row.entrant for row in ranking(stage)]


def won_by(pairing: Pairing, entrant) -> None:
    confirm_result(pairing, ranks=[1 if seat.entrant_id == entrant.pk else 2 for seat in pairing.seats.all()])


def test_a_challenge_won_takes_the_place(rungs, climbers):
    stage, entries = rungs
    made = ladder.challenge(person=climbers[2], stage=stage, target=entries[0])
    with pytest.raises(NotAllowed):
        ladder.answer(person=climbers[3], challenge=made)
    pairing = ladder.answer(person=climbers[0], challenge=made)
    assert ladder.answer(person=climbers[0], challenge=made) == pairing
    before = order(stage)
    won_by(pairing, entries[2])
    assert order(stage) == [before[2], before[0], before[1], *before[3:]]
    won_by(pairing, entries[0])
    assert order(stage) == before, "a corrected result gives the ladder it should have given"


@pytest.mark.parametrize(("who", "whom", "why"), [(4, 0, "more than 2"), (0, 1, "below"), (1, 1, "themselves")])
def test_refused_challenges(rungs, climbers, who, whom, why):
    stage, entries = rungs
    with pytest.raises(Refused, match=why):
        ladder.challenge(person=climbers[who], stage=stage, target=entries[whom])


def test_one_open_game_a_pair_and_an_unanswered_one_is_won(rungs, climbers):
    stage, entries = rungs
    made = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    with pytest.raises(Refused, match="open game"):
        ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    Challenge.objects.filter(pk=made.pk).update(made_at=timezone.now() - timedelta(days=8))
    assert order(stage)[:2] == [entries[1].pk, entries[0].pk]
    with pytest.raises(Refused, match="no longer open"):
        ladder.answer(person=climbers[0], challenge=made)
    assert ladder.challenge(person=climbers[0], stage=stage, target=entries[1])


def test_who_leaves_the_ladder_is_off_it_and_returns_at_the_bottom(rungs, climbers, alice):
    stage, entries = rungs
    ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    withdrawal.withdraw(actor=alice, entrant=entries[0])
    assert entries[0].pk not in order(stage)
    assert not ladder_order.ladder_now(stage).ladder.open
    withdrawal.return_to_season(actor=alice, entrant=entries[0])
    assert order(stage)[-1] == entries[0].pk


def test_a_newcomer_joins_at_the_bottom_while_the_ladder_runs(rungs, alice, bob):
    stage, _entries = rungs
    [late] = enter(stage.division, alice, bob)
    assert order(stage)[-1] == late.pk


def test_a_stranger_challenges_nobody(rungs, charlie):
    stage, entries = rungs
    with pytest.raises(NotAllowed):
        ladder.challenge(person=charlie, stage=stage, target=entries[0])


@pytest.fixture
def ring(league, alice, climbers):
    season = draft_season(league, alice, "arena", members_only=False)
    entries = [registration.register(person=each, season=season) for each in climbers]
    draw.start(actor=alice, season=season)
    return stage_of(season), entries


def test_players_who_wait_are_paired_or_get_a_reason(ring, climbers):
    stage, entries = ring
    arena.wait(person=climbers[0], stage=stage)
    assert [why.code for why in arena.waiting_because(stage)] == ["arena.alone"]
    arena.wait(person=climbers[1], stage=stage)
    pairing = Pairing.objects.get(round__stage=stage)
    assert not Waiting.objects.exists()
    with pytest.raises(Refused, match="finish first"):
        arena.wait(person=climbers[0], stage=stage)
    won_by(pairing, entries[1])
    assert next((row.entrant, row.points) for row in ranking(stage)) == (entries[1].pk, 2)


def test_the_same_two_wait_for_somebody_else_and_then_not_any_longer(ring, climbers):
    stage, entries = ring
    for each in climbers[:2]:
        arena.wait(person=each, stage=stage)
    won_by(Pairing.objects.get(round__stage=stage), entries[0])
    for each in climbers[:2]:
        arena.wait(person=each, stage=stage)
    assert Pairing.objects.filter(round__stage=stage).count() == 1
    assert {why.code for why in arena.waiting_because(stage)} == {"arena.rested"}
    assert arena.sweep() == 0
    Waiting.objects.update(since=timezone.now() - timedelta(seconds=60))
    assert arena.sweep() == 1
    assert Pairing.objects.get(round__number=2).reason["code"] == "arena.again"
    assert arena.sweep() == 0


def test_an_arena_ends_with_its_season(ring, climbers):
    stage, _entries = ring
    Season.objects.update(starts_at=timezone.now() - timedelta(hours=2), ends_at=timezone.now())
    with pytest.raises(Refused, match="over"):
        arena.wait(person=climbers[0], stage=stage)


def test_who_rests_is_not_paired(ring, climbers):
    stage, _entries = ring
    arena.wait(person=climbers[0], stage=stage)
    arena.stop_waiting(person=climbers[0], stage=stage)
    arena.wait(person=climbers[1], stage=stage)
    assert not Pairing.objects.filter(round__stage=stage).exists()


def test_nothing_is_drawn_in_rounds_here(ring, alice):
    stage, _entries = ring
    with pytest.raises(Refused, match="has no rounds"):
        draw.draw_next_round(actor=alice, stage=stage)


# -- declining a challenge


def allow_declines(stage, count: int) -> None:
    stage.settings["declines"] = count
    stage.save(update_fields=["settings"])


def test_a_declined_challenge_is_off_and_everybody_keeps_their_place(rungs, climbers):
    stage, entries = rungs
    allow_declines(stage, 1)
    before = order(stage)
    made = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    with pytest.raises(NotAllowed):
        ladder.decline(person=climbers[1], challenge=made)
    declined = ladder.decline(person=climbers[0], challenge=made)
    assert ladder.decline(person=climbers[0], challenge=made) == declined
    assert order(stage) == before
    assert not ladder_order.open_challenges(stage)
    assert ladder_order.ladder_now(stage).reasons[-1].code == "ladder.declined"
    assert actions_of(stage.division.season.league.club).count("leagues.challenge-declined") == 1
    assert Notice.objects.get(user=climbers[1]).kind == "leagues.challenge-declined"
    assert not Notice.objects.filter(user=climbers[0], kind="leagues.challenged", read_at=None).exists()
    with pytest.raises(Refused, match="no longer open"):
        ladder.answer(person=climbers[0], challenge=made)


def test_only_so_many_in_a_row(rungs, climbers):
    stage, entries = rungs
    allow_declines(stage, 1)
    ladder.decline(person=climbers[0], challenge=ladder.challenge(person=climbers[1], stage=stage, target=entries[0]))
    again = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    with pytest.raises(Refused, match="declined 1 challenge in a row"):
        ladder.decline(person=climbers[0], challenge=again)
    # Playing one starts the count anew.
    won_by(ladder.answer(person=climbers[0], challenge=again), entries[0])
    third = ladder.challenge(person=climbers[2], stage=stage, target=entries[0])
    assert ladder.decline(person=climbers[0], challenge=third).declined_at


@pytest.mark.parametrize("settings", [{"reach": 2, "days": 7}, {"reach": 2, "days": 7, "declines": 0}])
def test_not_where_the_rules_do_not_allow_it(rungs, climbers, settings):
    """Nor on a ladder from before there was such a setting."""
    stage, entries = rungs
    stage.settings = settings
    stage.save(update_fields=["settings"])
    made = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    with pytest.raises(Refused, match="cannot be declined"):
        ladder.decline(person=climbers[0], challenge=made)
    page = logged_in(climbers[0]).get(stage.division.season.get_absolute_url()).text
    assert "cannot be declined" in page
    assert f"/challenges/{made.pk}/decline/" not in page
    assert Challenge.objects.get(pk=made.pk).ended_at is None


def test_neither_what_was_accepted_nor_what_lapsed(rungs, climbers):
    stage, entries = rungs
    allow_declines(stage, 5)
    made = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    ladder.answer(person=climbers[0], challenge=made)
    with pytest.raises(Refused, match="You have accepted"):
        ladder.decline(person=climbers[0], challenge=made)
    late = ladder.challenge(person=climbers[2], stage=stage, target=entries[0])
    Challenge.objects.filter(pk=late.pk).update(made_at=timezone.now() - timedelta(days=8))
    with pytest.raises(Refused, match="no longer open"):
        ladder.decline(person=climbers[0], challenge=late)
    assert [each.pk for each in ladder_order.open_challenges(stage)] == [made.pk]


def test_home_says_who_challenges_and_until_when(rungs, climbers):
    stage, entries = rungs
    allow_declines(stage, 1)
    made = ladder.challenge(person=climbers[2], stage=stage, target=entries[1])
    until = ladder_order.answer_by(stage, made)
    assert until > made.made_at + timedelta(days=6)
    assert order(stage)[1] == entries[1].pk
    assert ladder_order.ladder_now(stage, until - timedelta(minutes=1)).ladder.open
    assert not ladder_order.ladder_now(stage, until).ladder.open
    when = format_datetime(until)
    assert f"climber-3 challenges you: answer by {when}, or they win." in logged_in(climbers[1]).get("/").text
    assert f"You have challenged climber-2, who can answer until {when}." in logged_in(climbers[2]).get("/").text
    # The same while they play another table of the ladder.
    ladder.answer(person=climbers[0], challenge=ladder.challenge(person=climbers[1], stage=stage, target=entries[0]))
    words = logged_in(climbers[1]).get("/").text
    assert "you play climber-1" in words
    assert "climber-3 challenges you" in words


def test_declined_by_page_and_by_program(rungs, climbers):
    stage, entries = rungs
    allow_declines(stage, 2)
    season = stage.division.season
    first = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    path = reverse("leagues:challenge-decline", args=[season.league.slug, season.number, first.pk])
    assert path in logged_in(climbers[0]).get(season.get_absolute_url()).text
    assert path not in logged_in(climbers[1]).get(season.get_absolute_url()).text
    assert logged_in(climbers[1]).post(path).status_code == 403
    assert logged_in(climbers[0]).post(path).status_code == 302
    assert Challenge.objects.get(pk=first.pk).declined_at
    second = ladder.challenge(person=climbers[2], stage=stage, target=entries[0])
    (listed,) = Program().get(f"/stages/{stage.pk}/challenges/").json()["results"]
    assert datetime.fromisoformat(listed["answer_by"]) == ladder_order.answer_by(stage, second)
    assert Program(climbers[2]).post(f"/challenges/{second.pk}/decline/").status_code == 403
    assert Program(climbers[0]).post(f"/challenges/{second.pk}/decline/").json()["declined_at"]
    third = ladder.challenge(person=climbers[1], stage=stage, target=entries[0])
    assert Program(climbers[0]).post(f"/challenges/{third.pk}/decline/").status_code == 409
    League.objects.update(is_private=True)
    assert Program(create_user("outsider")).post(f"/challenges/{third.pk}/decline/").status_code == 404


# -- the end of an arena, and the way to the table


def test_nobody_is_paired_when_time_is_up(ring, climbers):
    stage, entries = ring
    arena.wait(person=climbers[0], stage=stage)
    Waiting.objects.create(stage=stage, entrant=entries[1])
    Season.objects.update(starts_at=timezone.now() - timedelta(hours=2), ends_at=timezone.now())
    assert arena.sweep() == 0
    assert not Waiting.objects.exists()
    assert not Pairing.objects.exists()
    page = logged_in(climbers[0]).get(stage.division.season.get_absolute_url()).text
    assert "Time is up" in page
    assert "I am ready to play" not in page


def test_an_arena_has_no_challenges(ring):
    stage, _entries = ring
    assert Program().get(f"/stages/{stage.pk}/challenges/").json()["results"] == []


def test_the_page_says_when_it_ends(ring, climbers, alice):
    stage, _entries = ring
    season = stage.division.season
    assert "It has no end time yet" in logged_in(alice).get(season.get_absolute_url()).text
    Season.objects.update(ends_at=timezone.now() + timedelta(hours=2))
    page = logged_in(climbers[0]).get(season.get_absolute_url()).text
    assert "data-countdown=" in page
    assert "The arena ends on" in logged_in(climbers[0]).get("/").text


def test_whoever_waits_is_taken_to_the_table(ring, climbers, alice):
    stage, _entries = ring
    season = stage.division.season
    path = reverse("leagues:wait", args=[season.league.slug, season.number, stage.pk])
    asks = {"waits": str(stage.pk)}
    live = {"HX-Request": "true"}
    one, other = logged_in(climbers[0]), logged_in(climbers[1])
    assert one.post(path).url == season.get_absolute_url()
    assert f'name="waits" value="{stage.pk}"' in one.get(season.get_absolute_url()).text
    assert "HX-Redirect" not in one.get(season.get_absolute_url(), asks, headers=live)
    answer = other.post(path)
    table = Pairing.objects.get(round__stage=stage)
    assert answer.url == table.get_absolute_url()
    assert one.get(season.get_absolute_url(), asks, headers=live)["HX-Redirect"] == table.get_absolute_url()
    # Not a page that does not wait, nor somebody else, nor nonsense.
    assert "HX-Redirect" not in one.get(season.get_absolute_url(), headers=live)
    assert "HX-Redirect" not in one.get(season.get_absolute_url(), asks)
    assert "HX-Redirect" not in logged_in(alice).get(season.get_absolute_url(), asks, headers=live)
    for nonsense in ("0", "x", "9" * 30, "-1", ""):
        assert "HX-Redirect" not in one.get(season.get_absolute_url(), {"waits": nonsense}, headers=live)
    assert other.post(path).url == table.get_absolute_url()


def test_the_match_starts_at_once_if_both_are_here(ring, climbers):
    stage, _entries = ring
    Season.objects.update(where="online", clock="live", bank=600)
    for each in climbers[:2]:
        presence.record(each, here=True)
        arena.wait(person=each, stage=Stage.objects.get(pk=stage.pk))
    table = Pairing.objects.get(round__stage=stage)
    assert table.match is not None
    assert not Notice.objects.filter(kind="leagues.table-open").exists()
    presence.record(climbers[0], here=False)
    presence.record(climbers[1], here=False)
    for each in climbers[2:4]:
        arena.wait(person=each, stage=Stage.objects.get(pk=stage.pk))
    waiting = Pairing.objects.get(round__stage=stage, round__number=2)
    assert waiting.match is None
    assert Notice.objects.filter(kind="leagues.table-open").count() == 2
    told = Program(climbers[4]).post(f"/stages/{stage.pk}/waiting/").json()
    assert told["pairing"] is None
