"""Agreeing on a time: who may suggest what, what fixes it, and what does not."""

import pytest
from django.db import IntegrityError, transaction

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Notice
from leagues.entries import registration
from leagues.models import Entrant, Extension, Pairing, Presence, TimeProposal
from leagues.rounds import draw, ladder, tables
from leagues.standings import ladder_order
from leagues.windows import time_proposals
from tests.factories import draft_season, stage_of
from tests.leagues.windows.conftest import DAY, ENDS, HOUR, NOON, TERMS, fresh, seated

FRIDAY = NOON + 4 * DAY


def times(proposal: TimeProposal) -> list:
    return list(proposal.times.order_by("number"))


def time_notices(person) -> list[str]:
    rows = Notice.objects.filter(user=person, kind__startswith="leagues.time").order_by("pk")
    return [kind.removeprefix("leagues.time-") for kind in rows.values_list("kind", flat=True)]


def test_the_last_yes_fixes_the_time(pairing, alice, bob):
    proposal = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY, FRIDAY + DAY])
    assert time_notices(bob) == ["proposed"]
    assert fresh(pairing).starts_at is None
    time_proposals.accept(person=bob, time=times(proposal)[1])
    agreed = fresh(pairing)
    assert (agreed.starts_at, agreed.revision) == (FRIDAY + DAY, pairing.revision + 1)
    proposal.refresh_from_db()
    assert (proposal.status, proposal.agreed, proposal.ended_by) == ("accepted", FRIDAY + DAY, bob)
    assert time_notices(alice) == ["agreed"]
    assert not Notice.objects.filter(user=bob, kind="leagues.time-proposed", read_at=None).exists()
    assert AuditEntry.objects.filter(action__startswith="leagues.time-").count() == 2


def test_everybody_has_to_agree_on_the_same_time(clock, league, alice, bob, charlie):
    pairing = seated(league, alice, [alice, bob, charlie])
    early, late = times(time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY, FRIDAY + DAY]))
    time_proposals.accept(person=bob, time=early)
    time_proposals.accept(person=charlie, time=late)
    assert fresh(pairing).starts_at is None
    time_proposals.accept(person=bob, time=late)
    assert fresh(pairing).starts_at == late.starts_at


def test_bots_always_agree(clock, league, alice):
    pairing = seated(league, alice, [alice], bots=1)
    proposal = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    assert proposal.status == "accepted"
    assert fresh(pairing).starts_at == FRIDAY


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ([NOON], "already over"),
        ([NOON - HOUR], "already over"),
        ([ENDS], "has to be played before"),
        ([], "one time, or up to three"),
        ([FRIDAY + n * HOUR for n in range(4)], "one time, or up to three"),
    ],
)
def test_times_that_cannot_be(pairing, alice, wanted, words):
    with pytest.raises(Refused, match=words):
        time_proposals.propose(person=alice, pairing=pairing, times=wanted)
    assert not TimeProposal.objects.exists()


def test_nobody_plays_at_two_tables_at_once(pairing, league, alice, bob, charlie):
    """In any league, and whoever accepted first."""
    other = seated(league, alice, [bob, charlie])
    first = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    second = time_proposals.propose(person=charlie, pairing=other, times=[FRIDAY + HOUR / 2, FRIDAY + HOUR])
    time_proposals.accept(person=bob, time=times(first)[0])
    with pytest.raises(Refused, match=r"Already at another table.*bob"):
        time_proposals.accept(person=bob, time=times(second)[0])
    time_proposals.accept(person=bob, time=times(second)[1])
    assert fresh(other).starts_at == FRIDAY + HOUR
    with pytest.raises(Refused, match=r"Already at another table.*bob"):
        time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY + HOUR])


def test_only_those_at_the_table(pairing, alice, charlie, olga):
    for stranger in (charlie, olga):
        with pytest.raises(NotAllowed):
            time_proposals.propose(person=stranger, pairing=pairing, times=[FRIDAY])
    proposal = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(NotAllowed):
        time_proposals.accept(person=charlie, time=times(proposal)[0])
    with pytest.raises(NotAllowed):
        time_proposals.decline(person=charlie, proposal=proposal)
    with pytest.raises(NotAllowed):
        time_proposals.withdraw(person=charlie, proposal=proposal)


def test_one_suggestion_at_a_time(pairing, alice, bob):
    time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(Refused, match="answer that first"):
        time_proposals.propose(person=bob, pairing=pairing, times=[FRIDAY])
    with pytest.raises(IntegrityError), transaction.atomic():
        TimeProposal.objects.create(pairing=pairing, by=bob)
    with transaction.atomic():
        Extension.objects.create(pairing=pairing, cause="player", asked_by=bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Extension.objects.create(pairing=pairing, cause="player", asked_by=bob)


def test_a_counter_proposal_is_both_or_neither(pairing, alice, bob):
    proposal = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(Refused, match="yourself"):
        time_proposals.decline(person=alice, proposal=proposal)
    with pytest.raises(Refused, match="already over"):
        time_proposals.decline(person=bob, proposal=proposal, times=[NOON - HOUR])
    proposal.refresh_from_db()
    assert proposal.is_open
    counter = time_proposals.decline(person=bob, proposal=proposal, times=[FRIDAY + 2 * HOUR])
    proposal.refresh_from_db()
    assert (proposal.status, proposal.ended_by, counter.by) == ("declined", bob, bob)
    time_proposals.accept(person=alice, time=times(counter)[0])
    assert fresh(pairing).starts_at == FRIDAY + 2 * HOUR
    with pytest.raises(Refused, match="no longer open"):
        time_proposals.accept(person=bob, time=times(proposal)[0])


def test_declined_and_taken_back(pairing, alice, bob):
    assert (
        time_proposals.decline(
            person=bob, proposal=time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
        )
        is None
    )
    assert time_notices(alice) == ["declined"]
    again = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(Refused, match="Only the player who suggested"):
        time_proposals.withdraw(person=bob, proposal=again)
    assert time_proposals.withdraw(person=alice, proposal=again).status == "withdrawn"
    assert not Notice.objects.filter(user=bob, kind="leagues.time-proposed", read_at=None).exists()


def test_an_agreed_time_stays_until_another_is_agreed(pairing, alice, bob):
    first = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    time_proposals.accept(person=bob, time=times(first)[0])
    second = time_proposals.propose(person=bob, pairing=pairing, times=[FRIDAY + DAY])
    assert fresh(pairing).starts_at == FRIDAY
    time_proposals.decline(person=alice, proposal=second)
    assert fresh(pairing).starts_at == FRIDAY
    third = time_proposals.propose(person=bob, pairing=pairing, times=[FRIDAY + 2 * DAY])
    time_proposals.accept(person=alice, time=times(third)[0])
    assert fresh(pairing).starts_at == FRIDAY + 2 * DAY
    assert list(TimeProposal.objects.order_by("pk").values_list("status", flat=True)) == [
        "replaced",
        "declined",
        "accepted",
    ]


def test_a_time_that_is_over_is_not_accepted(pairing, clock, alice, bob):
    proposal = time_proposals.propose(person=alice, pairing=pairing, times=[NOON + HOUR, FRIDAY])
    clock.move_to(NOON + 2 * HOUR, tick=False)
    with pytest.raises(Refused, match="already over"):
        time_proposals.accept(person=bob, time=times(proposal)[0])
    clock.move_to(NOON + 3 * DAY, tick=False)
    with pytest.raises(Refused, match="no longer open"):
        time_proposals.accept(person=bob, time=times(proposal)[1])


def test_being_there_early_is_not_being_there(pairing, clock, alice, bob):
    """A player who checked in before a time was agreed, or long before it, is asked again."""
    tables.mark_present(person=alice, pairing=pairing)
    time_proposals.accept(
        person=bob, time=times(time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY]))[0]
    )
    assert not Presence.objects.exists()
    tables.mark_present(person=alice, pairing=pairing)
    clock.move_to(FRIDAY - HOUR / 4, tick=False)
    tables.mark_present(person=bob, pairing=pairing)
    assert fresh(pairing).match is None
    tables.mark_present(person=alice, pairing=pairing)
    assert fresh(pairing).state == Pairing.State.PLAYING
    with pytest.raises(Refused, match="no time to agree on"):
        time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY + DAY])


def test_a_window_ends_at_the_same_hour_of_the_clubs_clock(clock, league, alice, bob):
    """Eight days across the end of summer time are an hour longer."""
    from datetime import UTC, datetime

    league.club.time_zone = "Europe/Rome"
    league.club.save()
    clock.move_to(datetime(2026, 10, 20, 18, tzinfo=UTC), tick=False)
    assert seated(league, alice, [alice, bob]).deadline == datetime(2026, 10, 28, 19, tzinfo=UTC)


def test_a_deadline_that_is_over_is_a_typing_error(clock, league, alice, bob):
    season = draft_season(league, alice, "swiss", planned=1, **TERMS)
    for each in (alice, bob):
        registration.register(person=each, season=season)
    draw.start(actor=alice, season=season)
    round_ = draw.draw_next_round(actor=alice, stage=stage_of(season))
    with pytest.raises(Refused, match="already passed"):
        draw.publish(actor=alice, round=round_, closes_at=NOON - DAY)
    assert draw.publish(actor=alice, round=round_, closes_at=NOON + DAY).closes_at == NOON + DAY


def test_an_answered_challenge_has_a_window(clock, league, alice, bob):
    season = draft_season(league, alice, "ladder", **TERMS)
    for each in (alice, bob):
        registration.register(person=each, season=season)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    first, second = (
        Entrant.objects.select_related("user").get(pk=who) for who in ladder_order.ladder_now(stage).ladder.order
    )
    made = ladder.challenge(person=second.user, stage=stage, target=first)
    assert ladder.answer(person=first.user, challenge=made).deadline == ENDS


def test_a_seat_that_was_given_up_has_no_say(clock, league, alice, bob, charlie):
    pairing = seated(league, alice, [alice, bob, charlie])
    pairing.seats.filter(entrant__user=charlie).update(absent=True)
    with pytest.raises(Refused, match="given up"):
        time_proposals.propose(person=charlie, pairing=pairing, times=[FRIDAY])
    time_proposals.accept(
        person=bob, time=times(time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY]))[0]
    )
    assert fresh(pairing).starts_at == FRIDAY


def test_no_window_at_the_club_and_none_that_was_not_asked_for(clock, league, alice, bob):
    at_the_club = seated(league, alice, [alice, bob], where="club")
    assert at_the_club.deadline is None
    with pytest.raises(Refused, match="no time to agree on"):
        time_proposals.propose(person=alice, pairing=at_the_club, times=[FRIDAY])
    unlimited = seated(league, alice, [alice, bob], window_days=0)
    assert unlimited.deadline is None
    assert time_proposals.propose(person=alice, pairing=unlimited, times=[FRIDAY + 30 * DAY])
