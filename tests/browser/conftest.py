"""One site with the demo club for all tests that only look at it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from accounts.demo import PASSWORD
from deploy.harness.servers import SiteServer, browsed_site, standing

OWNER = "marta"
# For a slow machine. Tests wait for a state, never for a time.
PATIENCE = 30_000


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("browsed")))


@pytest.fixture
def demo_site(tmp_path: Path) -> Iterator[SiteServer]:
    """A new site with the demo club, for one test alone."""
    yield from standing(browsed_site(tmp_path))


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[SiteServer]:
    """A new site with nobody in it, for one test alone: no bots of the demo play meanwhile."""
    yield from standing(browsed_site(tmp_path, GAUNTLET_DEMO="off"))


def at_once(context: BrowserContext) -> BrowserContext:
    """A reader who wants to see what the others do at once."""
    context.add_init_script("localStorage.setItem('table-speed', 'instant')")
    return context


def open_drawer(page: Page, name: str) -> None:
    """Open log, talk, rules or table beside the match."""
    if page.locator("#drawer").get_attribute("data-shows") != name or page.locator("#drawer").is_hidden():
        opener = page.locator(f"[data-opens={name}]")
        if opener.is_visible():
            opener.click()
        else:
            page.locator("[data-opens=table]").click()
            page.locator(f"#tab-{name}").click()
    page.locator(f"#panel-{name}").wait_for()


def log_in(page: Page, address: str, handle: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.fill("[name=login]", handle)
    page.fill("[name=password]", PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_url(f"{address}/")


@pytest.fixture(scope="module")
def owners_cookies(site: SiteServer, browser: Browser) -> list:
    """The demo club's owner, logged in once; she reads English here."""
    context = browser.new_context()
    page = context.new_page()
    log_in(page, site.webs[0], OWNER)
    page.click("button[lang=en]")
    cookies = context.cookies()
    context.close()
    return cookies


@pytest.fixture
def visitor(browser: Browser, site: SiteServer) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site.webs[0], locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def owner(browser: Browser, site: SiteServer, owners_cookies: list) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site.webs[0], locale="en-GB")
    context.add_cookies(owners_cookies)
    yield context
    context.close()


def windows(browser: Browser, address: str, sessions: dict[str, str]) -> Iterator[Callable[..., Page]]:
    """Opens a window for a person by handle, on a desktop or a phone; an error in its console fails the test."""
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def open_for(handle: str, *, phone: bool = False) -> Page:
        size = ViewportSize(width=390, height=844) if phone else ViewportSize(width=1280, height=860)
        context = browser.new_context(base_url=address, locale="en-GB", viewport=size, has_touch=phone)
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": "sessionid", "value": sessions[handle], "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        opened.append(context)
        return page

    yield open_for
    for context in opened:
        context.close()
    assert not complaints


def press(page: Page, name: str, within: str = "main") -> None:
    page.locator(within).get_by_role("button", name=name).first.click()


def follow(page: Page, name: str, within: str = "main") -> None:
    page.locator(within).get_by_role("link", name=name).first.click()
