"""Formats without rounds: the ladder's order follows from its events, the arena pairs those who wait."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.entries import registration, withdrawal
from leagues.models import Challenge, Pairing, Season, Waiting
from leagues.rounds import arena, draw, ladder
from leagues.standings import ladder_order
from leagues.standings.ranking import ranking
from tests.factories import confirm_result, create_user, draft_season, enter, stage_of


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
