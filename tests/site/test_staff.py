"""What the site's staff do, the site's own pages, and everybody's own data as a file."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from accounts import administration
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, User
from deploy import site_pages
from deploy.models import SitePage
from games import chat
from tests.factories import PASSWORD, add_member, create_user, finished_match, logged_in, started_match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]


@pytest.fixture(autouse=True)
def no_old_counts():
    cache.clear()


@pytest.fixture
def as_stella(stella) -> Client:
    return logged_in(stella)


def log_in(login: str) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    return client


@pytest.fixture
def dora() -> User:
    return User.objects.create_user("dora", "dora@example.org", PASSWORD, display_name="Dora Ł.")


class TestPeople:
    def test_find(self, as_stella, dora, bob):
        for query in ("dora", "Dora l", "DORA@example"):
            page = as_stella.get("/staff/people/", {"q": query}).content.decode()
            assert "dora@example.org" in page
            assert "bob@example.org" not in page

    def test_confirm_somebody_whose_letter_never_came(self, as_stella, dora):
        log_in("dora")
        as_stella.post("/staff/people/dora/confirm/")
        assert EmailAddress.objects.get(user=dora).verified
        assert log_in("dora").get("/settings/").status_code == 200
        assert AuditEntry.objects.filter(action="account.confirmed").count() == 1

    def test_lock_and_unlock(self, as_stella, dora):
        as_stella.post("/staff/people/dora/confirm/")
        client = log_in("dora")
        as_stella.post("/staff/people/dora/lock/", {"reason": ""})
        assert client.get("/settings/").status_code == 200
        as_stella.post("/staff/people/dora/lock/", {"reason": "spam"})
        assert client.get("/settings/").status_code == 302
        assert log_in("dora").get("/settings/").status_code == 302
        assert AuditEntry.objects.get(action="account.locked").params == {"reason": "spam"}
        as_stella.post("/staff/people/dora/unlock/")
        assert log_in("dora").get("/settings/").status_code == 200

    def test_a_link_for_a_new_password(self, as_stella, dora):
        page = as_stella.post("/staff/people/dora/password/")
        path = page.context["link"].removeprefix("http://testserver")
        assert "no-store" in page["Cache-Control"]
        client = Client()
        form = client.get(path, follow=True)
        client.post(form.request["PATH_INFO"], {"password1": "a-new-long-night", "password2": "a-new-long-night"})
        dora.refresh_from_db()
        assert dora.check_password("a-new-long-night")
        assert path.split("/")[-2] not in str(list(AuditEntry.objects.values()))

    def test_a_lost_second_factor(self, as_stella, dora):
        Authenticator.objects.create(user=dora, type="totp", data={"secret": "x"})
        as_stella.post("/staff/people/dora/factor/")
        assert not Authenticator.objects.exists()

    def test_staff_is_out_of_reach(self, stella, dora):
        other = create_user("sam", is_staff=True)
        for verb in (administration.password_link, administration.switch_off_second_factor, administration.unlock):
            with pytest.raises(Refused, match="staff account"):
                verb(actor=stella, person=other)
        with pytest.raises(Refused, match="staff account"):
            administration.lock(actor=stella, person=other, reason="x")

    def test_nobody_else_may(self, alice, dora):
        for verb in (administration.password_link, administration.confirm_address, administration.unlock):
            with pytest.raises(NotAllowed):
                verb(actor=alice, person=dora)

    def test_verbs_ask_again_who_it_is(self, dora):
        User.objects.create_user("sigrid", "sigrid@example.org", PASSWORD, is_staff=True)
        EmailAddress.objects.create(
            user=User.objects.get(handle="sigrid"), email="sigrid@example.org", verified=True, primary=True
        )
        asked = log_in("sigrid").post("/staff/people/dora/lock/", {"reason": "x"})
        assert asked.url.startswith("/accounts/reauthenticate/")
        assert User.objects.get(handle="dora").is_active


class TestOverview:
    @pytest.mark.parametrize("path", ["", "people/", "people/bob/", "clubs/", "deliveries/", "log/"])
    def test_every_page(self, as_stella, club, path):
        assert as_stella.get(f"/staff/{path}").status_code == 200

    def test_the_menu_leads_there(self, as_stella, as_bob):
        assert 'href="/staff/"' in as_stella.get("/").content.decode()
        assert 'href="/staff/"' not in as_bob.get("/").content.decode()


class TestSitePages:
    @pytest.mark.parametrize("name", SitePage.Name.values)
    @pytest.mark.parametrize("language", ["en", "it", "pl"])
    def test_our_words(self, client, name, language):
        page = client.get(f"/{name}/", headers={"accept-language": language})
        assert page.status_code == 200
        assert len(site_pages.default_text(name, language)) > 60
        if language != "en":
            assert site_pages.default_text(name, language) != site_pages.default_text(name, "en")

    def test_linked_on_every_page(self, client):
        page = client.get("/clubs/").content.decode()
        for name in SitePage.Name.values:
            assert f'href="/{name}/"' in page

    def test_staff_write_their_own(self, as_stella, client):
        as_stella.post("/staff/pages/contact/en/", {"text": "Write to **us**. <script>alert(1)</script>"})
        page = client.get("/contact/").content.decode()
        assert "<strong>us</strong>" in page
        assert "<script>alert" not in page
        as_stella.post("/staff/pages/contact/en/", {"text": " "})
        assert "Write to <strong>us</strong>" not in client.get("/contact/").content.decode()
        assert not SitePage.objects.exists()

    def test_others_do_not(self, as_alice):
        assert as_alice.post("/staff/pages/contact/en/", {"text": "x"}).status_code == 403

    def test_robots(self, client, settings):
        assert client.get("/robots.txt").content.decode() == "User-agent: *\nDisallow: /\n"
        settings.PUBLIC_HOSTS = ["club.example"]
        lines = client.get("/robots.txt").content.decode().splitlines()
        assert "Disallow: /settings/" in lines
        assert "Disallow: /" not in lines


class TestOwnData:
    def test_everything_of_ones_own_and_nothing_of_others(self, alice, bob, club):
        match = finished_match(started_match(alice, bob))
        chat.post_line(person=alice, match=match, text="hers")
        chat.post_line(person=bob, match=match, text="his")
        page = logged_in(alice).post("/settings/data/")
        assert page["Content-Disposition"] == 'attachment; filename="gauntlet-alice.json"'
        data = json.loads(page.content)
        assert data["account"]["email"] == "alice@example.org"
        assert data["clubs"][0]["club_name"] == "The Round Table"
        assert [line["text"] for line in data["talk"]] == ["hers"]
        assert data["matches"][0]["match_key"] == match.key
        assert "bob@example.org" not in page.content.decode()

    def test_no_secrets(self, alice, bob):
        match = started_match(alice, bob)
        body = logged_in(alice).post("/settings/data/").content.decode()
        assert match.secret not in body
        assert alice.password not in body

    def test_members_of_a_private_club_take_their_own_along(self, charlie, club):
        add_member(club, charlie)
        club.is_private = True
        club.save()
        assert "The Round Table" in logged_in(charlie).post("/settings/data/").content.decode()
