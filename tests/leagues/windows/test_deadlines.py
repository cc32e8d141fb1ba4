"""What happens automatically: at the agreed time, at the deadline, a day before it, and never twice."""

from typing import Any

import pytest

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Notice
from games.models import Match
from leagues import tasks
from leagues.models import Extension, Pairing, PairingSeat, Reminder, Result, TimeProposal
from leagues.results import reporting
from leagues.rounds import tables
from leagues.seasons import undo
from leagues.windows import deadlines, extensions, outcomes, time_proposals
from tests.factories import create_user, finished_match
from tests.leagues.windows.conftest import DAY, ENDS, HOUR, NOON, fresh, kinds, seated

FRIDAY = NOON + 4 * DAY
MINUTES = HOUR / 60


def at(clock, moment) -> int:
    """Move the clock to a time and run the sweep."""
    clock.move_to(moment, tick=False)
    tasks.deadlines()
    before = picture()
    tasks.deadlines()
    assert picture() == before
    return deadlines.sweep()


def picture() -> list:
    """Everything that a sweep could change."""
    rows: list[Any] = [Pairing, PairingSeat, Result, TimeProposal, Extension, Reminder, Notice, AuditEntry, Match]
    return [list(model.objects.order_by("pk").values()) for model in rows]


def agree(pairing: Pairing, one, *others, moment=FRIDAY) -> None:
    time = time_proposals.propose(person=one, pairing=pairing, times=[moment]).times.get()
    for other in others:
        time_proposals.accept(person=other, time=time)


def count_notices(who, kind: str) -> int:
    return Notice.objects.filter(user=who, kind=f"leagues.{kind}").count()


class TestAtTheDeadline:
    def test_who_did_not_answer_loses_to_who_asked(self, pairing, clock, alice, bob):
        proposal = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
        at(clock, NOON + 2 * DAY)
        proposal.refresh_from_db()
        assert (proposal.status, fresh(pairing).state) == ("lapsed", "scheduled")
        at(clock, ENDS)
        assert kinds(pairing) == {"alice": "FW", "bob": "FL"}
        result = pairing.results.get()
        assert (result.source, result.by, result.note) == ("forfeit", None, outcomes.SILENT)
        assert "in favour of who suggested it" in result.note
        assert count_notices(bob, "deadline-decided") == count_notices(alice, "deadline-decided") == 1

    def test_both_did_nothing_and_both_lose(self, pairing, clock):
        at(clock, ENDS - MINUTES)
        assert fresh(pairing).is_open
        at(clock, ENDS)
        assert kinds(pairing) == {"alice": "FL", "bob": "FL"}
        assert pairing.results.get().note == outcomes.NOBODY

    def test_both_did_something_and_an_organiser_is_asked(self, pairing, clock, alice, bob, olga):
        time_proposals.decline(
            person=bob, proposal=time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
        )
        at(clock, ENDS)
        (request,) = extensions.waiting(pairing.round.stage.division.season)
        assert (request.pairing, request.cause, request.asked_by) == (pairing, "unplayed", None)
        assert count_notices(olga, "unplayed") == 1
        extensions.refuse(actor=olga, extension=request)
        assert kinds(pairing) == {"alice": "FL", "bob": "FL"}
        assert pairing.results.get().note == outcomes.OUT_OF_TIME

    def test_what_was_taken_back_was_not_done(self, pairing, clock, alice, bob):
        time_proposals.withdraw(
            person=alice, proposal=time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY])
        )
        tables.mark_present(person=bob, pairing=pairing)
        at(clock, ENDS)
        assert kinds(pairing) == {"alice": "FL", "bob": "FW"}
        assert pairing.results.get().note == outcomes.IDLE

    def test_the_policy_may_be_to_ask(self, clock, league, alice, bob, olga):
        pairing = seated(league, alice, [alice, bob], on_unplayed="ask")
        tables.mark_present(person=alice, pairing=pairing)
        at(clock, ENDS)
        request = Extension.objects.get(status="open")
        with pytest.raises(NotAllowed):
            extensions.refuse(actor=bob, extension=request)
        extensions.refuse(actor=olga, extension=request)
        extensions.refuse(actor=olga, extension=request)
        assert kinds(pairing) == {"alice": "FW", "bob": "FL"}

    @pytest.mark.parametrize("policy", ["bot", "forfeit"])
    def test_at_a_larger_table_the_others_play_with_a_stand_in(self, clock, league, alice, bob, charlie, policy):
        pairing = seated(league, alice, [alice, bob, charlie], on_unplayed=policy)
        time = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY]).times.get()
        time_proposals.accept(person=bob, time=time)
        at(clock, ENDS)
        table = fresh(pairing)
        assert list(table.seats.filter(absent=True).values_list("entrant__user__handle", flat=True)) == ["charlie"]
        assert (table.state, table.deadline) == ("scheduled", ENDS + 2 * DAY)
        for somebody in (alice, bob):
            tables.mark_present(person=somebody, pairing=table)
        match = fresh(pairing).match
        assert [seat.is_bot for seat in match.seats.order_by("index")] == [
            seat.absent for seat in pairing.seats.order_by("index")
        ]
        reporting.accept_match_result(finished_match(match))
        assert kinds(pairing) == {"alice": "PLAYED", "bob": "PLAYED", "charlie": "FL"}

    def test_who_gets_more_time_and_does_nothing_loses_too(self, clock, league, alice, bob, charlie):
        pairing = seated(league, alice, [alice, bob, charlie])
        time = time_proposals.propose(person=alice, pairing=pairing, times=[FRIDAY]).times.get()
        time_proposals.accept(person=bob, time=time)
        at(clock, ENDS)
        time_proposals.propose(person=bob, pairing=fresh(pairing), times=[ENDS + DAY])
        at(clock, ENDS + 2 * DAY)
        assert kinds(pairing) == {"alice": "FL", "bob": "FW", "charlie": "FL"}

    def test_others_who_are_there_begin_at_once(self, clock, league, alice, bob, charlie):
        pairing = seated(league, alice, [alice, bob, charlie], on_unplayed="bot")
        clock.move_to(ENDS - 10 * MINUTES, tick=False)
        for somebody in (alice, bob):
            tables.mark_present(person=somebody, pairing=pairing)
        at(clock, ENDS)
        assert fresh(pairing).match.is_playing
        assert fresh(pairing).deadline > ENDS

    def test_who_was_there_a_week_ago_is_not_there(self, clock, league, alice, bob, charlie):
        pairing = seated(league, alice, [alice, bob, charlie], on_unplayed="bot")
        for somebody in (alice, bob):
            tables.mark_present(person=somebody, pairing=pairing)
        at(clock, ENDS)
        assert (fresh(pairing).match, fresh(pairing).deadline) == (None, ENDS + 2 * DAY)

    def test_bots_do_not_wait_for_ever(self, clock, league, alice):
        pairing = seated(league, alice, [alice], bots=1)
        at(clock, ENDS)
        assert sorted(kinds(pairing).values()) == ["FL", "FW"]

    def test_a_table_at_the_club_is_the_organisers(self, clock, league, alice, bob, olga):
        """In a season with both kinds of tables: only organisers know who came to the club."""
        pairing = seated(league, alice, [alice, bob], where="both")
        assert pairing.where == "club"
        at(clock, ENDS)
        request = Extension.objects.get(status="open")
        with pytest.raises(Refused, match="Only you can decide"):
            extensions.refuse(actor=alice, extension=request)
        reporting.report(person=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
        at(clock, ENDS + HOUR)
        request.refresh_from_db()
        assert request.status == "open", "Alice plays here: somebody else has to say so too"
        reporting.enter_result(actor=olga, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
        at(clock, ENDS + 2 * HOUR)
        request.refresh_from_db()
        assert request.status == "dropped"

    def test_a_report_that_nobody_confirms_goes_to_the_organisers(self, clock, league, alice, bob):
        pairing = seated(league, alice, [alice, bob], where="both")
        reporting.report(person=bob, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
        at(clock, ENDS)
        assert Extension.objects.get(status="open").cause == "reported"

    def test_nothing_happens_where_there_is_no_window(self, clock, league, alice, bob):
        for terms in ({"window_days": 0}, {"where": "club"}):
            pairing = seated(league, alice, [alice, bob], **terms)
            at(clock, NOON + 400 * DAY)
            assert fresh(pairing).is_open
            clock.move_to(NOON, tick=False)
        assert not Extension.objects.exists()

    def test_undone_it_waits_for_an_organiser(self, pairing, clock, alice, olga):
        tables.mark_present(person=alice, pairing=pairing)
        at(clock, ENDS)
        season = pairing.round.stage.division.season
        step = next(each for each in undo.recent(season=season) if each.undoable.kind == "deadline")
        assert step.words.startswith("Table 1 of round 1 in Division 1 was decided without a game")
        undo.undo(actor=olga, undoable=step.undoable)
        table = fresh(pairing)
        assert (table.state, table.seats.filter(absent=True).exists()) == ("scheduled", False)
        at(clock, ENDS + HOUR)
        assert fresh(pairing).state == "scheduled"
        extensions.grant(actor=olga, pairing=table, until=ENDS + DAY)
        assert fresh(pairing).deadline == ENDS + DAY


class TestMatchesThatRun:
    def begun(self, league, alice, bob, **terms) -> Pairing:
        pairing = seated(league, alice, [alice, bob], clock="days", bank=0, days=3, **terms)
        assert pairing.match
        assert pairing.match.is_playing
        return pairing

    def test_they_are_never_cut(self, clock, league, alice, bob):
        pairing = self.begun(league, alice, bob)
        moment = ENDS
        for _time in range(deadlines.MAX_AUTOMATIC):
            at(clock, moment)
            given = fresh(pairing)
            assert (given.state, given.match.is_playing) == ("playing", True)
            assert given.deadline > moment
            moment = given.deadline
        at(clock, moment)
        request = Extension.objects.get(status="open")
        assert request.cause == "running"
        with pytest.raises(Refused, match="Only you can decide"):
            extensions.refuse(actor=alice, extension=request)
        reporting.accept_match_result(finished_match(fresh(pairing).match))
        at(clock, moment + HOUR)
        assert fresh(pairing).state == "confirmed"
        assert not Extension.objects.filter(status="open").exists()

    def test_where_the_policy_is_to_ask_an_organiser_is_asked(self, clock, league, alice, bob):
        pairing = self.begun(league, alice, bob, on_unplayed="ask")
        at(clock, ENDS)
        assert (fresh(pairing).state, Extension.objects.get().cause) == ("playing", "running")

    def test_a_result_on_its_way_is_waited_for(self, clock, league, alice, bob):
        pairing = self.begun(league, alice, bob)
        clock.move_to(ENDS - MINUTES, tick=False)
        finished_match(pairing.match)
        at(clock, ENDS)
        assert not Extension.objects.exists()


class TestNoShows:
    def test_who_comes_wins_where_the_other_does_not(self, pairing, clock, alice, bob):
        agree(pairing, alice, bob)
        clock.move_to(FRIDAY - 10 * MINUTES, tick=False)
        tables.mark_present(person=bob, pairing=pairing)
        at(clock, FRIDAY + 14 * MINUTES)
        assert fresh(pairing).is_open
        at(clock, FRIDAY + 15 * MINUTES)
        assert kinds(pairing) == {"alice": "FL", "bob": "FW"}
        assert pairing.results.get().note == outcomes.NO_SHOW

    def test_where_bots_sit_in_who_came_gets_a_game(self, clock, league, alice, bob):
        pairing = seated(league, alice, [alice, bob], on_unplayed="bot")
        agree(pairing, alice, bob)
        clock.move_to(FRIDAY, tick=False)
        tables.mark_present(person=bob, pairing=pairing)
        at(clock, FRIDAY + 15 * MINUTES)
        match = fresh(pairing).match
        assert match.is_playing
        assert {seat.bot_level for seat in match.seats.all()} == {"", tables.STAND_IN}
        reporting.accept_match_result(finished_match(match))
        assert kinds(pairing) == {"alice": "FL", "bob": "PLAYED"}

    def test_nobody_came_and_the_time_is_gone(self, pairing, clock, alice, bob):
        agree(pairing, alice, bob)
        at(clock, FRIDAY + 15 * MINUTES)
        table = fresh(pairing)
        assert (table.starts_at, table.state) == (None, "scheduled")
        assert count_notices(alice, "time-missed") == count_notices(bob, "time-missed") == 1
        assert TimeProposal.objects.get().status == "missed"
        at(clock, ENDS)
        assert kinds(pairing) == {"alice": "FL", "bob": "FL"}

    def test_an_organiser_may_be_asked(self, clock, league, alice, bob):
        pairing = seated(league, alice, [alice, bob], on_unplayed="ask")
        agree(pairing, alice, bob)
        clock.move_to(FRIDAY, tick=False)
        tables.mark_present(person=bob, pairing=pairing)
        at(clock, FRIDAY + 15 * MINUTES)
        request = Extension.objects.get()
        assert request.cause == "no-show"
        extensions.refuse(actor=alice, extension=request)
        assert kinds(pairing) == {"alice": "FL", "bob": "FW"}

    def test_at_a_larger_table_the_others_begin(self, clock, league, alice, bob, charlie):
        pairing = seated(league, alice, [alice, bob, charlie])
        agree(pairing, alice, bob, charlie)
        clock.move_to(FRIDAY, tick=False)
        for somebody in (alice, charlie):
            tables.mark_present(person=somebody, pairing=pairing)
        at(clock, FRIDAY + 15 * MINUTES)
        assert fresh(pairing).match.is_playing

    def test_nobody_looks_where_nobody_is_asked_to(self, clock, league, alice, bob):
        pairing = seated(league, alice, [alice, bob], no_show_minutes=0)
        agree(pairing, alice, bob)
        at(clock, FRIDAY + DAY)
        assert fresh(pairing).starts_at == FRIDAY


class TestMoreTime:
    def test_granted_it_moves_the_deadline(self, pairing, clock, alice, bob, olga, charlie):
        with pytest.raises(NotAllowed):
            extensions.ask(person=charlie, pairing=pairing, reason="please")
        with pytest.raises(Refused, match="Give a reason"):
            extensions.ask(person=alice, pairing=pairing, reason="  ")
        extensions.ask(person=alice, pairing=pairing, reason="I am  ill")
        with pytest.raises(Refused, match="asked for already"):
            extensions.ask(person=bob, pairing=pairing, reason="me too")
        assert count_notices(olga, "time-asked") == 1
        at(clock, ENDS + HOUR)
        assert fresh(pairing).is_open
        with pytest.raises(NotAllowed):
            extensions.grant(actor=bob, pairing=pairing, until=ENDS + 3 * DAY)
        for wrong in (ENDS, ENDS - DAY):
            with pytest.raises(Refused, match="already over"):
                extensions.grant(actor=olga, pairing=pairing, until=wrong)
        granted = extensions.grant(actor=olga, pairing=pairing, until=ENDS + 3 * DAY)
        assert (granted.status, granted.reason, granted.decided_by) == ("granted", "I am ill", olga)
        assert fresh(pairing).deadline == ENDS + 3 * DAY
        assert count_notices(bob, "more-time") == 1
        with pytest.raises(Refused, match="already"):
            extensions.grant(actor=olga, pairing=pairing, until=ENDS + 2 * DAY)
        time_proposals.propose(person=bob, pairing=fresh(pairing), times=[ENDS + 2 * DAY])
        at(clock, ENDS + 3 * DAY)
        assert kinds(pairing) == {"alice": "FL", "bob": "FW"}
        with pytest.raises(Refused, match="decided"):
            extensions.grant(actor=olga, pairing=pairing, until=ENDS + 9 * DAY)

    def test_refused_before_the_deadline_it_stays(self, pairing, clock, alice, olga):
        extensions.refuse(actor=olga, extension=extensions.ask(person=alice, pairing=pairing, reason="ill"))
        assert (fresh(pairing).state, fresh(pairing).deadline) == ("scheduled", ENDS)
        assert count_notices(alice, "time-refused") == 1
        at(clock, ENDS)
        assert kinds(pairing) == {"alice": "FW", "bob": "FL"}
        with pytest.raises(Refused, match="no deadline"):
            extensions.ask(person=alice, pairing=pairing, reason="ill")


class TestReminders:
    def test_one_a_table_a_day_before(self, pairing, clock, alice, bob, olga):
        at(clock, ENDS - 25 * HOUR)
        assert count_notices(alice, "deadline-near") == 0
        at(clock, ENDS - 24 * HOUR)
        assert count_notices(alice, "deadline-near") == count_notices(bob, "deadline-near") == 1
        extensions.grant(actor=olga, pairing=pairing, until=ENDS + 3 * DAY)
        at(clock, ENDS + 2 * DAY + HOUR)
        assert Notice.objects.filter(kind="leagues.deadline-near").count() == 2

    def test_in_the_last_quarter_of_a_short_window(self, clock, league, alice, bob):
        seated(league, alice, [alice, bob], window_days=2)
        at(clock, NOON + 35 * HOUR)
        assert count_notices(alice, "deadline-near") == 0
        at(clock, NOON + 36 * HOUR)
        assert count_notices(alice, "deadline-near") == 1


def test_a_poisonous_table_keeps_nobody_waiting(pairing, clock, league, alice, bob, charlie, monkeypatch):
    other = seated(league, alice, [charlie, create_user("dora")])
    decide = outcomes.close_window

    def poisonous(table, *args, **how):
        if table == pairing:
            raise RuntimeError("cannot be")
        return decide(table, *args, **how)

    monkeypatch.setattr(outcomes, "close_window", poisonous)
    at(clock, ENDS)
    assert (fresh(pairing).state, fresh(other).state) == ("scheduled", "confirmed")
