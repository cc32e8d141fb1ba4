"""Agreeing on a time: who may suggest what, what fixes it, and what does not."""

import pytest
from django.db import IntegrityError, transaction

from accounts.access import NotAllowed
from accounts.errors import Refused
from accounts.models import AuditEntry, Notice
from leagues import draw, enrol, ladder, tables
from leagues.models import Entrant, Extension, Pairing, Presence, TimeProposal
from leagues.scheduling import proposals
from tests.leagues.conftest import drafted, stage_of
from tests.leagues.windows.conftest import DAY, ENDS, HOUR, NOON, TERMS, fresh, seated

FRIDAY = NOON + 4 * DAY


def times(proposal: TimeProposal) -> list:
    return list(proposal.times.order_by("number"))


def told(person) -> list[str]:
    rows = Notice.objects.filter(user=person, kind__startswith="leagues.time").order_by("pk")
    return [kind.removeprefix("leagues.time-") for kind in rows.values_list("kind", flat=True)]


def test_the_last_yes_fixes_the_time(pairing, alice, bob):
    proposal = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY, FRIDAY + DAY])
    assert told(bob) == ["proposed"]
    assert fresh(pairing).starts_at is None
    proposals.accept(person=bob, time=times(proposal)[1])
    agreed = fresh(pairing)
    assert (agreed.starts_at, agreed.revision) == (FRIDAY + DAY, pairing.revision + 1)
    proposal.refresh_from_db()
    assert (proposal.status, proposal.agreed, proposal.ended_by) == ("accepted", FRIDAY + DAY, bob)
    assert told(alice) == ["agreed"]
    assert not Notice.objects.filter(user=bob, kind="leagues.time-proposed", read_at=None).exists()
    assert AuditEntry.objects.filter(action__startswith="leagues.time-").count() == 2


def test_everybody_has_to_agree_on_the_same_time(clock, league, alice, bob, charlie):
    pairing = seated(league, alice, [alice, bob, charlie])
    early, late = times(proposals.propose(person=alice, pairing=pairing, times=[FRIDAY, FRIDAY + DAY]))
    proposals.accept(person=bob, time=early)
    proposals.accept(person=charlie, time=late)
    assert fresh(pairing).starts_at is None
    proposals.accept(person=bob, time=late)
    assert fresh(pairing).starts_at == late.starts_at


def test_bots_always_agree(clock, league, alice):
    pairing = seated(league, alice, [alice], bots=1)
    proposal = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
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
        proposals.propose(person=alice, pairing=pairing, times=wanted)
    assert not TimeProposal.objects.exists()


def test_nobody_plays_at_two_tables_at_once(pairing, league, alice, bob, charlie):
    """Whatever league the other table is of, and whoever accepted first."""
    other = seated(league, alice, [bob, charlie])
    first = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    second = proposals.propose(person=charlie, pairing=other, times=[FRIDAY + HOUR / 2, FRIDAY + HOUR])
    proposals.accept(person=bob, time=times(first)[0])
    with pytest.raises(Refused, match=r"Already at another table.*bob"):
        proposals.accept(person=bob, time=times(second)[0])
    proposals.accept(person=bob, time=times(second)[1])
    assert fresh(other).starts_at == FRIDAY + HOUR
    with pytest.raises(Refused, match=r"Already at another table.*bob"):
        proposals.propose(person=alice, pairing=pairing, times=[FRIDAY + HOUR])


def test_only_those_at_the_table(pairing, alice, charlie, olga):
    for stranger in (charlie, olga):
        with pytest.raises(NotAllowed):
            proposals.propose(person=stranger, pairing=pairing, times=[FRIDAY])
    proposal = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(NotAllowed):
        proposals.accept(person=charlie, time=times(proposal)[0])
    with pytest.raises(NotAllowed):
        proposals.decline(person=charlie, proposal=proposal)
    with pytest.raises(NotAllowed):
        proposals.withdraw(person=charlie, proposal=proposal)


def test_one_suggestion_at_a_time(pairing, alice, bob):
    proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(Refused, match="answer that first"):
        proposals.propose(person=bob, pairing=pairing, times=[FRIDAY])
    with pytest.raises(IntegrityError), transaction.atomic():
        TimeProposal.objects.create(pairing=pairing, by=bob)
    with transaction.atomic():
        Extension.objects.create(pairing=pairing, cause="player", asked_by=bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Extension.objects.create(pairing=pairing, cause="player", asked_by=bob)


def test_a_counter_proposal_is_both_or_neither(pairing, alice, bob):
    proposal = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(Refused, match="yourself"):
        proposals.decline(person=alice, proposal=proposal)
    with pytest.raises(Refused, match="already over"):
        proposals.decline(person=bob, proposal=proposal, times=[NOON - HOUR])
    proposal.refresh_from_db()
    assert proposal.is_open
    counter = proposals.decline(person=bob, proposal=proposal, times=[FRIDAY + 2 * HOUR])
    proposal.refresh_from_db()
    assert (proposal.status, proposal.ended_by, counter.by) == ("declined", bob, bob)
    proposals.accept(person=alice, time=times(counter)[0])
    assert fresh(pairing).starts_at == FRIDAY + 2 * HOUR
    with pytest.raises(Refused, match="no longer open"):
        proposals.accept(person=bob, time=times(proposal)[0])


def test_declined_and_taken_back(pairing, alice, bob):
    assert (
        proposals.decline(person=bob, proposal=proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])) is None
    )
    assert told(alice) == ["declined"]
    again = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    with pytest.raises(Refused, match="Only who suggested"):
        proposals.withdraw(person=bob, proposal=again)
    assert proposals.withdraw(person=alice, proposal=again).status == "withdrawn"
    assert not Notice.objects.filter(user=bob, kind="leagues.time-proposed", read_at=None).exists()


def test_an_agreed_time_stays_until_another_is_agreed(pairing, alice, bob):
    first = proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
    proposals.accept(person=bob, time=times(first)[0])
    second = proposals.propose(person=bob, pairing=pairing, times=[FRIDAY + DAY])
    assert fresh(pairing).starts_at == FRIDAY
    proposals.decline(person=alice, proposal=second)
    assert fresh(pairing).starts_at == FRIDAY
    third = proposals.propose(person=bob, pairing=pairing, times=[FRIDAY + 2 * DAY])
    proposals.accept(person=alice, time=times(third)[0])
    assert fresh(pairing).starts_at == FRIDAY + 2 * DAY
    assert list(TimeProposal.objects.order_by("pk").values_list("status", flat=True)) == [
        "replaced",
        "declined",
        "accepted",
    ]


def test_a_time_that_is_over_is_not_accepted(pairing, clock, alice, bob):
    proposal = proposals.propose(person=alice, pairing=pairing, times=[NOON + HOUR, FRIDAY])
    clock.move_to(NOON + 2 * HOUR, tick=False)
    with pytest.raises(Refused, match="already over"):
        proposals.accept(person=bob, time=times(proposal)[0])
    clock.move_to(NOON + 3 * DAY, tick=False)
    with pytest.raises(Refused, match="no longer open"):
        proposals.accept(person=bob, time=times(proposal)[1])


def test_being_there_early_is_not_being_there(pairing, clock, alice, bob):
    """Whoever said so before a time was agreed, or long before it, is asked again."""
    tables.here(person=alice, pairing=pairing)
    proposals.accept(person=bob, time=times(proposals.propose(person=alice, pairing=pairing, times=[FRIDAY]))[0])
    assert not Presence.objects.exists()
    tables.here(person=alice, pairing=pairing)
    clock.move_to(FRIDAY - HOUR / 4, tick=False)
    tables.here(person=bob, pairing=pairing)
    assert fresh(pairing).match is None
    tables.here(person=alice, pairing=pairing)
    assert fresh(pairing).state == Pairing.State.PLAYING
    with pytest.raises(Refused, match="no time to agree on"):
        proposals.propose(person=alice, pairing=pairing, times=[FRIDAY + DAY])


def test_a_window_ends_at_the_same_hour_of_the_clubs_clock(clock, league, alice, bob):
    """Eight days across the end of summer time are an hour longer."""
    from datetime import UTC, datetime

    league.club.time_zone = "Europe/Rome"
    league.club.save()
    clock.move_to(datetime(2026, 10, 20, 18, tzinfo=UTC), tick=False)
    assert seated(league, alice, [alice, bob]).deadline == datetime(2026, 10, 28, 19, tzinfo=UTC)


def test_a_deadline_that_is_over_is_a_typing_error(clock, league, alice, bob):
    season = drafted(league, alice, "swiss", planned=1, **TERMS)
    for each in (alice, bob):
        enrol.register(person=each, season=season)
    draw.start(actor=alice, season=season)
    round_ = draw.pair(actor=alice, stage=stage_of(season))
    with pytest.raises(Refused, match="already over"):
        draw.publish(actor=alice, round=round_, closes_at=NOON - DAY)
    assert draw.publish(actor=alice, round=round_, closes_at=NOON + DAY).closes_at == NOON + DAY


def test_an_answered_challenge_has_a_window(clock, league, alice, bob):
    season = drafted(league, alice, "ladder", **TERMS)
    for each in (alice, bob):
        enrol.register(person=each, season=season)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    first, second = (Entrant.objects.select_related("user").get(pk=who) for who in ladder.standing(stage).ladder.order)
    made = ladder.challenge(person=second.user, stage=stage, target=first)
    assert ladder.answer(person=first.user, challenge=made).deadline == ENDS


def test_a_seat_that_was_given_up_has_no_say(clock, league, alice, bob, charlie):
    pairing = seated(league, alice, [alice, bob, charlie])
    pairing.seats.filter(entrant__user=charlie).update(absent=True)
    with pytest.raises(Refused, match="given up"):
        proposals.propose(person=charlie, pairing=pairing, times=[FRIDAY])
    proposals.accept(person=bob, time=times(proposals.propose(person=alice, pairing=pairing, times=[FRIDAY]))[0])
    assert fresh(pairing).starts_at == FRIDAY


def test_no_window_at_the_club_and_none_that_was_not_asked_for(clock, league, alice, bob):
    at_the_club = seated(league, alice, [alice, bob], where="club")
    assert at_the_club.deadline is None
    with pytest.raises(Refused, match="no time to agree on"):
        proposals.propose(person=alice, pairing=at_the_club, times=[FRIDAY])
    unlimited = seated(league, alice, [alice, bob], window_days=0)
    assert unlimited.deadline is None
    assert proposals.propose(person=alice, pairing=unlimited, times=[FRIDAY + 30 * DAY])
