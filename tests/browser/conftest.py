"""One house with the demo club for all tests that only look at it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from accounts.demo import PASSWORD
from tests.houses import House, standing, visited_house

OWNER = "marta"
# For a machine that does other things too; what is awaited is always a state, never a time.
PATIENCE = 30_000


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from standing(visited_house(tmp_path_factory.mktemp("browsed")))


@pytest.fixture
def demo_house(tmp_path: Path) -> Iterator[House]:
    """The house as everybody first sees it, for one test alone."""
    yield from standing(visited_house(tmp_path))


def log_in(page: Page, address: str, handle: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.fill("[name=login]", handle)
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"{address}/")


@pytest.fixture(scope="module")
def owners_cookies(site: House, browser: Browser) -> list:
    """The demo club's owner, logged in once; she reads English here."""
    context = browser.new_context()
    page = context.new_page()
    log_in(page, site.webs[0], OWNER)
    page.click("button[lang=en]")
    cookies = context.cookies()
    context.close()
    return cookies


@pytest.fixture
def visitor(browser: Browser, site: House) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site.webs[0], locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def owner(browser: Browser, site: House, owners_cookies: list) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site.webs[0], locale="en-GB")
    context.add_cookies(owners_cookies)
    yield context
    context.close()


def windows(browser: Browser, address: str, sessions: dict[str, str]) -> Iterator[Callable[..., Page]]:
    """Opens a window for somebody by handle, on a desk or a phone; an error in its console fails the test."""
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
