"""Common attacks, each tried on all routes where it could work."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site_settings
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from leagues.models import ClubNight, Venue
from tests.accounts import test_access as of_clubs
from tests.factories import PASSWORD, logged_in
from tests.leagues.pages import test_routes as of_leagues
from tests.security import outcome_tables, url_walker

pytestmark = pytest.mark.django_db
VALUES = {
    "pk": 1,
    "number": 1,
    "round": 1,
    "entrant": 1,
    "key": "abcdefgh12",
    "token": "abc",
    "handle": "bob",
    "left": "a",
}
ELSEWHERE = [
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "\\\\evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://testserver/x",
    "http:evil.example",
    "https://testserver@evil.example/",
    " //evil.example",
    "\t//evil.example",
    "/\t/evil.example",
]


def address(route: url_walker.Route) -> str:
    if route.name == "account_confirm_email":
        return "/accounts/confirm-email/nothing/"
    if route.name == "account_reset_password_from_key":
        return "/accounts/password/reset/key/1-nothing/"
    if route.name.startswith("api/"):
        return "/api/nothing/"
    if route.name.startswith("openid_connect_"):
        return reverse(route.name, kwargs={"provider_id": "x"})
    if route.name == route.path:  # an older address of django-allauth, without a name
        return f"/{route.path}"
    return reverse(route.name, kwargs={part: VALUES.get(part, "x") for part in route.parts})


def taking_forms() -> list[url_walker.Route]:
    """Routes that take POST, from the tables."""
    posted = {f"accounts:{name}" for name, method, _ in of_clubs.ROUTES if method == "post"}
    posted |= {f"leagues:{name}" for name, method, _ in of_leagues.ROUTES if method == "post"}
    posted |= {row.split()[1] for row in outcome_tables.read("routes.txt") if row.startswith("POST")}
    return [route for route in url_walker.routes() if route.name in posted]


class TestForgedForms:
    def test_no_form_is_taken_without_its_token(self, bob):
        """The CSRF token is checked before any object is looked up."""
        client = Client(enforce_csrf_checks=True)
        client.force_login(bob)
        taken = {}
        for route in taking_forms():
            answer = client.post(address(route), {"next": "/"})
            # A link in an e-mail is followed by mail programs too, with one click and no cookie (RFC 8058).
            expected = 404 if route.name == "accounts:notices-stop" or route.name.startswith("api/") else 403
            if answer.status_code != expected:
                taken[route.name] = answer.status_code
        assert len(taking_forms()) > 100
        assert not taken

    def test_nor_one_from_another_site(self, bob):
        client = Client(enforce_csrf_checks=True)
        client.force_login(bob)
        token = client.get("/settings/").context["csrf_token"]
        sent = {"csrfmiddlewaretoken": str(token), "theme": "dark"}
        assert client.post("/theme/", sent).status_code == 302
        assert client.post("/theme/", sent, headers={"Origin": "https://evil.example"}).status_code == 403
        assert client.post("/theme/", sent, headers={"Origin": "null"}).status_code == 403

    def test_the_api_asks_a_session_for_its_token(self, bob):
        client = Client(enforce_csrf_checks=True)
        client.force_login(bob)
        for method, path in (
            ("post", "/api/v1/tables/now/"),
            ("patch", "/api/v1/me/"),
            ("delete", "/api/v1/me/token/"),
        ):
            answer = getattr(client, method)(path, data="{}", content_type="application/json")
            assert answer.status_code == 403
            assert "CSRF" in answer.json()["detail"]

    def test_a_form_cannot_pass_for_json(self, bob):
        """No operation reads what another site's page can send without CORS."""
        client = logged_in(bob)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = client.post("/api/v1/tables/now/", data=b'{"game": "splendor-marvel"}', content_type=kind)
            assert answer.status_code == 415


class TestSessions:
    @pytest.fixture
    def dora(self, db) -> User:
        dora = User.objects.create_user("dora", "dora@example.org", PASSWORD)
        EmailAddress.objects.create(user=dora, email=dora.email, verified=True, primary=True)
        return dora

    def test_a_key_that_was_planted_is_worth_nothing(self, client, dora):
        client.get("/accounts/login/")
        session = client.session
        session["planted"] = True
        session.save()
        client.cookies[site_settings.SESSION_COOKIE_NAME] = session.session_key
        client.post("/accounts/login/", {"login": "dora", "password": PASSWORD})
        assert client.session.session_key != session.session_key
        assert (
            Client(headers={"cookie": f"{site_settings.SESSION_COOKIE_NAME}={session.session_key}"})
            .get("/settings/")
            .url.startswith("/accounts/login/")
        )

    def test_log_out_ends_it_on_the_server(self, client, dora):
        client.post("/accounts/login/", {"login": "dora", "password": PASSWORD})
        key = client.session.session_key
        client.post("/accounts/logout/")
        again = Client(headers={"cookie": f"{site_settings.SESSION_COOKIE_NAME}={key}"})
        assert again.get("/settings/").status_code == 302

    def test_a_new_password_ends_the_others(self, client, dora):
        other = Client()
        for each in (client, other):
            each.post("/accounts/login/", {"login": "dora", "password": PASSWORD})
        fresh = {"oldpassword": PASSWORD, "password1": "another-roll-of-dice", "password2": "another-roll-of-dice"}
        assert client.post("/accounts/password/change/", fresh).status_code == 302
        assert client.get("/settings/").status_code == 200
        assert other.get("/settings/").status_code == 302

    def test_cookies(self, client, dora):
        answer = client.post("/accounts/login/", {"login": "dora", "password": PASSWORD})
        client.post("/theme/", {"theme": "dark"})
        client.post("/language/", {"language": "it"})
        client.get("/settings/")
        assert answer.cookies.keys() >= {site_settings.SESSION_COOKIE_NAME}
        for name, cookie in client.cookies.items():
            assert cookie["samesite"] == "Lax", name
            assert cookie["httponly"] or not cookie.value, name


class TestWaysOut:
    """Views that redirect to a given address only redirect to this site."""

    @pytest.mark.parametrize("target", ELSEWHERE)
    def test_nothing_leads_away(self, club, bob, target):
        EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
        bob.set_password(PASSWORD)
        bob.save()
        tries: list[Any] = [
            Client().post("/accounts/login/", {"login": "bob", "password": PASSWORD, "next": target}),
            Client().post("/theme/", {"theme": "dark", "next": target}),
            Client().post("/theme/", {"theme": "dark"}, headers={"Referer": target}),
            Client().post("/language/", {"language": "it", "next": target}),
            Client().post("/language/", {"language": "it"}, headers={"Referer": target}),
            logged_in(bob).post("/accounts/logout/", {"next": target}),
            logged_in(bob).get("/accounts/login/", {"next": target}),
            logged_in(bob).get("/accounts/signup/", {"next": target}),
        ]
        for answer in tries:
            assert answer.status_code == 302
            assert re.match(r"/(?![/\\])", answer["Location"]), answer["Location"]

    def test_every_view_that_reads_it_is_tried(self):
        """Every view that reads such an address is in the list above, or tested in its app."""
        asked = re.compile(r"""(?:POST|GET)\.get\(\s*["']next["']|HTTP_REFERER|headers.*Referer""")
        found = {
            str(path.relative_to(site_settings.ROOT))
            for app in ("accounts", "deploy", "games", "leagues")
            for path in (site_settings.ROOT / app).rglob("*.py")
            if asked.search(path.read_text(encoding="utf-8"))
        }
        assert found == {"deploy/preferences.py", "leagues/views/nights.py"}

    def test_nor_an_answer_to_a_night(self, club, bob):
        start = timezone.now() + timedelta(days=3)
        times = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
        venue = Venue.objects.create(club=club, name="The cellar", tables=6)
        night = ClubNight.objects.create(club=club, venue=venue, day=start.date(), **times)
        for target in ELSEWHERE:
            answer = logged_in(bob).post(f"/leagues/nights/{night.key}/answer/", {"answer": "yes", "next": target})
            assert (answer.status_code, answer["Location"]) == (302, night.get_absolute_url())


class TestHostNames:
    def test_an_unknown_name_is_refused(self, client, settings):
        settings.DEBUG = False
        for name in ("evil.example", "testserver.evil.example", "127.0.0.1@evil.example"):
            assert client.get("/", headers={"host": name}).status_code == 400

    def test_a_reset_link_leads_to_the_site(self, client, settings):
        """A link in an e-mail never uses the Host header of the request."""
        settings.ALLOWED_HOSTS = ["*"]
        settings.SITE_URL = "https://club.example"
        dora = User.objects.create_user("dora", "dora@example.org", PASSWORD)
        EmailAddress.objects.create(user=dora, email=dora.email, verified=True, primary=True)
        client.post("/accounts/password/reset/", {"email": dora.email}, headers={"host": "evil.example"})
        assert "evil.example" not in mail.outbox[0].body
        assert "https://club.example/accounts/password/reset/key/" in mail.outbox[0].body

    def test_so_do_those_of_signing_up(self, client, settings):
        settings.ALLOWED_HOSTS = ["*"]
        settings.SITE_URL = "https://club.example"
        form = {"username": "emil", "email": "emil@example.org", "password1": PASSWORD}
        client.post("/accounts/signup/", form, headers={"host": "evil.example"})
        assert "evil.example" not in mail.outbox[0].body
        assert "https://club.example/accounts/confirm-email/" in mail.outbox[0].body

    def test_no_page_repeats_the_name_it_was_asked_by_into_a_cache(self, client, settings, club):
        """Cacheable answers do not contain the user or the host name of the request."""
        settings.ALLOWED_HOSTS = ["*"]
        for path in ("/leaderboards/splendor-marvel/board.json", f"/calendar/clubs/{club.slug}.ics", "/api/v1/schema/"):
            answer = client.get(path, headers={"host": "evil.example"})
            assert answer.status_code == 200
            assert b"evil.example" not in answer.content, path
