"""Authenticator apps, recovery codes, sessions and log-in at other services, through the real pages.

Passkeys need a browser: `tests/browser/test_identity.py`.
"""

import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.test import Client

from accounts.models import AuditEntry, User
from deploy import env
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"


@pytest.fixture(autouse=True)
def no_old_counts():
    cache.clear()


@pytest.fixture
def dora() -> User:
    dora = User.objects.create_user("dora", "dora@example.org", PASSWORD)
    EmailAddress.objects.create(user=dora, email=dora.email, verified=True, primary=True)
    return dora


def who(client: Client) -> str | None:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk).handle if pk else None


def log_in(browser: str = CHROME) -> Client:
    client = Client(headers={"user-agent": browser})
    client.post("/accounts/login/", {"login": "dora", "password": PASSWORD})
    return client


def confirmed(client: Client) -> Client:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def code(secret: str) -> str:
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


@pytest.fixture
def secret(dora) -> str:
    """Dora has set up an app."""
    client = confirmed(log_in())
    page = client.get("/accounts/2fa/totp/activate/")
    secret: str = page.context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": code(secret)})
    cache.clear()
    return secret


class TestAuthenticatorApp:
    def test_it_asks_for_the_password_before_it_changes_anything(self, dora):
        page = log_in().get("/accounts/2fa/totp/activate/")
        assert page.url.startswith("/accounts/reauthenticate/")

    def test_the_password_alone_lets_nobody_in(self, secret):
        client = log_in()
        assert who(client) is None
        page = client.get("/accounts/2fa/authenticate/")
        assert "One more step" in page.content.decode()
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})
        assert who(client) is None
        client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
        assert who(client) == "dora"

    def test_its_secret_is_encrypted_in_the_database(self, secret):
        stored = Authenticator.objects.get(type="totp").data
        assert secret not in str(stored)
        assert stored["secret"].startswith("gAAAA")

    def test_a_wrong_code_switches_nothing_on(self, dora):
        client = confirmed(log_in())
        client.get("/accounts/2fa/totp/activate/")
        page = client.post("/accounts/2fa/totp/activate/", {"code": "123456"})
        assert page.status_code == 200
        assert not Authenticator.objects.exists()

    def test_recovery_codes_let_in_once_each(self, secret):
        client = log_in()
        client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
        confirmed(client)
        client.post("/accounts/2fa/recovery-codes/generate/")
        page = client.get("/accounts/2fa/recovery-codes/")
        (first, *_rest) = page.context["unused_codes"]
        assert len(page.context["unused_codes"]) == 10
        assert first not in str(Authenticator.objects.get(type="recovery_codes").data)
        for expected in ("dora", None):
            other = log_in()
            other.post("/accounts/2fa/authenticate/", {"code": first})
            assert who(other) == expected

    def test_it_is_switched_off_again(self, secret):
        client = log_in()
        client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
        confirmed(client)
        client.post("/accounts/2fa/totp/deactivate/")
        assert not Authenticator.objects.filter(type="totp").exists()
        assert who(log_in()) == "dora"


class TestSessions:
    def test_each_device_is_named(self, dora):
        client = log_in()
        log_in(PHONE)
        page = client.get("/accounts/sessions/").content.decode()
        assert "Chrome · Linux" in page
        assert "Safari · iPhone" in page

    def test_one_is_ended(self, dora):
        here, phone = log_in(), log_in(PHONE)
        session = UserSession.objects.get(user_agent=PHONE)
        here.post(f"/settings/sessions/{session.pk}/end/")
        assert phone.get("/settings/").status_code == 302
        assert here.get("/settings/").status_code == 200
        assert AuditEntry.objects.filter(action="account.session-ended").count() == 1

    def test_all_others_are_ended(self, dora):
        here, phone = log_in(), log_in(PHONE)
        here.post("/accounts/sessions/")
        assert phone.get("/settings/").status_code == 302
        assert here.get("/settings/").status_code == 200

    def test_nobody_ends_anothers(self, dora, as_bob):
        log_in()
        assert as_bob.post(f"/settings/sessions/{UserSession.objects.get().pk}/end/").status_code == 404


class TestLogInAgain:
    """What cannot be undone, or opens an account to others, asks for the password again."""

    @pytest.fixture
    def client(self, dora):
        return log_in()

    def test_before_a_token_is_made(self, client, dora):
        terms = {"name": "reader", "scopes": ["read"], "days": 7}
        asked = client.post("/settings/tokens/", terms)
        assert asked.url.startswith("/accounts/reauthenticate/")
        assert not dora.tokens.exists()
        # What was asked for is done once the password is right.
        client.post(asked.url, {"password": PASSWORD})
        assert dora.tokens.count() == 1

    def test_before_a_club_is_closed_or_handed_over(self, client, dora):
        from accounts import clubs

        club = clubs.create_club(founder=dora, name="Short Lived")
        for verb in ("close", "hand-over"):
            assert client.post(f"/clubs/{club.slug}/{verb}/").url.startswith("/accounts/reauthenticate/")
        club.refresh_from_db()
        assert club.closed_at is None

    def test_who_has_no_password_deletes_their_account_by_handle(self, bob, as_bob):
        assert as_bob.post("/settings/delete/", {"handle": "bobby"}).status_code == 422
        as_bob.post("/settings/delete/", {"handle": "@Bob"})
        bob.refresh_from_db()
        assert bob.deleted_at


class TestOtherServices:
    def test_none_unless_they_are_set_up(self, client):
        assert "Continue with" not in client.get("/accounts/login/").content.decode()
        assert client.post("/accounts/oidc/oidc/login/").status_code == 404

    def test_from_the_environment(self, monkeypatch):
        for name, value in {
            "GAUNTLET_GITHUB_CLIENT": "abc",
            "GAUNTLET_GITHUB_SECRET": "def",
            "GAUNTLET_OIDC_URL": "https://id.example/realms/club/",
            "GAUNTLET_OIDC_CLIENT": "gauntlet",
            "GAUNTLET_OIDC_SECRET": "s",
            "GAUNTLET_OIDC_NAME": "Club login",
        }.items():
            monkeypatch.setenv(name, value)
        providers, origins = env.login_providers()
        assert set(providers) == {"github", "openid_connect"}
        (app,) = providers["openid_connect"]["APPS"]
        assert (app["name"], app["settings"]["server_url"]) == ("Club login", "https://id.example/realms/club")
        assert origins == ["https://github.com", "https://id.example"]

    @pytest.mark.parametrize(
        "given",
        [
            {"GAUNTLET_GOOGLE_CLIENT": "abc"},
            {"GAUNTLET_OIDC_URL": "https://id.example"},
            {"GAUNTLET_OIDC_CLIENT": "a", "GAUNTLET_OIDC_SECRET": "b"},
            {"GAUNTLET_OIDC_URL": "http://id.example", "GAUNTLET_OIDC_CLIENT": "a", "GAUNTLET_OIDC_SECRET": "b"},
        ],
    )
    def test_half_a_set_up_is_refused(self, monkeypatch, given):
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(env.BadSetting):
            env.login_providers()
