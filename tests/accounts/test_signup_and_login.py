"""Signing up and in, through the real pages and real e-mails."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.core.cache import cache
from django.test import Client

from accounts.forms import SignupForm
from accounts.models import AuditEntry, User
from tests.factories import PASSWORD, role_of

pytestmark = pytest.mark.django_db

FORM = {"username": "Dora", "email": "Dora@Example.org", "password1": PASSWORD}


@pytest.fixture(autouse=True)
def no_old_counts():
    cache.clear()


@pytest.fixture
def dora() -> User:
    dora = User.objects.create_user("Dora", "dora@example.org", PASSWORD)
    EmailAddress.objects.create(user=dora, email=dora.email, verified=True, primary=True)
    return dora


def who(client: Client) -> str | None:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk).handle if pk else None


def link_in(letter) -> str:
    found = re.search(r"https?://[^/]+(/\S+)", letter.body)
    assert found, letter.body
    return found[1]


def log_in(client: Client, login: str, password: str = PASSWORD, **more):
    return client.post("/accounts/login/", {"login": login, "password": password, **more})


class TestSignUp:
    def test_the_whole_way(self, client, mailoutbox):
        page = client.get("/accounts/signup/")
        assert set(page.context["form"].fields) >= {"username", "email", "password1"}
        response = client.post(
            "/accounts/signup/", {**FORM, "time_zone": "Europe/Warsaw"}, headers={"accept-language": "pl"}
        )
        assert response.url == "/accounts/confirm-email/"
        assert who(client) is None
        user = User.objects.get()
        assert (user.handle, user.email, user.language, user.time_zone) == (
            "Dora",
            "dora@example.org",
            "pl",
            "Europe/Warsaw",
        )
        assert AuditEntry.objects.get().action == "account.made"
        (letter,) = mailoutbox
        assert letter.to == ["dora@example.org"]
        path = link_in(letter)
        assert client.get(path).status_code == 200
        assert not EmailAddress.objects.get().verified
        client.post(path)
        assert EmailAddress.objects.get().verified
        assert who(client) == "Dora"

    def test_not_in_before_the_confirmation(self, client, mailoutbox):
        client.post("/accounts/signup/", FORM)
        log_in(client, "dora")
        assert who(client) is None

    def test_an_invite_waits_behind_the_door(self, client, mailoutbox, invite, club):
        back = f"/join/{invite.token}/"
        client.post(f"/accounts/signup/?next={back}", {**FORM, "next": back})
        response = client.post(link_in(mailoutbox[-1]))
        assert response.url == back
        client.post(back)
        assert role_of(club, User.objects.get(handle="Dora")) == "member"

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("username", "ALICE"),
            ("username", "a b"),
            ("username", "~12"),
            ("username", "x"),
            ("username", "admin"),
            ("username", ""),
            ("email", "nonsense"),
            ("email", ""),
            ("password1", "short"),
            ("password1", "1234567890123"),
            ("password1", "password123"),
            ("password1", "dora-dora"),
        ],
    )
    def test_errors_stand_by_their_field(self, client, alice, field, value):
        response = client.post("/accounts/signup/", {**FORM, field: value})
        assert list(response.context["form"].errors) == [field]
        assert User.objects.count() == 1

    def test_somebody_was_quicker_by_a_hair(self, client):
        form = SignupForm(FORM)
        assert form.is_valid()
        User.objects.create_user("dora")
        request = client.get("/accounts/signup/").wsgi_request
        user, response = form.try_save(request)
        assert (user, response.url) == (None, "/accounts/signup/")
        assert "taken this handle" in str(next(iter(messages.get_messages(request))))
        assert User.objects.count() == 1

    def test_a_known_address_is_not_given_away(self, client, dora, mailoutbox):
        response = client.post("/accounts/signup/", {**FORM, "username": "other"})
        assert response.url == "/accounts/confirm-email/"
        assert User.objects.count() == 1
        assert mailoutbox[0].to == ["dora@example.org"]

    @pytest.mark.parametrize("zone", ["Mars/X", "../../etc/passwd", ""])
    def test_a_strange_zone_is_utc(self, client, zone):
        client.post("/accounts/signup/", {**FORM, "time_zone": zone})
        assert User.objects.get().time_zone == "UTC"


class TestLogIn:
    @pytest.mark.parametrize("login", ["Dora", "dora", "DORA", "dora@example.org", "Dora@Example.org"])
    def test_by_handle_or_e_mail(self, client, dora, login):
        log_in(client, login)
        assert who(client) == "Dora"

    @pytest.mark.parametrize(("login", "password"), [("dora", "wrong"), ("nobody", PASSWORD), ("", "")])
    def test_errors(self, client, dora, login, password):
        response = log_in(client, login, password)
        assert response.status_code == 200
        assert response.context["form"].errors
        assert who(client) is None

    @pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "javascript:alert(1)"])
    def test_it_never_leads_away(self, client, dora, target):
        assert log_in(client, "dora", next=target).url == "/"

    def test_brute_force_is_stopped(self, client, dora):
        for _ in range(5):
            log_in(client, "dora", "wrong")
        response = log_in(client, "dora")
        assert "__all__" in response.context["form"].errors
        assert who(client) is None

    def test_wrong_passwords_do_not_lock_the_address_for_others(self, client, dora, alice):
        for _ in range(12):
            log_in(client, "alice", "wrong")
        log_in(client, "dora")
        assert who(client) == "Dora"

    def test_nor_the_account_at_other_addresses(self, client, dora):
        for _ in range(6):
            log_in(client, "dora", "wrong")
        elsewhere = Client(REMOTE_ADDR="192.0.2.8")
        log_in(elsewhere, "dora")
        assert who(elsewhere) == "Dora"

    def test_guesses_from_many_addresses_are_stopped_but_not_the_owner(self, client, dora):
        at_home = Client(REMOTE_ADDR="192.0.2.1")
        log_in(at_home, "dora")
        at_home.post("/accounts/logout/")
        for number in range(2, 22):
            for _ in range(3):
                log_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), "dora", "wrong")
        guesser = Client(REMOTE_ADDR="192.0.2.99")
        log_in(guesser, "dora")
        assert who(guesser) is None
        log_in(at_home, "dora")
        assert who(at_home) == "Dora"

    def test_log_out_is_a_post(self, client, dora):
        log_in(client, "dora")
        client.get("/accounts/logout/")
        assert who(client) == "Dora"
        client.post("/accounts/logout/")
        assert who(client) is None


class TestPassword:
    new = "another-long-night"

    def test_change(self, client, dora):
        log_in(client, "dora")
        client.post(
            "/accounts/password/change/",
            {"oldpassword": PASSWORD, "password1": self.new, "password2": self.new},
        )
        dora.refresh_from_db()
        assert dora.check_password(self.new)
        assert who(client) == "Dora"

    def test_reset(self, client, dora, mailoutbox):
        client.post("/accounts/password/reset/", {"email": "dora@example.org"})
        page = client.get(link_in(mailoutbox[0]), follow=True)
        client.post(page.request["PATH_INFO"], {"password1": self.new, "password2": self.new})
        log_in(client, "dora", self.new)
        assert who(client) == "Dora"

    def test_reset_for_nobody_looks_the_same(self, client, dora, mailoutbox):
        known = client.post("/accounts/password/reset/", {"email": "dora@example.org"})
        unknown = client.post("/accounts/password/reset/", {"email": "x@example.org"})
        assert (known.status_code, known.url) == (unknown.status_code, unknown.url)


class TestChangeOfAddress:
    def test_the_new_one_counts_once_confirmed(self, client, dora, mailoutbox):
        log_in(client, "dora")
        # A change of this kind asks for the password again.
        asked = client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
        assert asked.url.startswith("/accounts/reauthenticate/")
        client.post(asked.url, {"password": PASSWORD})
        dora.refresh_from_db()
        assert dora.email == "dora@example.org"
        letter = next(letter for letter in mailoutbox if letter.to == ["new@example.org"])
        client.post(link_in(letter))
        dora.refresh_from_db()
        assert dora.email == "new@example.org"
