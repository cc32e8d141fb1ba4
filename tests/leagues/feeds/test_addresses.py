"""Addresses of calendar feeds: secret ones, public ones, and the pages that link to them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from deploy.logging_config import hide_secrets
from leagues.feeds import service as feeds
from leagues.models import ClubNight, Feed, Stage, Venue
from tests.leagues.feeds.calendar_factories import NOW, a_night, cellar, paired, published, put, read

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


def of_address(address: str | None) -> str:
    assert address is not None
    return address.removeprefix("http://127.0.0.1:8000")


class TestAddress:
    def test_without_a_session(self, bob, venue):
        a_night(venue, date(2026, 3, 26))
        feeds.renew(person=bob)
        answer = Client().get(of_address(feeds.address_of(bob)))
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        assert "private" in answer["Cache-Control"]
        assert len(read(answer.content)) == 1
        assert not answer.cookies

    def test_renewed_the_old_one_answers_nobody(self, bob, client):
        feeds.renew(person=bob)
        old = of_address(feeds.address_of(bob))
        feeds.renew(person=bob)
        assert of_address(feeds.address_of(bob)) != old
        assert client.get(old).status_code == 404
        assert client.get(of_address(feeds.address_of(bob))).status_code == 200

    def test_the_database_alone_does_not_know_it(self, bob, client):
        feed = feeds.renew(person=bob)
        address = of_address(feeds.address_of(bob))
        assert len(address) - len(feed.key) > 40
        for guess in (feed.key, f"{feed.key}.{'x' * 43}", "", "x", "a.b.c", f"{feed.key}."):
            assert client.get(f"/calendar/{guess}.ics").status_code == 404

    def test_who_has_left_has_none(self, bob, client):
        feeds.renew(person=bob)
        address = of_address(feeds.address_of(bob))
        User.objects.filter(pk=bob.pk).update(is_active=False)
        assert client.get(address).status_code == 404

    def test_nothing_new_is_said_in_few_words(self, bob, venue, client, today):
        a_night(venue, date(2026, 3, 26))
        feeds.renew(person=bob)
        address = of_address(feeds.address_of(bob))
        first = client.get(address)
        for headers in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
            again = client.get(address, headers=headers)
            assert (again.status_code, again.content) == (304, b"")
            assert "private" in again["Cache-Control"]
        today.move_to(NOW + timedelta(minutes=1), tick=False)
        ClubNight.objects.update(name="Another name")
        for headers in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
            assert client.get(address, headers=headers).status_code == 200

    def test_it_stands_in_no_log(self, bob):
        feeds.renew(person=bob)
        address = of_address(feeds.address_of(bob))
        token = address.removeprefix("/calendar/").removesuffix(".ics")
        for line in (f"Internal Server Error: {address}", f"GET https://club.example{address}?x=1 502", address):
            shown = hide_secrets(None, "", {"event": line})["event"]
            assert not any(part in shown for part in token.split("."))
        assert (
            "/calendar/leagues/thursday.ics"
            in hide_secrets(None, "", {"event": "/calendar/leagues/thursday.ics"})["event"]
        )


class TestPublic:
    def test_a_league(self, stage, alice, venue, client):
        pairing = published(stage, alice, closes_at=datetime(2026, 4, 1, 22, tzinfo=UTC))
        put(pairing, a_night(venue, date(2026, 3, 26)).slots.get(number=1))
        answer = client.get("/calendar/leagues/thursday-league.ics?language=it")
        entries = read(answer.content)
        assert {uid.split("-")[0] for uid in entries} == {"table", "round"}
        assert entries[f"table-{pairing.key}@127.0.0.1"].summary.value == "bob e charlie: Thursday league, turno 1"
        assert "public" in answer["Cache-Control"]
        assert (
            client.get(
                answer.request["PATH_INFO"] + "?language=it", headers={"if-none-match": answer["ETag"]}
            ).status_code
            == 304
        )

    def test_a_club(self, stage, alice, venue, client):
        night = a_night(venue, date(2026, 3, 26))
        published(stage, alice, closes_at=datetime(2026, 4, 1, 22, tzinfo=UTC))
        entries = read(client.get(f"/calendar/clubs/{venue.club.slug}.ics").content)
        assert f"night-{night.key}@127.0.0.1" in entries
        assert {uid.split("-")[0] for uid in entries} == {"night", "round"}

    @pytest.mark.parametrize("path", ["leagues/none.ics", "clubs/none.ics", "people/bob.ics"])
    def test_no_such(self, client, path):
        assert client.get(f"/calendar/{path}").status_code == 404

    def test_an_empty_one_is_a_calendar_too(self, club, client):
        assert read(client.get(f"/calendar/clubs/{club.slug}.ics").content) == {}


class TestPage:
    def test_from_no_address_to_another(self, bob):
        client = Client()
        assert client.get("/calendar/").status_code == 302
        client.force_login(bob)
        assert "Get my address" in client.get("/calendar/").text
        assert not Feed.objects.exists()
        client.post("/calendar/renew/")
        page = client.get("/calendar/").text
        address = feeds.address_of(bob)
        assert address in page
        assert address.replace("http://", "webcal://") in page
        client.post("/calendar/renew/")
        assert address not in client.get("/calendar/").text

    def test_a_look_changes_nothing(self, bob):
        client = Client()
        client.force_login(bob)
        assert client.get("/calendar/renew/").status_code == 405

    def test_subscribe_buttons(self, league, client):
        host = "webcal://127.0.0.1:8000/calendar"
        assert f'href="{host}/leagues/{league.slug}.ics?language=en"' in client.get(league.get_absolute_url()).text
        assert (
            f'href="{host}/clubs/{league.club.slug}.ics?language=en"' in client.get(league.club.get_absolute_url()).text
        )
