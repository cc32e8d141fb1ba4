"""One house with the demo club for all tests that only look at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from accounts.demo import PASSWORD
from tests.houses import House, standing, visited_house

OWNER = "marta"


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
