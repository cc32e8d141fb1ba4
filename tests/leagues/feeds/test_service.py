"""The content of calendar feeds, read by another parser than the one that writes them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from accounts import clubs, people
from accounts.models import Club, Membership, User
from games.models import Match
from leagues.feeds import service as feeds
from leagues.models import Availability, ClubNight, Division, Habit, Pairing, Stage, Venue
from leagues.rounds import draw
from leagues.seasons import setup
from tests.factories import confirm_result, create_user, enter_team, set_up_preset, stage_of
from tests.leagues.feeds.calendar_factories import (
    NEW_YORK,
    NOW,
    WARSAW,
    a_night,
    cellar,
    of,
    paired,
    published,
    put,
    read,
    wall,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today(time_machine):
    time_machine.move_to(NOW, tick=False)
    return time_machine


@pytest.fixture
def venue(club) -> Venue:
    return cellar(club)


@pytest.fixture
def stage(league, alice, bob, charlie) -> Stage:
    """Bob against Charlie at the club, in an unpublished round."""
    return paired(league, alice, bob, charlie)


class TestTables:
    def test_placed_at_the_club(self, stage, alice, bob, venue):
        pairing = published(stage, alice)
        put(pairing, a_night(venue, date(2026, 3, 26)).slots.get(number=2))
        (event,) = of(bob, "table")
        assert event.uid.value == f"table-{pairing.key}@127.0.0.1"
        assert b"DTSTART;TZID=Europe/Warsaw:20260326T203000" in feeds.person_feed(bob)
        assert wall(event.dtstart.value) == "2026-03-26 20:30"
        assert wall(event.dtend.value) == "2026-03-26 22:00"
        assert event.location.value == "Piwnica pod Żółwiem, ul. Długa 5; Łódź"
        assert event.summary.value == "With charlie: Thursday league, round 1"
        for text in ("Players: bob and charlie", "Table 2", "Ring twice", "Splendor", pairing.get_absolute_url()):
            assert text in event.description.value
        assert (event.status.value, event.transp.value) == ("CONFIRMED", "OPAQUE")

    def test_agreed_online(self, league, alice, bob, charlie):
        pairing = published(paired(league, alice, bob, charlie, where="online", clock="live", bank=1800), alice)
        Pairing.objects.filter(pk=pairing.pk).update(starts_at=datetime(2026, 3, 30, 18, tzinfo=UTC))
        (event,) = of(bob, "table")
        assert b"DTSTART:20260330T180000Z" in feeds.person_feed(bob)
        assert event.dtend.value - event.dtstart.value == timedelta(hours=1)
        assert event.location.value == "Online"

    def test_without_a_time_there_is_a_deadline(self, stage, alice, bob):
        pairing = published(stage, alice, closes_at=datetime(2026, 4, 1, 22, tzinfo=UTC))
        assert of(bob, "table") == []
        (event,) = of(bob, "deadline")
        assert event.dtend.value == datetime(2026, 4, 1, 22, tzinfo=UTC)
        assert event.transp.value == "TRANSPARENT"
        Pairing.objects.filter(pk=pairing.pk).update(closes_at=datetime(2026, 4, 3, 22, tzinfo=UTC), revision=1)
        (later,) = of(bob, "deadline")
        assert (later.uid.value, later.sequence.value) == (event.uid.value, "1")
        assert later.dtend.value == datetime(2026, 4, 3, 22, tzinfo=UTC)
        confirm_result(pairing)
        assert of(bob, "deadline") == []

    def test_moved_and_renamed_it_is_the_same_entry_of_a_later_revision(self, stage, alice, bob, charlie, venue):
        pairing = published(stage, alice)
        put(pairing, a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        (before,) = of(bob, "table")
        put(pairing, a_night(venue, date(2026, 4, 2)).slots.get(number=1))
        people.change_settings(person=charlie, display_name="Zażółć")
        (after,) = of(bob, "table")
        assert after.uid.value == before.uid.value
        assert int(after.sequence.value) > int(before.sequence.value)
        assert after.last_modified.value > before.last_modified.value
        assert wall(after.dtstart.value) == "2026-04-02 19:00"
        assert "Zażółć" in after.summary.value

    def test_in_the_readers_language_and_on_their_clock(self, stage, alice, bob):
        people.change_settings(person=bob, language="pl", time_zone="America/New_York")
        published(stage, alice, closes_at=datetime(2026, 4, 1, 22, tzinfo=UTC))
        bob = User.objects.get(pk=bob.pk)
        (event,) = of(bob, "deadline")
        assert event.summary.value.startswith("Termin")
        assert "18:00" in event.description.value

    def test_what_is_only_drawn_is_nobodys_business(self, stage, alice, bob, venue):
        pairing = Pairing.objects.get(round__stage=stage)
        put(pairing, a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        assert of(bob, "table") == []
        assert pairing.key.encode() not in feeds.league_feed(stage.division.season.league)

    def test_strangers_and_those_who_left_the_table(self, stage, alice, bob, charlie, olga, venue):
        pairing = published(stage, alice)
        put(pairing, a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        assert len(of(charlie, "table")) == 1
        assert of(olga, "table") == []
        pairing.seats.filter(entrant__user=bob).update(absent=True)
        assert of(bob, "table") == []

    def test_one_that_is_not_played_is_called_off(self, stage, alice, bob, venue):
        pairing = published(stage, alice)
        put(pairing, a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        Pairing.objects.filter(pk=pairing.pk).update(state=Pairing.State.VOID)
        assert of(bob, "table")[0].status.value == "CANCELLED"

    def test_members_of_a_team_that_plays_alone(self, club, alice, bob, charlie):
        league = setup.create_league(actor=alice, club=club, name="Together", game="thanos-rising")
        season = set_up_preset(league, alice, "team-duplicate")
        division = Division.objects.get(season=season)
        enter_team(division, alice, "Owls", bob, charlie)
        enter_team(division, alice, "Larks", alice, bots=["rookie"])
        draw.start(actor=alice, season=season)
        round_ = draw.draw_next_round(actor=alice, stage=stage_of(season))
        draw.publish(actor=alice, round=round_, closes_at=datetime(2026, 4, 1, tzinfo=UTC))
        (event,) = of(charlie, "deadline")
        assert "Your table has to be played by" in event.description.value
        pairing = round_.pairings.get(seats__entrant__team="Owls")
        Pairing.objects.filter(pk=pairing.pk).update(starts_at=NOW + timedelta(days=2))
        (event,) = of(charlie, "table")
        assert event.summary.value == "Your table: Together, round 1"
        # All tables share one deal: it must not be in the feed.
        assert pairing.deal
        assert pairing.deal.encode() not in feeds.person_feed(charlie)


class TestDaylightSaving:
    """The hour on the club's clock stays the same when the offset changes."""

    @pytest.mark.parametrize(
        ("zone", "days", "offsets"),
        [
            (WARSAW, [date(2026, 3, 26), date(2026, 4, 2)], [1, 2]),
            (NEW_YORK, [date(2026, 10, 29), date(2026, 11, 5)], [-4, -5]),
        ],
    )
    def test_nights(self, venue, bob, zone, days, offsets):
        Club.objects.filter(pk=venue.club_id).update(time_zone=zone.key)
        for day in days:
            a_night(venue, day, zone=zone)
        body = feeds.person_feed(bob)
        events = sorted(read(body).values(), key=lambda event: event.dtstart.value)
        assert [wall(event.dtstart.value) for event in events] == [f"{day} 19:00" for day in days]
        assert [event.dtstart.value.utcoffset() for event in events] == [timedelta(hours=hours) for hours in offsets]
        assert [event.dtend.value.utcoffset() for event in events] == [timedelta(hours=hours) for hours in offsets]
        assert body.count(b"BEGIN:VTIMEZONE") == 1
        assert f"TZID:{zone.key}".encode() in body

    def test_two_clubs_in_two_zones(self, venue, bob, alice):
        a_night(venue, date(2026, 3, 28))
        other = clubs.create_club(founder=alice, name="Hudson", time_zone="America/New_York")
        Membership.objects.create(club=other, user=bob)
        a_night(Venue.objects.create(club=other, name="Loft", tables=2), date(2026, 3, 28), zone=NEW_YORK)
        starts = sorted(event.dtstart.value for event in of(bob, "night"))
        assert [wall(moment) for moment in starts] == ["2026-03-28 19:00", "2026-03-28 19:00"]
        assert starts[1] - starts[0] == timedelta(hours=5)

    def test_a_zone_that_is_no_more(self, venue, bob):
        a_night(venue, date(2026, 3, 26))
        Club.objects.filter(pk=venue.club_id).update(time_zone="Mars/Olympus")
        assert b"DTSTART:20260326T180000Z" in feeds.person_feed(bob)


class TestNights:
    def test_what_is_said_of_one(self, venue, bob):
        night = a_night(venue, date(2026, 3, 26), name="Wieczór gier")
        (event,) = of(bob, "night")
        assert event.uid.value == f"night-{night.key}@127.0.0.1"
        assert night.get_absolute_url() in event.description.value
        assert event.summary.value == "Wieczór gier · The Round Table"
        assert "2 slots" in event.description.value
        assert event.transp.value == "TRANSPARENT"

    def test_one_without_a_name_is_called_by_its_venue(self, venue, bob):
        a_night(venue, date(2026, 3, 26))
        assert of(bob, "night")[0].summary.value == "Piwnica pod Żółwiem · The Round Table"

    def test_cancelled_it_says_so_and_stays_a_while(self, venue, bob, today):
        night = a_night(venue, date(2026, 3, 26))
        ClubNight.objects.filter(pk=night.pk).update(cancelled_at=timezone.now(), revision=1)
        (event,) = of(bob, "night")
        assert (event.status.value, event.sequence.value) == ("CANCELLED", "1")
        today.move_to(night.ends_at + timedelta(days=59), tick=False)
        assert len(of(bob, "night")) == 1
        today.move_to(night.ends_at + timedelta(days=61), tick=False)
        assert of(bob, "night") == []

    def test_who_does_not_come_does_not_see_it(self, venue, bob):
        night = a_night(venue, date(2026, 3, 26))
        Habit.objects.create(club=venue.club, user=bob, weekday=3, answer="no")
        assert of(bob, "night") == []
        text = Availability.objects.create(night=night, user=bob, answer="yes")
        (event,) = of(bob, "night")
        assert event.transp.value == "OPAQUE"
        assert "You said that you come." in event.description.value
        text.answer = "no"
        text.save()
        assert of(bob, "night") == []
        text.slots = [1]
        text.save()
        assert len(of(bob, "night")) == 1

    def test_of_ones_own_clubs_only(self, venue, charlie):
        a_night(venue, date(2026, 3, 26))
        assert of(charlie, "night") == []


class TestTurns:
    def test_a_move_that_is_due(self, league, alice, bob, charlie):
        stage = paired(league, alice, bob, charlie, where="online", clock="days", days=3)
        pairing = published(stage, alice)
        match = Match.objects.get(pk=pairing.match_id)
        acting = match.seats.get(index=match.to_act).user
        (event,) = of(acting, "turn")
        assert event.dtend.value == NOW + timedelta(days=3)
        assert match.get_absolute_url() in event.description.value
        assert of(({bob, charlie} - {acting}).pop(), "turn") == []


class TestText:
    def test_long_lines_are_folded_and_nothing_is_lost(self, venue, bob):
        name = "Zażółć gęślą jaźń, " * 4
        a_night(venue, date(2026, 3, 26), name=name)
        body = feeds.person_feed(bob)
        assert all(len(line) <= 75 for line in body.split(b"\r\n"))
        assert b"\n" not in body.replace(b"\r\n", b"")
        assert of(bob, "night")[0].summary.value == f"{name} · The Round Table"

    def test_the_same_twice(self, venue, stage, alice, bob, today):
        put(published(stage, alice), a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        before = feeds.person_feed(bob)
        today.move_to(NOW + timedelta(hours=5), tick=False)
        assert feeds.person_feed(bob) == before

    def test_how_often_to_look_again(self, bob):
        body = feeds.person_feed(bob)
        assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H" in body
        assert b"X-PUBLISHED-TTL:PT1H" in body

    def test_as_many_queries_for_many_as_for_few(self, venue, stage, alice, bob, django_assert_num_queries):
        put(published(stage, alice), a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        with django_assert_num_queries(8):
            feeds.person_feed(bob)
        for week in range(1, 5):
            a_night(venue, date(2026, 3, 26) + timedelta(weeks=week))
        with django_assert_num_queries(8):
            feeds.person_feed(bob)


def test_somebody_new(db):
    assert read(feeds.person_feed(create_user("dora"))) == {}
