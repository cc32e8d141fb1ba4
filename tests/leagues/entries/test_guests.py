"""A guest gets another name, becomes a person with an account, and a guest again."""

import json
from datetime import time
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts import clubs, people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Notice, Role, User
from accounts.notifications import registry
from leagues.calendar import availability
from leagues.entries import guests, invitations, registration, withdrawal
from leagues.models import (
    Availability,
    ClubNight,
    Entrant,
    EntryConsent,
    GuestJoin,
    Pairing,
    RatedResult,
    Rating,
    Result,
    Season,
    TeamMember,
)
from leagues.ratings import pending
from leagues.results import recording, reporting
from leagues.rounds import closing, draw
from leagues.seasons import meeting_rules, setup, undo
from tests.factories import (
    GAME,
    add_guests,
    add_member,
    create_user,
    draft_season,
    enter,
    logged_in,
    next_round,
    stage_of,
    started_match,
)
from tests.leagues.calendar.conftest import one, room
from tests.security.test_erasure import columns_with

__all__ = ["room"]

pytestmark = pytest.mark.django_db


def rated() -> dict[str, tuple[Any, ...]]:
    """Everybody's numbers after all pending results."""
    for pool in pending.pools_with_pending_results():
        pending.apply_pending_results(pool_id=pool)
    rows = Rating.objects.filter(games__gt=0).select_related("user")
    return {row.user.handle: (row.rating, row.games, row.variance, row.wins) for row in rows}


def play(season: Season, olga: User) -> None:
    """Rounds of tables that the first seat wins, entered by an organiser who does not play."""
    stage = stage_of(season)
    for _number in range(3):
        round_ = next_round(olga, stage)
        for pairing in round_.pairings.all():
            reporting.enter_result(actor=olga, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
        closing.close_round(actor=olga, round=round_)


class Evening:
    """Bob, Alice and the guest Ann have played a season; later Ann opens an account."""

    def __init__(self, club, olga, bob, alice) -> None:
        self.club, self.olga, self.bob, self.alice = club, olga, bob, alice
        self.league = setup.create_league(actor=olga, club=club, name="Tuesdays", game=GAME)
        self.season = draft_season(self.league, olga, "round-robin", where="club", rated=True)
        division = self.season.divisions.get()
        enter(division, olga, bob, alice)
        self.entrant = registration.add_guest(actor=olga, division=division, name="Ann")
        assert self.entrant.user
        self.guest = self.entrant.user
        draw.start(actor=olga, season=self.season)
        play(self.season, olga)
        self.ann = create_user("ann", display_name="Ann Archer")
        add_member(club, self.ann)

    def ask(self) -> GuestJoin:
        return guests.propose(actor=self.olga, club=self.club, guest=self.guest, person=self.ann)

    def join(self) -> GuestJoin:
        return guests.answer(person=self.ann, join=self.ask(), joins=True)


@pytest.fixture
def evening(club, olga, bob, alice) -> Evening:
    return Evening(club, olga, bob, alice)


class TestRenaming:
    def test_the_name_changes_everywhere(self, evening, as_olga):
        sent = {"guest": evening.guest.handle, "do": "rename", "name": "  Anna   Archer "}
        assert as_olga.post(f"/leagues/clubs/{evening.club.slug}/guests/change/", sent).status_code == 302
        page = as_olga.get(f"{evening.season.get_absolute_url()}standings/", follow=True).content.decode()
        assert "Anna Archer" in page
        assert AuditEntry.objects.get(action="account.guest-renamed").person == evening.guest

    def test_the_log_has_the_new_name_and_the_old_one_nowhere(self, evening, as_olga):
        """Whoever asks not to be written down in full, or is misspelt, is read under the new name from the start."""
        season = draft_season(evening.season.league, evening.olga, "swiss", planned=3)
        added = registration.add_guest(actor=evening.olga, division=season.divisions.get(), name="Wilhelmina Quist")
        add_guests(season, evening.olga, 3)
        draw.start(actor=evening.olga, season=season)
        withdrawal.withdraw(actor=evening.olga, entrant=added)
        log = f"{season.get_absolute_url()}log/"
        assert "Wilhelmina Quist" in as_olga.get(log).content.decode()
        guests.rename(actor=evening.olga, club=evening.club, guest=added.user, name="Mina")
        page = as_olga.get(log).content.decode()
        assert "Mina" in page
        assert "Wilhelmina" not in page
        assert columns_with(("Wilhelmina",)) == set()

    def test_a_namesake_keeps_the_name_in_the_log(self, evening, as_olga):
        season = draft_season(evening.season.league, evening.olga, "swiss", planned=3)
        division = season.divisions.get()
        first, other = (registration.add_guest(actor=evening.olga, division=division, name="Quist") for _ in range(2))
        draw.start(actor=evening.olga, season=season)
        withdrawal.withdraw(actor=evening.olga, entrant=other)
        guests.rename(actor=evening.olga, club=evening.club, guest=first.user, name="Mina")
        page = as_olga.get(f"{season.get_absolute_url()}log/").content.decode()
        assert "added Mina to" in page
        assert "added Quist to" in page
        assert "withdrew Quist" in page
        assert "withdrew Mina" not in page

    def test_a_line_about_two_people_says_which_namesake_is_meant(self, evening, as_olga):
        season = draft_season(evening.season.league, evening.olga, "swiss", planned=3)
        division = season.divisions.get()
        first, other, third = (
            registration.add_guest(actor=evening.olga, division=division, name=name)
            for name in ("Quist", "Quist", "Zed")
        )
        for each in (first, other):
            meeting_rules.add_rule(actor=evening.olga, season=season, one=each, other=third)
        guests.rename(actor=evening.olga, club=evening.club, guest=first.user, name="Mina")
        page = as_olga.get(f"{season.get_absolute_url()}log/").content.decode()
        assert "asked to keep Mina and Zed apart" in page
        assert "asked to keep Quist and Zed apart" in page

    def test_a_notice_says_which_namesake_is_meant(self, evening, as_olga):
        """Two guests have one name; one of them is renamed after a member was asked about each of them."""
        asked = []
        for number in range(2):
            season = draft_season(evening.league, evening.olga, "swiss", name=f"Cup {number}")
            added = registration.add_guest(actor=evening.olga, division=season.divisions.get(), name="Quist")
            asked.append(guests.propose(actor=evening.olga, club=evening.club, guest=added.user, person=evening.ann))
        guests.rename(actor=evening.olga, club=evening.club, guest=asked[0].guest, name="Mina")
        notices = Notice.objects.filter(user=evening.ann, kind="leagues.guest-asked").order_by("pk")
        assert [registry.render(notice) for notice in notices] == [
            f"{evening.olga.name} asks whether you are the guest Mina of {evening.club.name}.",
            f"{evening.olga.name} asks whether you are the guest Quist of {evening.club.name}.",
        ]
        for path in ("/", "/notices/"):
            page = logged_in(evening.ann).get(path).content.decode()
            assert ("the guest Mina of" in page, "the guest Quist of" in page) == (True, True), path

    def test_people_who_rename_themselves_have_the_new_name_in_notices_and_logs(self, evening, as_olga):
        evening.join()
        asked = Notice.objects.get(user=evening.bob, kind="leagues.guest-vouch")
        assert "was it Ann Archer?" in registry.render(asked)
        people.change_settings(person=evening.ann, display_name="Anna Bow")
        people.change_settings(person=evening.bob, display_name="Robert")
        assert "was it Anna Bow?" in registry.render(Notice.objects.get(pk=asked.pk))
        page = as_olga.get(f"{evening.season.get_absolute_url()}log/").content.decode()
        assert "added Robert to" in page
        assert "added Bob to" not in page

    def test_what_was_undone_is_read_in_the_readers_language_with_the_name_of_today(self, evening, as_olga):
        season = draft_season(evening.season.league, evening.olga, "swiss", planned=3)
        added = registration.add_guest(actor=evening.olga, division=season.divisions.get(), name="Wilhelmina Quist")
        withdrawal.withdraw(actor=evening.olga, entrant=added)
        with translation.override("pl"):
            undo.undo(actor=evening.olga, undoable=undo.recent(season=season)[0].undoable)
        guests.rename(actor=evening.olga, club=evening.club, guest=added.user, name="Mina")
        page = as_olga.get(f"{season.get_absolute_url()}log/").content.decode()
        assert f"{evening.olga.name} undid: {evening.olga.name} withdrew Mina" in page
        assert columns_with(("Wilhelmina",)) == set()

    def test_names_of_people_are_in_no_line_and_in_no_notice(self, evening):
        """They are stored once, with the account: nothing has to be searched when one changes."""
        evening.join()
        names = (f'"{evening.bob.name}"', evening.alice.name, "Ann Archer")
        stored = [
            *AuditEntry.objects.values_list("params", flat=True),
            *Notice.objects.values_list("params", flat=True),
        ]
        assert len(stored) > 10
        assert not [params for params in stored if any(name in json.dumps(params) for name in names)]

    def test_by_the_api(self, evening, as_olga):
        address = f"/api/v1/clubs/{evening.club.slug}/guests/{evening.guest.handle}/"
        answer = as_olga.patch(address, {"name": "Anna"}, content_type="application/json")
        assert (answer.status_code, answer.json()["name"]) == (200, "Anna")
        assert [
            each["name"] for each in as_olga.get(f"/api/v1/clubs/{evening.club.slug}/guests/").json()["results"]
        ] == ["Anna"]

    def test_not_by_members_and_not_guests_of_others(self, evening, bob, charlie, olga):
        with pytest.raises(NotAllowed):
            guests.rename(actor=bob, club=evening.club, guest=evening.guest, name="X")
        other = clubs.create_club(founder=charlie, name="Elsewhere")
        with pytest.raises(Refused, match="not a guest of this club"):
            guests.rename(actor=charlie, club=other, guest=evening.guest, name="X")
        with pytest.raises(Refused, match="not a guest of this club"):
            guests.rename(actor=olga, club=evening.club, guest=bob, name="X")
        with pytest.raises(Refused, match="1 to 60 letters"):
            guests.rename(actor=olga, club=evening.club, guest=evening.guest, name=" ")
        evening.guest.refresh_from_db()
        assert evening.guest.name == "Ann"


class TestJoining:
    def test_nothing_moves_before_the_person_agrees(self, evening):
        join = evening.ask()
        evening.entrant.refresh_from_db()
        assert evening.entrant.user == evening.guest
        notice = Notice.objects.get(user=evening.ann, kind="leagues.guest-asked")
        page = logged_in(evening.ann).get(notice.path).content.decode()
        assert "Are you the guest Ann?" in page
        for other in (evening.olga, evening.bob):
            with pytest.raises(Refused, match="Nobody has asked you"):
                guests.answer(person=other, join=join, joins=True)

    def test_entries_and_results_follow_at_once(self, evening):
        evening.join()
        evening.entrant.refresh_from_db()
        assert evening.entrant.user == evening.ann
        page = logged_in(evening.bob).get(f"{evening.season.get_absolute_url()}standings/", follow=True)
        assert "Ann Archer" in page.content.decode()
        evening.guest.refresh_from_db()
        assert not evening.guest.is_active
        assert Notice.objects.filter(user=evening.olga, kind="leagues.guest-joined").exists()
        log = AuditEntry.objects.filter(action="leagues.guest-joined")
        assert {(each.object_type, each.person) for each in log} == {
            ("leagues.season", evening.ann),
            ("leagues.guestjoin", evening.ann),
        }

    def test_a_no_is_kept_and_only_the_person_changes_it(self, evening):
        join = evening.ask()
        guests.answer(person=evening.ann, join=join, joins=False)
        assert Notice.objects.filter(user=evening.olga, kind="leagues.guest-declined").exists()
        with pytest.raises(Refused, match="Only they can change that"):
            evening.ask()
        guests.answer(person=evening.ann, join=join, joins=True)
        evening.entrant.refresh_from_db()
        assert evening.entrant.user == evening.ann

    def test_a_question_is_taken_back(self, evening):
        join = evening.ask()
        guests.withdraw_proposal(actor=evening.olga, join=join)
        with pytest.raises(Refused, match="not open any more"):
            guests.answer(person=evening.ann, join=join, joins=True)
        assert not Notice.objects.filter(user=evening.ann, read_at=None).exists()
        evening.ask()

    def test_nobody_takes_a_guest_alone(self, evening):
        with pytest.raises(Refused, match="Somebody else has to say"):
            guests.propose(actor=evening.olga, club=evening.club, guest=evening.guest, person=evening.olga)
        with pytest.raises(NotAllowed):
            guests.propose(actor=evening.ann, club=evening.club, guest=evening.guest, person=evening.ann)

    def test_strangers_and_guests_of_others_are_refused(self, evening, charlie):
        with pytest.raises(Refused, match="not a member of the club"):
            guests.propose(actor=evening.olga, club=evening.club, guest=evening.guest, person=charlie)
        other = clubs.create_club(founder=charlie, name="Elsewhere")
        add_member(other, evening.ann)
        with pytest.raises(Refused, match="not a guest of this club"):
            guests.propose(actor=charlie, club=other, guest=evening.guest, person=evening.ann)

    def test_one_at_a_time(self, evening):
        evening.ask()
        other = create_user("anna", display_name="Ann Archer")
        add_member(evening.club, other)
        with pytest.raises(Refused, match="is asked about this guest already"):
            guests.propose(actor=evening.olga, club=evening.club, guest=evening.guest, person=other)

    def test_of_two_people_with_one_name_the_handle_decides(self, evening, as_olga):
        add_member(evening.club, create_user("anna", display_name="Ann Archer"))
        address = f"/leagues/clubs/{evening.club.slug}/guests/change/"
        sent = {"guest": evening.guest.handle, "do": "propose"}
        answer = as_olga.post(address, sent | {"person": "Ann Archer"}, follow=True)
        assert "Several members match" in answer.content.decode()
        as_olga.post(address, sent | {"person": "Ann Archer (@anna)"})
        assert GuestJoin.objects.get().person.handle == "anna"

    def test_with_an_entry_of_their_own_in_the_season(self, evening):
        with pytest.raises(Refused, match="has an entry of their own where the guest played: Tuesdays"):
            guests.propose(actor=evening.olga, club=evening.club, guest=evening.guest, person=evening.bob)
        # Or one that came between question and answer.
        join = evening.ask()
        second = draft_season(evening.league, evening.olga, "round-robin", name="Two", where="club")
        division = second.divisions.get()
        registration.admit_or_queue(division, kind="person", user=evening.guest)
        enter(division, evening.olga, evening.ann)
        with pytest.raises(Refused, match="Two"):
            guests.answer(person=evening.ann, join=join, joins=True)
        assert Entrant.objects.filter(user=evening.guest).count() == 2

    def test_in_a_second_and_a_closed_season(self, evening):
        second = draft_season(evening.league, evening.olga, "round-robin", name="Two", where="club")
        registration.admit_or_queue(second.divisions.get(), kind="person", user=evening.guest)
        Season.objects.filter(pk=evening.season.pk).update(status=Season.Status.CLOSED, closed_at=timezone.now())
        join = evening.join()
        assert {each.season_id for each in Entrant.objects.filter(user=evening.ann)} == {evening.season.pk, second.pk}
        guests.vouch(person=evening.bob, join=join, agrees=True)
        assert "ann" in rated()
        guests.undo(actor=evening.ann, join=join)
        assert Entrant.objects.filter(user=evening.guest).count() == 2

    def test_who_declined_the_season_is_not_brought_in(self, evening):
        EntryConsent.objects.create(season=evening.season, user=evening.ann, state="declined")
        with pytest.raises(Refused, match="did not want to play here"):
            evening.ask()

    def test_in_a_team(self, club, olga, bob, alice):
        league = setup.create_league(actor=olga, club=club, name="Teams", game="thanos-rising")
        division = draft_season(league, olga, "teams", where="club").divisions.get()
        guest = people.add_guest(club=club, name="Ann", actor=olga)
        team = registration.add_team(actor=olga, division=division, name="Us", members=[bob, guest])
        ann = create_user("ann")
        add_member(club, ann)
        join = guests.propose(actor=olga, club=club, guest=guest, person=ann)
        guests.answer(person=ann, join=join, joins=True)
        assert TeamMember.objects.get(entrant=team, position=1).user == ann
        guests.undo(actor=olga, join=join)
        assert TeamMember.objects.get(entrant=team, position=1).user == guest
        registration.add_team(actor=olga, division=division, name="Them", members=[alice, ann])
        with pytest.raises(Refused, match="entry of their own"):
            guests.propose(actor=olga, club=club, guest=guest, person=ann)

    def test_answers_to_nights_follow_but_the_persons_own_stay(self, evening, room):
        night, other = one(evening.olga, room), one(evening.olga, room, begins=time(23), slots=1)
        second = draft_season(evening.league, evening.olga, "round-robin", name="Two", where="club")
        registration.admit_or_queue(second.divisions.get(), kind="person", user=evening.guest)
        for each in (night, other):
            availability.answer(actor=evening.olga, night=each, answer="no", person=evening.guest)
        availability.answer(actor=evening.ann, night=other, answer="yes")
        join = evening.join()
        said = {row.night_id: row.answer for row in Availability.objects.filter(user=evening.ann)}
        assert said == {night.pk: "no", other.pk: "yes"}
        guests.undo(actor=evening.olga, join=join)
        assert [row.night for row in Availability.objects.filter(user=evening.ann)] == [
            ClubNight.objects.get(pk=other.pk)
        ]
        assert Availability.objects.filter(user=evening.guest).count() == 2


class TestRatings:
    """To the ratings a table stays one with a guest until somebody who sat there says who it was."""

    def test_joining_alone_changes_no_rating(self, evening):
        before = rated()
        assert before.keys() == {"bob", "alice"}
        evening.join()
        assert rated() == before
        with_guest = Pairing.objects.filter(seats__entrant=evening.entrant).first()
        assert "It can count once" in logged_in(evening.bob).get(with_guest.get_absolute_url()).content.decode()

    def test_each_witness_opens_their_own_tables(self, evening):
        before = rated()
        join = evening.join()
        notice = Notice.objects.get(user=evening.bob, kind="leagues.guest-vouch")
        client = logged_in(evening.bob)
        assert "Did you play with Ann Archer (@ann)?" in client.get(notice.path).content.decode()
        client.post(f"{notice.path}step/", {"do": "yes"})
        now = rated()
        assert (now["ann"][1], now["bob"][1], now["alice"][1]) == (1, before["bob"][1] + 1, before["alice"][1])
        guests.vouch(person=evening.alice, join=join, agrees=False)
        assert rated() == now
        assert Notice.objects.filter(user=evening.olga, kind="leagues.guest-denied").exists()
        guests.vouch(person=evening.alice, join=join, agrees=True)
        assert rated()["ann"][1] == 2

    def test_only_who_sat_there_vouches(self, evening, charlie):
        join = evening.join()
        for other in (evening.ann, evening.olga, charlie):
            with pytest.raises(Refused, match="You have not played with this guest"):
                guests.vouch(person=other, join=join, agrees=True)
        assert logged_in(charlie).get(join.get_absolute_url()).status_code == 404

    def test_a_result_that_is_voided_first_and_entered_again_later_waits_too(self, evening):
        before = rated()
        pairing = Pairing.objects.filter(seats__entrant=evening.entrant).first()
        Result.objects.filter(pairing=pairing).update(in_force=False)
        join = evening.join()
        assert pairing.pk in join.tables
        Result.objects.filter(pairing=pairing).update(in_force=True)
        recording.refresh_rating(pairing=recording.lock_pairing(pairing), by=None)
        assert rated() == before

    def test_two_guests_do_not_vouch_for_each_other(self, club, olga):
        """The attack: invent two guests, let one win, then join both to accounts of friends."""
        league = setup.create_league(actor=olga, club=club, name="Farm", game=GAME)
        season = draft_season(league, olga, "round-robin", where="club", rated=True)
        made = [registration.add_guest(actor=olga, division=season.divisions.get(), name=name) for name in ("A", "B")]
        draw.start(actor=olga, season=season)
        reporting.enter_result(
            actor=olga, pairing=next_round(olga, stage_of(season)).pairings.get(), places=[{"rank": 1}, {"rank": 2}]
        )
        joins = []
        for entrant, handle in zip(made, ("eve", "mallory")):
            person = create_user(handle)
            add_member(club, person)
            joins.append(guests.propose(actor=olga, club=club, guest=entrant.user, person=person))
            guests.answer(person=person, join=joins[-1], joins=True)
        for join in joins:
            for person in (joins[0].person, joins[1].person):
                with pytest.raises(Refused, match="You have not played with this guest"):
                    guests.vouch(person=person, join=join, agrees=True)
        assert rated() == {}
        assert not RatedResult.objects.filter(counts=True).exists()

    def test_at_a_table_of_three_the_others_stay_rated_meanwhile(self, club, olga, bob, alice):
        league = setup.create_league(actor=olga, club=club, name="Threes", game=GAME)
        season = draft_season(league, olga, "table-swiss", settings={"seats": 3, "least": 3}, planned=1, where="club")
        enter(season.divisions.get(), olga, bob, alice)
        guest = registration.add_guest(actor=olga, division=season.divisions.get(), name="Ann").user
        draw.start(actor=olga, season=season)
        pairing = next_round(olga, stage_of(season)).pairings.get()
        reporting.enter_result(actor=olga, pairing=pairing, places=[{"rank": 1}, {"rank": 2}, {"rank": 3}])
        before = rated()
        ann = create_user("ann")
        add_member(club, ann)
        join = guests.propose(actor=olga, club=club, guest=guest, person=ann)
        guests.answer(person=ann, join=join, joins=True)
        assert (rated(), before.keys()) == (before, {"bob", "alice"})
        guests.vouch(person=alice, join=join, agrees=True)
        assert rated().keys() == {"bob", "alice", "ann"}
        # One who was there and says no outweighs those who say yes.
        guests.vouch(person=bob, join=join, agrees=False)
        assert rated() == before


class TestTheWayBack:
    def test_all_is_as_before(self, evening):
        before, rows = rated(), RatedResult.objects.filter(counts=True).count()
        places = [(seat.pairing_id, seat.entrant_id) for seat in evening.entrant.seats.all()]
        join = evening.join()
        for person in (evening.bob, evening.alice):
            guests.vouch(person=person, join=join, agrees=True)
        assert rated().keys() == {"bob", "alice", "ann"}
        guests.undo(actor=evening.ann, join=join)
        assert rated() == before
        assert RatedResult.objects.filter(counts=True).count() == rows
        evening.entrant.refresh_from_db()
        evening.guest.refresh_from_db()
        assert (evening.entrant.user, evening.guest.is_active) == (evening.guest, True)
        assert [(seat.pairing_id, seat.entrant_id) for seat in evening.entrant.seats.all()] == places
        assert Notice.objects.filter(user=evening.olga, kind="leagues.guest-undone").exists()
        # And forward again; the witnesses are asked again.
        again = evening.join()
        assert rated() == before
        assert not again.witnesses.exists()

    def test_organisers_undo_too_and_nobody_else(self, evening):
        join = evening.join()
        with pytest.raises(NotAllowed):
            guests.undo(actor=evening.bob, join=join)
        guests.undo(actor=evening.olga, join=join)
        assert Notice.objects.filter(user=evening.ann, kind="leagues.guest-undone").exists()
        with pytest.raises(Refused, match="is not joined"):
            guests.undo(actor=evening.olga, join=join)

    def test_entries_made_since_stay_with_the_person(self, evening):
        join = evening.join()
        second = draft_season(evening.league, evening.olga, "round-robin", name="Two", where="club")
        enter(second.divisions.get(), evening.olga, evening.ann)
        guests.undo(actor=evening.olga, join=join)
        assert Entrant.objects.get(season=second).user == evening.ann

    def test_not_after_a_match_online(self, evening):
        join = evening.join()
        pairing = Pairing.objects.filter(seats__entrant=evening.entrant).first()
        match = started_match(evening.ann, evening.bob)
        Pairing.objects.filter(pk=pairing.pk).update(match=match, where="online")
        with pytest.raises(Refused, match="has played online since then"):
            guests.undo(actor=evening.olga, join=join)

    def test_a_deleted_account_takes_the_guests_name_along(self, evening):
        join = evening.join()
        people.delete_account(person=evening.ann)
        evening.guest.refresh_from_db()
        assert (evening.guest.display_name, evening.guest.deleted_at is None) == ("", False)
        assert "Ann" not in str(list(AuditEntry.objects.values_list("params", flat=True)))
        with pytest.raises(Refused, match="deleted"):
            guests.undo(actor=evening.olga, join=join)


class TestPagesAndApi:
    def test_two_people_by_the_api(self, evening, as_olga):
        address = f"/api/v1/clubs/{evening.club.slug}/guests/{evening.guest.handle}/join/"
        asked = as_olga.post(address, {"handle": "ann"}, content_type="application/json")
        assert asked.status_code == 201
        ann, bob = logged_in(evening.ann), logged_in(evening.bob)
        [mine] = ann.get("/api/v1/guest-joins/").json()["results"]
        one_ = f"/api/v1/guest-joins/{mine['id']}/"
        assert bob.get(one_).status_code == 404
        assert bob.post(f"{one_}answer/", {"joins": True}, content_type="application/json").status_code == 404
        said = ann.post(f"{one_}answer/", {"joins": True}, content_type="application/json")
        assert (said.status_code, said.json()["state"]) == (200, "joined")
        assert bob.post(f"{one_}vouch/", {"agrees": True}, content_type="application/json").status_code == 200
        assert "ann" in rated()
        assert ann.delete(one_).json()["state"] == "undone"
        assert "ann" not in rated()

    def test_the_page_of_guests(self, evening, as_olga, as_bob):
        address = f"/leagues/clubs/{evening.club.slug}/guests/"
        assert as_bob.get(address).status_code == 403
        assert "Ask whether they are this guest" in as_olga.get(address).content.decode()
        evening.join()
        page = as_olga.get(address).content.decode()
        assert "is Ann Archer" in page
        assert address in as_olga.get(f"{evening.season.get_absolute_url()}entries/").content.decode()

    def test_the_page_of_guests_asks_as_often_for_many_as_for_few(self, evening, as_olga):
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                assert as_olga.get(f"/leagues/clubs/{evening.club.slug}/guests/").status_code == 200
            return len(asked)

        few = queries()
        second = draft_season(evening.league, evening.olga, "swiss", name="Two")
        add_guests(second, evening.olga, 12)
        assert queries() == few
        page = as_olga.get(f"/leagues/clubs/{evening.club.slug}/guests/").content.decode()
        assert page.count("Tuesdays, Two") == 12

    def test_staff_find_the_guest_and_propose_too(self, evening, stella):
        client = logged_in(stella)
        address = f"/leagues/clubs/{evening.club.slug}/guests/"
        assert address in client.get(f"/staff/people/{evening.guest.handle}/").content.decode()
        client.post(f"{address}change/", {"guest": evening.guest.handle, "do": "propose", "person": "@ann"})
        assert GuestJoin.objects.get().proposed_by == stella

    def test_a_private_league_is_not_named_to_a_witness(self, evening, charlie):
        hidden = setup.create_league(actor=evening.olga, club=evening.club, name="Secret", game=GAME, is_private=True)
        season = draft_season(hidden, evening.olga, "round-robin", where="club")
        registration.admit_or_queue(season.divisions.get(), kind="person", user=evening.guest)
        join = evening.join()
        assert "Secret" in logged_in(evening.ann).get(join.get_absolute_url()).content.decode()
        clubs.leave(person=evening.bob, club=evening.club)
        page = logged_in(evening.bob).get(join.get_absolute_url()).content.decode()
        assert "Tuesdays" in page
        assert "Secret" not in page

    def test_a_draft_season_is_not_named_to_the_person(self, evening):
        hidden = draft_season(evening.league, evening.olga, "round-robin", name="Secret plan", where="club")
        Season.objects.filter(pk=hidden.pk).update(status=Season.Status.DRAFT)
        Entrant.objects.create(season=hidden, division=hidden.divisions.get(), user=evening.guest)
        page = logged_in(evening.ann).get(evening.ask().get_absolute_url()).content.decode()
        assert "Tuesdays" in page
        assert "Secret plan" not in page


def test_an_invited_organiser_is_not_needed_for_consent(club, olga, bob):
    """Whoever was joined has agreed: nobody asks them again whether they play."""
    league = setup.create_league(actor=olga, club=club, name="Tuesdays", game=GAME)
    season = draft_season(league, olga, "round-robin", where="club")
    guest = registration.add_guest(actor=olga, division=season.divisions.get(), name="Ann")
    ann = create_user("ann")
    add_member(club, ann, Role.MEMBER)
    guests.answer(person=ann, join=guests.propose(actor=olga, club=club, guest=guest.user, person=ann), joins=True)
    with pytest.raises(Refused, match="Nobody has asked you"):
        invitations.answer(person=ann, entrant=guest, plays=True)
