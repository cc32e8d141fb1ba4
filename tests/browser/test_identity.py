"""Passkeys with Chromium's virtual authenticator, and log-in at a provider of OpenID Connect that the test starts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.browser import oidc_provider
from tests.browser.conftest import follow, press

PASSWORD = "a-lantern-in-the-rain"
SET_UP = f"""
from allauth.account.models import EmailAddress
from accounts.models import User
for handle in ("nadia", "oskar"):
    person = User.objects.create_user(handle, f"{{handle}}@example.org", {PASSWORD!r})
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[oidc_provider.Provider]:
    person = {"sub": "p-17", "preferred_username": "paula", "email": "paula@example.org", "email_verified": True}
    with oidc_provider.running(person) as provider:
        yield provider


@pytest.fixture(scope="module")
def identity_site(tmp_path_factory: pytest.TempPathFactory, provider: oidc_provider.Provider) -> Iterator[SiteServer]:
    site = browsed_site(
        tmp_path_factory.mktemp("identity"),
        GAUNTLET_DEMO="off",
        GAUNTLET_OIDC_URL=provider.address,
        GAUNTLET_OIDC_NAME="Club login",
        GAUNTLET_OIDC_CLIENT=oidc_provider.CLIENT,
        GAUNTLET_OIDC_SECRET=oidc_provider.SECRET,
    )
    for opened in standing(site):
        opened.python(SET_UP)
        yield opened


@pytest.fixture
def window(browser: Browser, identity_site: SiteServer) -> Iterator[BrowserContext]:
    # A passkey belongs to a name: an address of numbers cannot have one.
    address = identity_site.webs[0].replace("127.0.0.1", "localhost")
    context = browser.new_context(base_url=address, locale="en-GB")
    yield context
    context.close()


def with_authenticator(page: Page) -> None:
    """A device that confirms its owner at once."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def log_in(page: Page, handle: str) -> None:
    page.goto("/accounts/login/")
    page.fill("[name=login]", handle)
    page.fill("[name=password]", PASSWORD)
    page.locator("main form").first.locator("button").click()


def test_a_passkey_replaces_the_password(window: BrowserContext):
    page = window.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    with_authenticator(page)
    log_in(page, "nadia")
    expect(page.locator("h1")).to_contain_text("nadia")
    page.goto("/accounts/2fa/")
    follow(page, "Add a passkey")
    # What opens the account to another key asks for the password again.
    page.fill("[name=password]", PASSWORD)
    press(page, "Continue")
    page.fill("[name=name]", "My laptop")
    press(page, "Add a passkey")
    expect(page.locator("main")).to_contain_text("The passkey is added.")
    page.goto("/accounts/2fa/")
    expect(page.locator("#passkeys + p + ul")).to_contain_text("My laptop")

    page.goto("/accounts/logout/")
    press(page, "Log out")
    page.goto("/accounts/login/")
    press(page, "Log in with a passkey")
    expect(page.locator("h1")).to_contain_text("nadia")

    # With the password it is the second factor.
    page.goto("/accounts/logout/")
    press(page, "Log out")
    log_in(page, "nadia")
    expect(page.locator("h1")).to_have_text("One more step")
    press(page, "Use a passkey")
    expect(page.locator("h1")).to_contain_text("nadia")
    assert complaints == []


def test_a_device_that_does_not_confirm_lets_nobody_in(window: BrowserContext):
    page = window.new_page()
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": {**options, "isUserVerified": False}})
    page.goto("/accounts/login/")
    press(page, "Log in with a passkey")
    expect(page.locator("[data-passkey-error]")).to_be_visible()


def test_a_newcomer_comes_in_through_the_clubs_own_log_in(window: BrowserContext):
    page = window.new_page()
    page.goto("/accounts/login/")
    press(page, "Continue with Club login")
    expect(page.locator("h1")).to_have_text("Almost there")
    expect(page.locator("[name=username]")).to_have_value("paula")
    press(page, "Sign up")
    expect(page.locator("h1")).to_contain_text("paula")

    page.goto("/accounts/logout/")
    press(page, "Log out")
    page.goto("/accounts/login/")
    press(page, "Continue with Club login")
    expect(page.locator("h1")).to_contain_text("paula")


def test_an_address_at_another_service_opens_no_account_here(
    window: BrowserContext, provider: oidc_provider.Provider, monkeypatch: pytest.MonkeyPatch
):
    """Somebody at the other service has Oskar's address: they do not become Oskar."""
    stranger = {"sub": "p-18", "preferred_username": "oscar", "email": "oskar@example.org", "email_verified": True}
    monkeypatch.setattr(provider, "person", stranger)
    page = window.new_page()
    page.goto("/accounts/login/")
    press(page, "Continue with Club login")
    expect(page.locator("h1")).to_have_text("Almost there")
    press(page, "Sign up")
    expect(page.locator("main")).to_contain_text("There is an account with this e-mail address already")
    page.goto("/settings/")
    expect(page).to_have_url(f"{page.evaluate('location.origin')}/accounts/login/?next=/settings/")
