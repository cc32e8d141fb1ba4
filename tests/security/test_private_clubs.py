"""A private club and a private league on every surface, for those who may see them and those who may not."""

from datetime import time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from accounts import clubs, joining
from accounts.infra.realtime import topics
from accounts.models import Club, Delivery, Notice, User
from accounts.webhooks import events
from accounts.webhooks import service as webhooks
from leagues.calendar import availability, nights
from leagues.entries import registration
from leagues.feeds import service as feeds
from leagues.models import ClubNight, Division, Entrant, League, Pairing, RatingChange, Season
from leagues.placement import service as placement
from leagues.rounds import draw
from leagues.seasons import setup
from tests.factories import GAME, add_member, confirm_result, create_user, draft_season, logged_in, next_round, stage_of
from tests.leagues.calendar.conftest import one, room

__all__ = ["room"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]

SECRETS = ("The Round Table", "Thursday league", "the-round-table", "thursday-league")


class Scene:
    """A club with a night, and a league of four members who have played a round."""

    def __init__(self, club: Club, olga: User, room: Any) -> None:
        room.about = "The key is under the third flowerpot"
        room.save()
        self.club, self.olga = club, olga
        self.people = [create_user(name) for name in ("dora", "emil", "frida", "gus")]
        for person in self.people:
            add_member(club, person)
        self.league = setup.create_league(actor=olga, club=club, name="Thursday league", game=GAME)
        self.season = draft_season(self.league, olga, "round-robin", name="Spring", where="club", rated=True)
        division = Division.objects.get(season=self.season)
        for person in self.people:
            registration.add_person(actor=olga, division=division, person=person)
        draw.start(actor=olga, season=self.season)
        next_round(olga, stage_of(self.season))
        self.pairing = Pairing.objects.filter(round__stage__division__season=self.season).order_by("number")[0]
        confirm_result(self.pairing)
        self.night = one(olga, room)
        availability.answer(actor=self.people[0], night=self.night, answer="yes")

    def pages(self) -> list[str]:
        """Addresses that are not there for outsiders while the club is private."""
        club, league, season = self.club, self.league, self.season
        change = RatingChange.objects.first()
        return [
            f"/clubs/{club.slug}/",
            f"/clubs/{club.slug}/members/",
            f"/leagues/clubs/{club.slug}/nights/",
            self.night.get_absolute_url(),
            f"/leagues/{league.slug}/",
            season.get_absolute_url(),
            self.pairing.get_absolute_url(),
            f"/calendar/clubs/{club.slug}.ics",
            f"/calendar/leagues/{league.slug}.ics",
            f"/leaderboards/{GAME}/?club={club.slug}",
            f"/leaderboards/{GAME}/embed/?club={club.slug}",
            f"/leaderboards/{GAME}/board.json?club={club.slug}",
            f"/leaderboards/{GAME}/board.csv?club={club.slug}",
            *([f"/leaderboards/changes/{change.pk}/", f"/api/v1/rating-changes/{change.pk}/"] if change else []),
            f"/api/v1/clubs/{club.slug}/",
            f"/api/v1/clubs/{club.slug}/members/",
            f"/api/v1/clubs/{club.slug}/nights/",
            f"/api/v1/nights/{self.night.key}/",
            f"/api/v1/leagues/{league.slug}/",
            f"/api/v1/leagues/{league.slug}/seasons/",
            f"/api/v1/seasons/{season.pk}/",
            f"/api/v1/pairings/{self.pairing.key}/",
        ]

    def lists(self) -> list[str]:
        """Addresses that are there for everybody, and must not name the club or its league."""
        return [
            "/",
            "/clubs/",
            "/clubs/?q=round",
            "/leagues/",
            "/play/",
            f"/leaderboards/{GAME}/",
            "/people/dora/",
            "/leaderboards/between/dora/emil/",
            "/api/v1/clubs/",
            "/api/v1/clubs/?q=round",
            "/api/v1/leagues/",
            "/api/v1/pairings/",
            "/api/v1/people/dora/",
            f"/api/v1/people/dora/rating-changes/?game={GAME}",
        ]


@pytest.fixture
def scene(club, olga, room) -> Scene:
    return Scene(club, olga, room)


def statuses(client: Client, addresses: list[str]) -> dict[str, int]:
    return {address: client.get(address).status_code for address in addresses}


class TestPrivateClub:
    @pytest.fixture(autouse=True)
    def closed(self, scene):
        Club.objects.update(is_private=True)

    def test_outsiders_find_nothing(self, scene, charlie):
        for client in (Client(), logged_in(charlie)):
            there = {address: code for address, code in statuses(client, scene.pages()).items() if code != 404}
            assert there == {}
            for address in scene.lists():
                page = client.get(address)
                assert page.status_code in {200, 404}, address
                assert not [word for word in SECRETS if word in page.content.decode()], address

    def test_members_find_everything(self, scene, bob):
        missing = {address: code for address, code in statuses(logged_in(bob), scene.pages()).items() if code != 200}
        assert missing == {}
        assert "The Round Table" in logged_in(bob).get("/clubs/").content.decode()

    def test_verbs_say_nothing_either(self, scene, charlie):
        client = logged_in(charlie)
        for verb in ("ask", "close", "invites"):
            assert client.post(f"/clubs/{scene.club.slug}/{verb}/", {"message": ""}).status_code == 404
        assert client.get(f"/clubs/{scene.club.slug}/manage/").status_code == 404

    def test_an_invite_opens_it(self, scene, charlie, olga):
        scene.club.refresh_from_db()
        new = joining.invite(actor=olga, club=scene.club)
        client = logged_in(charlie)
        assert client.get(f"/join/{new.token}/").status_code == 200
        client.post(f"/join/{new.token}/")
        assert client.get(scene.club.get_absolute_url()).status_code == 200

    def test_sockets_are_silent(self, scene, charlie, bob):
        for topic in (f"club.{scene.club.slug}", f"season.{scene.season.pk}"):
            with pytest.raises(topics.TopicDenied):
                topics.audience_for(charlie, topic)
            assert topics.audience_for(bob, topic)

    def test_webhooks_send_nothing(self, scene, alice):
        webhooks.create_webhook(
            actor=alice, club=scene.club, name="N", url="https://n.example/", shape="json",
            events=events.declared_events(),
        )  # fmt: skip
        described = [
            delivery.event
            for delivery in Delivery.objects.all()
            if events.declared_events()[delivery.event].describe(delivery.subject)
        ]
        assert described == []

    def test_a_player_who_is_no_member_sees_their_season(self, scene, charlie):
        scene.club.refresh_from_db()
        Entrant.objects.create(
            season=scene.season, division=Division.objects.get(season=scene.season), user=charlie, kind="person"
        )
        client = logged_in(charlie)
        assert client.get(scene.season.get_absolute_url()).status_code == 200
        assert client.get(scene.club.get_absolute_url()).status_code == 404


class TestPrivateLeague:
    """The club is public, the league is not."""

    @pytest.fixture(autouse=True)
    def closed(self, scene, olga):
        setup.edit_league(actor=olga, league=scene.league, name=scene.league.name, about="", is_private=True)

    def test_outsiders_see_the_club_without_it(self, scene, charlie):
        for client in (Client(), logged_in(charlie)):
            assert client.get(f"/leagues/{scene.league.slug}/").status_code == 404
            assert client.get(scene.season.get_absolute_url()).status_code == 404
            for address in (scene.club.get_absolute_url(), "/leagues/", "/api/v1/leagues/", "/people/dora/"):
                page = client.get(address)
                assert page.status_code == 200
                assert "Thursday league" not in page.content.decode(), address
            assert "Thursday league" not in client.get(f"/calendar/clubs/{scene.club.slug}.ics").content.decode()

    def test_members_see_it(self, scene, bob):
        assert logged_in(bob).get(f"/leagues/{scene.league.slug}/").status_code == 200
        assert "Thursday league" in logged_in(bob).get(scene.club.get_absolute_url()).content.decode()

    def test_it_can_be_opened_again(self, scene, as_olga):
        form = {"name": "Thursday league", "game": GAME, "about": ""}
        as_olga.post(f"/leagues/{scene.league.slug}/edit/", form)
        assert not League.objects.get().is_private
        assert Season.objects.count() == 1


class TestNights:
    """Who comes and how to get in are for members, also in a public club."""

    def test_visitors_see_how_many_and_not_who(self, scene, client, charlie):
        for reader in (client, logged_in(charlie)):
            for address in (
                scene.night.get_absolute_url(),
                f"/api/v1/nights/{scene.night.key}/",
                f"/api/v1/clubs/{scene.club.slug}/venues/",
                f"/calendar/clubs/{scene.club.slug}.ics",
            ):
                page = reader.get(address)
                assert page.status_code == 200, address
                assert "dora" not in page.content.decode(), address
                assert "flowerpot" not in page.content.decode(), address
            assert reader.get(f"/api/v1/nights/{scene.night.key}/comers/").status_code in {401, 403}

    def test_members_see_both(self, scene, bob):
        page = logged_in(bob).get(scene.night.get_absolute_url()).content.decode()
        assert "dora" in page
        assert "flowerpot" in page
        assert logged_in(bob).get(f"/api/v1/nights/{scene.night.key}/comers/").status_code == 200


class TestPrivateNight:
    """The club and its leagues are public, one night and one series are not."""

    HIDDEN = ("Game with the mayor", "Rehearsals")

    @pytest.fixture(autouse=True)
    def closed(self, scene, olga):
        changed = {"name": "Game with the mayor", "is_private": True}
        scene.night = nights.change_night(actor=olga, night=scene.night, **changed)
        day = scene.night.day + timedelta(days=1)
        scene.series = nights.add_series(
            actor=olga, club=scene.club, venue=scene.night.venue, name="Rehearsals", first=day,
            last=day + timedelta(days=20), begins=time(19), is_private=True,
        )  # fmt: skip
        scene.placed = next_round(olga, stage_of(scene.season)).pairings.order_by("number")[0]
        placement.place(actor=olga, pairing=scene.placed, slot=scene.night.slots.get(number=1))
        scene.placed.refresh_from_db()

    def gone(self, scene) -> list[str]:
        return [
            scene.night.get_absolute_url(),
            scene.series.nights.first().get_absolute_url(),
            f"/api/v1/nights/{scene.night.key}/",
            f"/api/v1/nights/{scene.night.key}/comers/",
        ]

    def surfaces(self, scene) -> list[str]:
        """What everybody reads, and must not name the night, its time or that a table is there."""
        club, season, league = scene.club.slug, scene.season, scene.league.slug
        return [
            "/",
            f"/clubs/{club}/",
            f"/leagues/clubs/{club}/nights/",
            f"/calendar/clubs/{club}.ics",
            f"/calendar/leagues/{league}.ics",
            f"/api/v1/clubs/{club}/nights/",
            f"/api/v1/clubs/{club}/nights/?past=true",
            f"/api/v1/clubs/{club}/series/",
            f"/api/v1/seasons/{season.pk}/placements/",
            f"/api/v1/pairings/{scene.placed.key}/",
            f"/api/v1/pairings/?season={season.pk}",
            f"/api/v1/rounds/{scene.placed.round_id}/pairings/",
            season.get_absolute_url(),
            f"{season.get_absolute_url()}calendar/",
            f"{season.get_absolute_url()}rounds/{scene.placed.round_id}/",
            f"{season.get_absolute_url()}rounds/{scene.placed.round_id}/sheet/",
            f"{season.get_absolute_url()}print/rounds/{scene.placed.round_id}/",
            f"{season.get_absolute_url()}embed/matches/",
            f"{season.get_absolute_url()}export/pairings.csv",
            f"{season.get_absolute_url()}export/pairings.json",
            scene.placed.get_absolute_url(),
        ]

    def traces(self, scene) -> list[str]:
        starts = scene.placed.starts_at
        local = starts.astimezone(ZoneInfo(scene.club.time_zone))
        return [
            *self.HIDDEN,
            scene.night.key,
            starts.strftime("%Y-%m-%dT%H:%M"),
            local.strftime("%Y-%m-%dT%H:%M"),
            local.strftime("%Y-%m-%d %H:%M"),
            starts.strftime("%Y%m%dT%H%M"),
            local.strftime("%Y%m%dT%H%M"),
        ]

    def test_outsiders_find_no_trace(self, scene, charlie):
        assert scene.placed.starts_at
        for client in (Client(), logged_in(charlie)):
            assert {address: code for address, code in statuses(client, self.gone(scene)).items() if code != 404} == {}
            for address in self.surfaces(scene):
                page = client.get(address)
                if page.status_code != 401:
                    assert page.status_code == 200, address
                    assert not [word for word in self.traces(scene) if word in page.content.decode()], address

    def test_members_and_players_find_it(self, scene, bob, olga):
        for person in (bob, olga, scene.people[0]):
            client = logged_in(person)
            assert set(statuses(client, self.gone(scene)).values()) == {200}
            for address in (f"/leagues/clubs/{scene.club.slug}/nights/", f"/api/v1/clubs/{scene.club.slug}/nights/"):
                assert all(word in client.get(address).content.decode() for word in self.HIDDEN), address
            for address in (f"/api/v1/pairings/{scene.placed.key}/", scene.placed.get_absolute_url()):
                assert client.get(address).status_code == 200
            known = client.get(f"/api/v1/pairings/{scene.placed.key}/").json()["starts_at"]
            assert known[:16] == scene.placed.starts_at.strftime("%Y-%m-%dT%H:%M")
            assert scene.night.venue.name in client.get(scene.placed.get_absolute_url()).content.decode()
        own = feeds.person_feed(bob).decode()
        assert "Game with the mayor" in own

    def test_a_player_who_is_no_member_sees_it(self, scene, charlie):
        Entrant.objects.create(season=scene.season, division=scene.season.divisions.get(), user=charlie, kind="person")
        assert logged_in(charlie).get(scene.night.get_absolute_url()).status_code == 200
        Season.objects.update(status=Season.Status.CLOSED, closed_at=timezone.now())
        assert logged_in(charlie).get(scene.night.get_absolute_url()).status_code == 404

    def test_outsiders_cannot_answer_or_change_it(self, scene, charlie):
        client = logged_in(charlie)
        for step, sent in (("answer", {"answer": "yes"}), ("step", {"do": "cancel"}), ("edit", {})):
            assert client.post(f"{scene.night.get_absolute_url()}{step}/", sent).status_code == 404
        for method, path, sent in (
            (client.put, "answer", {"answer": "yes"}),
            (client.patch, "", {"name": "Mine"}),
        ):
            address = f"/api/v1/nights/{scene.night.key}/{path}{'/' if path else ''}"
            assert method(address, sent, content_type="application/json").status_code == 404

    def test_who_has_left_the_club_hears_nothing_more(self, scene, olga, bob):
        availability.answer(actor=bob, night=scene.night, answer="yes")
        clubs.leave(person=bob, club=scene.club)
        Notice.objects.all().delete()
        nights.change_night(actor=olga, night=scene.night, begins=time(20, 30))
        assert Notice.objects.filter(kind="leagues.night-changed").exists()
        assert not Notice.objects.filter(user=bob).exists()

    def test_the_pages_ask_and_can_change_it(self, scene, as_olga):
        address = f"/leagues/clubs/{scene.club.slug}/nights/new/"
        assert "Who sees it" in as_olga.get(address).content.decode()
        day = scene.night.day + timedelta(days=40)
        sent = {
            "name": "Quiet",
            "venue": scene.night.venue_id,
            "day": day,
            "begins": "19:00",
            "slots": 1,
            "minutes": 60,
        }
        as_olga.post(address, sent | {"is_private": "yes"})
        quiet = ClubNight.objects.get(name="Quiet")
        assert quiet.is_private
        # What a request does not say stays as it is.
        as_olga.post(f"{quiet.get_absolute_url()}edit/", sent | {"tables": 2, "slots": 2})
        quiet.refresh_from_db()
        assert (quiet.is_private, quiet.slots.count()) == (True, 2)
        as_olga.post(f"{quiet.get_absolute_url()}edit/", sent | {"tables": 2, "is_private": "no"})
        quiet.refresh_from_db()
        assert not quiet.is_private
        assert Client().get(quiet.get_absolute_url()).status_code == 200

    def test_a_series_opens_all_its_coming_nights(self, scene, as_olga):
        address = f"/api/v1/clubs/{scene.club.slug}/series/{scene.series.pk}/"
        answer = as_olga.patch(address, {"is_private": False}, content_type="application/json")
        assert (answer.status_code, answer.json()["is_private"]) == (200, False)
        assert not scene.series.nights.filter(is_private=True).exists()
        assert "Rehearsals" in Client().get(f"/leagues/clubs/{scene.club.slug}/nights/").content.decode()

    def test_an_archive_keeps_it_private(self, scene):
        from leagues.import_export.archive import nights as archived

        [line] = archived.serialize_nights(scene.league, lambda pk: pk)
        assert line["is_private"] is True
        scene.placed.placement.delete()
        other = {**line, "key": "another-key1", "slots": [{**each, "placed": []} for each in line["slots"]]}
        ClubNight.objects.filter(pk=scene.night.pk).delete()
        archived.import_night(scene.club, other, lambda pk: pk)
        assert ClubNight.objects.get(name="Game with the mayor").is_private


def test_a_new_club_has_to_choose(as_charlie):
    details = {"name": "Castle Night", "time_zone": "UTC", "admission": "request"}
    page = as_charlie.post("/clubs/new/", details)
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["is_private"]
    as_charlie.post("/clubs/new/", {**details, "is_private": "yes"})
    assert Club.objects.get().is_private


def test_programs_found_public_clubs_unless_they_say_so(charlie):
    assert not clubs.create_club(founder=charlie, name="A").is_private
    assert clubs.create_club(founder=charlie, name="B", is_private=True).is_private
