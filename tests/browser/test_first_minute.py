"""From the front page to the first move, without an account: two clicks, and the time they take."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once, open_drawer
from tests.browser.test_match_frame import CHOOSE, VIEW

PASSWORD = "a-lantern-in-the-rain"
# The table as the server has it.
# What we promise a visitor; a busy machine gets more.
SECONDS, PATIENCE = 5, 30


class Fingers:
    """Counts what a visitor does."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.clicks += 1


@pytest.fixture
def stranger(browser: Browser, empty_site: SiteServer) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=empty_site.webs[0], locale="en-GB", viewport={"width": 1280, "height": 720})
    yield at_once(context)
    context.close()


def first_move(page: Page) -> Fingers:
    fingers = Fingers(page)
    fingers.click("form[action='/play/now/thanos-rising/'] button")
    page.wait_for_url("**/play/*/")
    fingers.click("#stage [data-move^='deploy']")
    page.wait_for_function("document.querySelector('#stage > *').view?.table.question !== 'deploy'")
    return fingers


def test_two_clicks_to_the_first_move(stranger: BrowserContext, capsys) -> None:
    page = stranger.new_page()
    page.goto("/", wait_until="load")
    began = time.perf_counter()
    fingers = first_move(page)
    took = time.perf_counter() - began
    with capsys.disabled():
        print(
            f"\nfront page to first move: {fingers.clicks} clicks, {took:.2f} s (at most {SECONDS} s on a free machine)"
        )
    assert fingers.clicks == 2
    assert took < PATIENCE


def test_two_tabs_and_a_name_that_is_kept(stranger: BrowserContext, empty_site: SiteServer) -> None:
    page = stranger.new_page()
    page.goto("/")
    first_move(page)
    # The same table in a second tab is the same seat: what is done in one is seen in the other.
    other = stranger.new_page()
    other.goto(page.url)
    expect(other.locator(".watching")).to_have_count(0)
    open_drawer(page, "table")
    expect(page.locator("#panel-table")).to_contain_text("without an account")
    empty_site.python("from accounts.models import User; User.objects.create_user('nadia')")
    keeping = stranger.new_page()
    keeping.goto("/keep/")
    name = keeping.locator("[name=name]").input_value()
    keeping.fill("[name=handle]", "Nadia")
    keeping.fill("[name=password]", PASSWORD)
    keeping.click("main form button")
    expect(keeping.locator("main")).to_contain_text("This handle is taken.")
    keeping.fill("[name=handle]", "nadia-k")
    keeping.fill("[name=password]", PASSWORD)
    keeping.click("main form button")
    expect(keeping.locator("h1")).to_contain_text(name)
    expect(keeping.locator("#own-tables")).to_contain_text("Thanos Rising")
    # The tabs that were open before play on.
    before = other.evaluate(f"({VIEW})().ply")
    other.evaluate(CHOOSE, other.evaluate(f"({VIEW})().legal[0]"))  # by a press or by a die and its place
    other.wait_for_function(f"before => ({VIEW})().ply > before", arg=before)
    other.reload()
    expect(other.locator(".watching")).to_have_count(0)
