"""The attack: found a club, enter a stranger, settle alone, farm guests, feed one account from another."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import clubs
from accounts.infra.errors import Refused
from accounts.models import LoginAddress, Membership, Notice, Role, User
from accounts.models.login_address import fingerprint
from leagues.core import consent
from leagues.entries import invitations, registration, withdrawal
from leagues.models import EntryConsent, Objection, Pairing, RatedResult, Rating, RatingFlag, Result, Season
from leagues.ratings import flags, pending
from leagues.results import attestation, corrections, reporting
from leagues.rounds import draw
from leagues.seasons import setup, undo
from tests.factories import GAME, add_member, create_user, draft_season, enter, logged_in, next_round, stage_of

pytestmark = pytest.mark.django_db
WON = [{"rank": 1}, {"rank": 2}]
LOST = [{"rank": 2}, {"rank": 1}]


def rated() -> dict[str, int]:
    """Everybody's rating after all pending results."""
    for pool in pending.pools_with_pending_results():
        pending.apply_pending_results(pool_id=pool)
    return {rating.user.handle: rating.rating for rating in Rating.objects.select_related("user")}


@pytest.fixture
def mallory(db) -> User:
    return create_user("mallory", joined_at=timezone.now())


@pytest.fixture
def lair(mallory):
    """The attacker's own club, founded a minute ago."""
    return clubs.create_club(founder=mallory, name="The Lair")


@pytest.fixture
def season(lair, mallory) -> Season:
    league = setup.create_league(actor=mallory, club=lair, name="Winning", game=GAME)
    return draft_season(league, mallory, "round-robin", where="club")


def table(season: Season, actor: User) -> Pairing:
    draw.start(actor=actor, season=season)
    return next_round(actor, stage_of(season)).pairings.get()


def two_at_a_table(season: Season, actor: User, *people: User) -> Pairing:
    enter(season.divisions.get(), actor, *people)
    return table(season, actor)


class TestEntering:
    def test_a_stranger_is_not_entered(self, season, mallory, bob):
        with pytest.raises(Refused, match="bob is not a member of the club"):
            registration.add_person(actor=mallory, division=season.divisions.get(), person=bob)
        assert not season.entrants.exists()

    def test_nor_in_a_team(self, lair, mallory, bob):
        league = setup.create_league(actor=mallory, club=lair, name="Teams", game="thanos-rising")
        division = draft_season(league, mallory, "teams", where="club").divisions.get()
        with pytest.raises(Refused, match="not a member"):
            registration.add_team(actor=mallory, division=division, name="Us", members=[mallory, bob])

    def test_a_member_is_asked_and_may_say_no_for_good(self, season, lair, mallory, bob):
        add_member(lair, bob)
        entrant = registration.add_person(actor=mallory, division=season.divisions.get(), person=bob)
        notice = Notice.objects.get(user=bob, kind="leagues.added")
        page = logged_in(bob).get(notice.path)
        assert "Yes, I play" in page.content.decode()
        path = f"{season.get_absolute_url()}entries/{entrant.pk}/consent/"
        assert logged_in(bob).post(path, {"plays": "no"}).status_code == 302
        entrant.refresh_from_db()
        assert entrant.is_withdrawn
        assert Notice.objects.filter(user=mallory, kind="leagues.entry-declined").exists()
        with pytest.raises(Refused, match="does not want to play"):
            registration.add_person(actor=mallory, division=season.divisions.get(), person=bob)
        with pytest.raises(Refused, match="does not want to play"):
            withdrawal.return_to_season(actor=mallory, entrant=entrant)
        # Only they themselves change their mind.
        assert registration.register(person=bob, season=season).status == "registered"
        assert not consent.undecided(season.pk, [bob.pk])

    def test_an_answer_is_given_by_the_one_who_was_asked(self, season, lair, mallory, bob, charlie):
        add_member(lair, bob)
        entrant = registration.add_person(actor=mallory, division=season.divisions.get(), person=bob)
        for other in (mallory, charlie):
            with pytest.raises(Refused, match="Nobody has asked you"):
                invitations.answer(person=other, entrant=entrant, plays=True)

    def test_who_was_only_entered_loses_nothing_until_they_agree(self, season, lair, mallory, bob, alice):
        for each in (bob, alice):
            add_member(lair, each)
        entrant = registration.add_person(actor=mallory, division=season.divisions.get(), person=bob)
        enter(season.divisions.get(), mallory, alice)
        pairing = table(season, mallory)
        reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated() == {}
        invitations.answer(person=bob, entrant=entrant, plays=True)
        assert rated().keys() == {"bob", "alice"}


class TestSettlingAlone:
    def test_at_ones_own_table_somebody_else_confirms(self, season, mallory, bob):
        pairing = two_at_a_table(season, mallory, mallory, bob)
        result = reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert (result.kind, rated()) == (Result.Kind.REPORTED, {})
        with pytest.raises(Refused, match="somebody else has to confirm"):
            reporting.answer(person=mallory, result=result, agrees=True)
        reporting.answer(person=bob, result=result, agrees=True)
        assert rated().keys() == {"mallory", "bob"}

    def test_without_confirmation_in_the_season_it_waits_for_the_ratings_alone(self, season, mallory, bob):
        Season.objects.filter(pk=season.pk).update(confirmation=Season.Confirmation.NONE)
        pairing = two_at_a_table(Season.objects.get(pk=season.pk), mallory, mallory, bob)
        result = reporting.report(person=mallory, pairing=pairing, places=WON)
        assert (result.kind, rated()) == (Result.Kind.CONFIRMED, {})
        page = logged_in(bob).get(pairing.get_absolute_url()).content.decode()
        assert "it was entered by somebody who sat here. As soon as bob confirms it, it counts." in page
        logged_in(bob).post(f"{pairing.get_absolute_url()}answer/", {"version": result.version, "agrees": "yes"})
        assert rated().keys() == {"mallory", "bob"}

    def test_a_dispute_at_ones_own_table_is_not_ended_alone(self, season, mallory, bob):
        pairing = two_at_a_table(season, mallory, mallory, bob)
        reporting.report(person=mallory, pairing=pairing, places=WON)
        reporting.report(person=bob, pairing=pairing, places=LOST)
        with pytest.raises(Refused, match="another organiser decides here"):
            reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated() == {}

    def test_a_loss_is_not_corrected_voided_or_undone_alone(self, season, lair, mallory, bob):
        olga = create_user("olga")
        add_member(lair, olga, Role.ORGANISER)
        pairing = two_at_a_table(season, mallory, mallory, bob)
        reporting.enter_result(actor=olga, pairing=pairing, places=LOST)
        before = rated()
        assert before["mallory"] < before["bob"]
        seen = corrections.preview(actor=mallory, pairing=pairing, places=WON).seal
        with pytest.raises(Refused, match="another organiser decides"):
            corrections.correct(actor=mallory, pairing=pairing, places=WON, why="a slip", seen=seen)
        with pytest.raises(Refused, match="another organiser decides"):
            reporting.void(actor=mallory, pairing=pairing, why="no")
        [step] = [each for each in undo.recent(season=season) if each.undoable.kind == "result"]
        with pytest.raises(Refused, match="another organiser decides"):
            undo.undo(actor=mallory, undoable=step.undoable)
        assert rated() == before

    def test_an_organiser_who_did_not_play_enters_and_the_players_hear_of_it(self, season, mallory, bob, alice):
        pairing = two_at_a_table(season, mallory, alice, bob)
        reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated().keys() == {"alice", "bob"}
        assert {each.user.handle for each in Notice.objects.filter(kind="leagues.result-entered")} == {"alice", "bob"}


class TestFarmingGuests:
    def test_guests_give_no_points(self, season, mallory):
        division = season.divisions.get()
        enter(division, mallory, mallory)
        registration.add_guest(actor=mallory, division=division, name="Invented")
        pairing = table(season, mallory)
        result = reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        # The club counts it, the site does not, and says so.
        assert result.kind == Result.Kind.CONFIRMED
        assert rated() == {}
        page = logged_in(mallory).get(pairing.get_absolute_url()).content.decode()
        assert "fewer than two people with an account sat here" in page

    def test_at_a_table_of_two_and_a_guest_the_guest_is_left_out(self, lair, mallory, bob, alice):
        league = setup.create_league(actor=mallory, club=lair, name="Threes", game=GAME)
        season = draft_season(
            league, mallory, "table-swiss", settings={"seats": 3, "least": 3}, planned=1, where="club"
        )
        division = season.divisions.get()
        enter(division, mallory, bob, alice)
        guest = registration.add_guest(actor=mallory, division=division, name="Invented")
        pairing = table(season, mallory)
        places = [
            {"rank": 3 if seat.entrant == guest else 1 + (seat.entrant.user == alice)} for seat in pairing.seats.all()
        ]
        reporting.enter_result(actor=mallory, pairing=pairing, places=places)
        [row] = RatedResult.objects.filter(counts=True)
        assert {seat[0] for seat in row.seats} == {bob.pk, alice.pk}
        assert rated().keys() == {"bob", "alice"}


class TestObjecting:
    @pytest.fixture
    def entered(self, season, mallory, bob, alice) -> Pairing:
        pairing = two_at_a_table(season, mallory, alice, bob)
        reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated()
        return pairing

    def test_it_stays_out_of_the_ratings_until_it_is_decided(self, entered, mallory, bob):
        client = logged_in(bob)
        assert "No, I object" in client.get(entered.get_absolute_url()).content.decode()
        client.post(f"{entered.get_absolute_url()}answer/", {"version": 1, "agrees": "no", "note": "we never met"})
        assert rated() == {}
        assert Notice.objects.filter(user=mallory, kind="leagues.objected").exists()
        reporting.decide_objections(actor=mallory, pairing=entered, stands=False)
        assert rated() == {}
        assert Notice.objects.filter(user=bob, kind="leagues.objection-decided").exists()
        with pytest.raises(Refused, match="already"):
            reporting.answer(person=bob, result=entered.results.get(), agrees=False)

    def test_or_counts_again(self, entered, mallory, bob, as_bob):
        reporting.answer(person=bob, result=entered.results.get(), agrees=False, note="no")
        logged_in(mallory).post(f"{entered.get_absolute_url()}objections/", {"stands": "yes"})
        assert rated().keys() == {"alice", "bob"}

    def test_closing_the_club_does_not_help(self, entered, lair, mallory, bob):
        clubs.close(actor=mallory, club=lair)
        logged_in(bob).post(f"{entered.get_absolute_url()}answer/", {"version": 1, "agrees": "no"})
        assert rated() == {}

    def test_nobody_objects_to_what_they_confirmed_or_entered(self, entered, mallory, bob, charlie):
        result = entered.results.get()
        reporting.answer(person=bob, result=result, agrees=True)
        with pytest.raises(Refused, match="You have confirmed"):
            reporting.answer(person=bob, result=result, agrees=False)

    def test_a_player_does_not_decide_about_objections(self, entered, lair, alice, bob):
        Membership.objects.filter(club=lair, user=alice).update(role=Role.ORGANISER)
        reporting.answer(person=bob, result=entered.results.get(), agrees=False)
        with pytest.raises(Refused, match="another organiser decides"):
            reporting.decide_objections(actor=alice, pairing=entered, stands=True)
        assert Objection.objects.get().decided_at is None


class TestLimits:
    def test_a_new_club_counts_so_many_tables_a_day(self, season, mallory, bob, alice, monkeypatch):
        monkeypatch.setattr(attestation, "NEW_CLUB_TABLES_A_DAY", 0)
        pairing = two_at_a_table(season, mallory, alice, bob)
        reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated() == {}
        assert "first two weeks" in logged_in(bob).get(pairing.get_absolute_url()).content.decode()

    def test_an_old_club_has_none(self, season, lair, mallory, bob, alice, monkeypatch):
        monkeypatch.setattr(attestation, "NEW_CLUB_TABLES_A_DAY", 0)
        type(lair).objects.update(founded_at=timezone.now() - timedelta(days=30))
        pairing = two_at_a_table(season, mallory, alice, bob)
        reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated()

    def test_a_new_account_counts_so_many_tables(self, season, mallory, bob, alice, monkeypatch):
        monkeypatch.setattr(attestation, "NEW_ACCOUNT_TABLES", 0)
        User.objects.filter(pk=bob.pk).update(joined_at=timezone.now())
        pairing = two_at_a_table(season, mallory, alice, bob)
        reporting.enter_result(actor=mallory, pairing=pairing, places=WON)
        assert rated() == {}
        User.objects.update(joined_at=timezone.now() - timedelta(days=30))
        reporting.answer(person=bob, result=pairing.results.get(in_force=True), agrees=True)
        assert rated()

    def test_nobody_founds_clubs_without_end(self, mallory):
        for number in range(clubs.MOST_FOUNDED_WHILE_NEW):
            clubs.create_club(founder=mallory, name=f"Club {number}")
        with pytest.raises(Refused, match="a new account can start"):
            clubs.create_club(founder=mallory, name="One more")
        User.objects.update(joined_at=timezone.now() - timedelta(days=30))
        clubs.create_club(founder=User.objects.get(pk=mallory.pk), name="One more")


class TestFlags:
    def feed(self, winner: User, loser: User, count: int) -> None:
        from leagues.elo.result_types import SeatResult
        from leagues.ratings import ledger

        for number in range(count):
            ledger.record(
                source=f"match:feed{number}",
                game=GAME,
                finished_at=timezone.now() - timedelta(hours=number),
                seats=[SeatResult(0, 1, winner.pk), SeatResult(1, 2, loser.pk)],
            )

    def test_two_accounts_that_feed_each_other(self, mallory, bob, stella, client):
        for each in (mallory, bob):
            LoginAddress.objects.create(user=each, fingerprint=fingerprint("192.0.2.7"))
        self.feed(mallory, bob, 12)
        assert flags.update_flags() == 3
        assert {flag.kind for flag in flags.flags()} == {"same-address", "same-pair", "same-winner"}
        assert RatingFlag.objects.get(kind="same-winner").person == mallory
        page = logged_in(stella).get("/staff/ratings/")
        assert page.status_code == 200
        assert page.content.decode().count("mallory") >= 3
        flag = flags.flags()[0]
        logged_in(stella).post(f"/staff/ratings/{flag.pk}/")
        assert flags.flags().count() == 2
        # It returns when it grows, and not before.
        flags.update_flags()
        assert flags.flags().count() == 2
        self.feed(mallory, bob, 13)
        flags.update_flags()
        assert flags.flags().count() == 3

    def test_friends_who_also_play_with_others_are_not_flagged(self, mallory, bob, alice):
        self.feed(mallory, bob, 4)
        assert flags.update_flags() == 0

    def test_logging_in_leaves_a_fingerprint_and_no_address(self, client, mallory):
        from allauth.account.models import EmailAddress

        mallory.set_password("roll-the-dice-42")
        mallory.save()
        EmailAddress.objects.create(user=mallory, email=mallory.email, verified=True, primary=True)
        client.post("/accounts/login/", {"login": "mallory", "password": "roll-the-dice-42"}, REMOTE_ADDR="192.0.2.9")
        assert LoginAddress.objects.get(user=mallory).fingerprint == fingerprint("192.0.2.9")

    def test_the_page_is_for_the_staff(self, client, mallory):
        assert client.get("/staff/ratings/").status_code == 302
        assert logged_in(mallory).get("/staff/ratings/").status_code == 403


def test_consent_rows_are_only_for_people_who_were_asked(season, lair, mallory, bob):
    add_member(lair, bob)
    registration.register(person=bob, season=season)
    registration.add_person(actor=mallory, division=season.divisions.get(), person=mallory)
    registration.add_guest(actor=mallory, division=season.divisions.get(), name="Guest")
    assert not EntryConsent.objects.exists()
