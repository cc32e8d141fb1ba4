"""Profile, settings, deletion, notices, language and hours."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone

from accounts import clubs, people
from accounts.models import Notice, User
from tests.factories import PASSWORD, logged_in

pytestmark = pytest.mark.django_db

SETTINGS = {
    "display_name": "Bobby",
    "language": "it",
    "time_zone": "Europe/Rome",
    "theme": "dark",
    "challenges_from": "followed",
    "messages_from": "nobody",
}


class TestProfile:
    def test_anyone_sees_name_and_clubs_only(self, client, alice, club):
        text = client.get("/people/alice/").text
        assert "Alice A." in text
        assert "The Round Table" in text
        assert alice.email not in text

    def test_the_address_has_one_spelling(self, client, alice):
        assert client.get("/people/ALICE/").url == "/people/alice/"

    def test_bots_say_so(self, client, db):
        User.objects.create_user("wren", is_bot=True)
        assert "Bot" in client.get("/people/wren/").text

    @pytest.mark.parametrize("handle", ["nobody", "~1", "%00"])
    def test_unknown(self, client, db, handle):
        assert client.get(f"/people/{handle}/").status_code == 404

    def test_who_left_has_no_page(self, client, charlie):
        people.delete_account(person=charlie)
        for handle in ("charlie", f"~{charlie.pk}"):
            assert client.get(f"/people/{handle}/").status_code == 404


class TestSettings:
    def test_save(self, as_bob, bob):
        assert as_bob.post("/settings/", SETTINGS).url == "/settings/"
        bob.refresh_from_db()
        saved = (bob.display_name, bob.language, bob.time_zone, bob.theme, bob.notices_by_mail)
        assert saved == ("Bobby", "it", "Europe/Rome", "dark", True)
        assert (bob.challenges_from, bob.messages_from) == ("followed", "nobody")

    @pytest.mark.parametrize(
        "bad",
        [
            {"display_name": "x" * 61},
            {"language": "xx"},
            {"time_zone": "Mars/X"},
            {"theme": "pink"},
            {"messages_from": "all"},
        ],
    )
    def test_errors_stand_by_their_field(self, as_bob, bob, bad):
        response = as_bob.post("/settings/", {**SETTINGS, **bad})
        assert response.status_code == 422
        assert list(response.context["form"].errors) == list(bad)
        bob.refresh_from_db()
        assert bob.language == "en"

    def test_any_zone_a_browser_named_is_kept(self, bob):
        for zone in ("Etc/GMT+5", "EST", "America/Argentina/Buenos_Aires"):
            people.change_settings(person=bob, time_zone=zone)
            bob.refresh_from_db()
            page = logged_in(bob).get("/settings/")
            assert f'<option value="{zone}" selected>' in page.text

    def test_only_todays_names_of_zones_are_offered(self, as_bob):
        page = as_bob.get("/settings/").text
        for zone in ("Europe/Warsaw", "Europe/Rome", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "UTC"):
            assert f'<option value="{zone}"' in page
        for alias in ("Poland", "US/Pacific", "Asia/Calcutta", "GB", "Etc/GMT+5", "Zulu"):
            assert f'<option value="{alias}"' not in page

    def test_other_fields_are_ignored(self, as_bob, bob):
        as_bob.post("/settings/", {**SETTINGS, "is_staff": "on", "handle": "alice", "email": "x@example.org"})
        bob.refresh_from_db()
        assert (bob.is_staff, bob.handle, bob.email) == (False, "bob", "bob@example.org")


class TestDelete:
    @pytest.fixture(autouse=True)
    def with_password(self, bob):
        bob.set_password(PASSWORD)
        bob.save()

    def test_with_the_password(self, bob):
        client, elsewhere = logged_in(bob), logged_in(bob)
        response = client.post("/settings/delete/", {"password": PASSWORD})
        assert response.status_code == 302
        bob.refresh_from_db()
        assert bob.deleted_at
        for session in (client, elsewhere):
            assert session.get("/settings/").status_code == 302

    @pytest.mark.parametrize("password", ["", "wrong"])
    def test_not_without(self, bob, password):
        response = logged_in(bob).post("/settings/delete/", {"password": password})
        assert response.status_code == 422
        assert response.context["form"].errors["password"]
        bob.refresh_from_db()
        assert bob.is_active

    def test_an_owner_is_told_what_to_do(self, bob, alice):
        from tests.factories import add_member

        add_member(clubs.create_club(founder=bob, name="Bob’s Place"), alice)
        response = logged_in(bob).post("/settings/delete/", {"password": PASSWORD})
        assert response.status_code == 422
        assert "hand the club over" in response.text


class TestNotices:
    @pytest.fixture
    def notice(self, bob, club, alice) -> Notice:
        return Notice.objects.create(
            user=bob, kind="club.made-organiser", actor=alice, club=club, path="/clubs/the-round-table/"
        )

    def test_list(self, as_bob, notice):
        text = as_bob.get("/notices/").text
        assert "Alice A. made you an organiser of The Round Table." in text
        assert "Mark all as read" in text

    def test_empty(self, as_charlie):
        assert "Find a club" in as_charlie.get("/notices/").text

    def test_bell(self, as_bob, as_charlie, notice):
        assert "1 unread" in as_bob.get("/notices/bell/").text
        assert "unread" not in as_charlie.get("/notices/bell/").text

    def test_follow(self, as_bob, notice):
        assert as_bob.post(f"/notices/{notice.pk}/").url == "/clubs/the-round-table/"
        assert "unread" not in as_bob.get("/notices/bell/").text

    def test_charlie_cannot(self, as_charlie, notice):
        assert as_charlie.post(f"/notices/{notice.pk}/").status_code == 404
        notice.refresh_from_db()
        assert notice.read_at is None

    def test_mark_all(self, as_bob, notice):
        assert as_bob.post("/notices/read/").url == "/notices/"
        notice.refresh_from_db()
        assert notice.read_at


class TestLanguage:
    def language(self, client: Client, **headers) -> str:
        return client.get("/clubs/", headers=headers)["Content-Language"]

    def test_browser(self, client, db):
        assert self.language(client, accept_language="pl,en;q=0.5") == "pl"
        assert self.language(client, accept_language="de") == "en"

    def test_cookie_before_browser(self, client, db):
        client.cookies["django_language"] = "it"
        assert self.language(client, accept_language="pl") == "it"

    def test_profile_before_cookie(self, bob):
        User.objects.update(language="pl")
        bob.refresh_from_db()
        client = logged_in(bob)
        client.cookies["django_language"] = "it"
        assert self.language(client, accept_language="en") == "pl"

    def test_a_visitor_switches_in_the_cookie(self, client, db):
        response = client.post("/language/", {"language": "pl", "next": "/clubs/?q=x"})
        assert response.url == "/clubs/?q=x"
        assert self.language(client) == "pl"

    def test_a_person_switches_in_the_profile(self, as_bob, bob):
        response = as_bob.post("/language/", {"language": "pl", "next": "/clubs/"})
        assert response.cookies["django_language"].value == "pl"
        bob.refresh_from_db()
        assert bob.language == "pl"
        assert self.language(as_bob) == "pl"

    def test_no_such_language(self, as_bob, bob):
        assert as_bob.post("/language/", {"language": "xx", "next": "/clubs/"}).status_code == 400
        bob.refresh_from_db()
        assert bob.language == "en"
        assert self.language(as_bob) == "en"

    @pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
    def test_it_never_leads_away(self, client, db, target):
        assert client.post("/language/", {"language": "pl", "next": target}).url == "/"

    def test_it_stays_after_log_out(self, bob):
        people.change_settings(person=bob, language="it")
        bob.refresh_from_db()
        client = logged_in(bob)
        client.get("/clubs/")
        client.post("/accounts/logout/")
        assert "_auth_user_id" not in client.session
        assert self.language(client) == "it"

    def test_the_log_in_answer_sets_the_cookie(self, bob, client):
        from allauth.account.models import EmailAddress

        people.change_settings(person=bob, language="it")
        bob.refresh_from_db()
        bob.set_password(PASSWORD)
        bob.save()
        EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
        response = client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
        assert response.cookies["django_language"].value == "it"
        assert [str(each) for each in get_messages(response.wsgi_request)] == ["Ti diamo il benvenuto, bob."]


class TestTimeZone:
    def test_hours_are_the_readers_own(self, bob, club):
        people.change_settings(person=bob, time_zone="Asia/Tokyo")
        Notice.objects.create(user=bob, kind="club.closed", club=club, path="/", created_at="2026-03-01T20:30:00Z")
        text = logged_in(bob).get("/notices/").text
        assert "2026-03-02T05:30:00+09:00" in text
        assert timezone.get_current_timezone_name() == "UTC"
