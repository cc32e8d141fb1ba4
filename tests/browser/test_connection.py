"""A connection that is lost in the middle of a clocked match: noticed, said, and nothing lost."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.harness.match_client import begin, record
from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE, at_once

CHOOSE = """(move) => document.querySelector("#stage > *").dispatchEvent(
  new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }))"""
TABLE = "() => document.querySelector('#stage > *')"
# The page notices within 3 s of its own clock (deploy/static/js/live.js), the opponent's within 10 s of its own.
NOTICED_WITHIN = 3_000
GONE_WITHIN = 10
SOON = 10_000


class Line:
    """A line to the site that can be cut without a word, as when a phone leaves the network.

    Nothing is refused and nothing arrives. What was connected then stays dead; after the repair new connections work.
    """

    def __init__(self, address: str) -> None:
        self.target = (urlsplit(address).hostname, urlsplit(address).port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.is_cut = False
        self.ends: list[socket.socket] = []
        self.carriers: list[threading.Thread] = []
        self.acceptor = threading.Thread(target=self.accept, daemon=True)
        self.acceptor.start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                self.ends.append(near)
                if self.is_cut:
                    continue
                far = socket.create_connection(self.target)
                self.ends.append(far)
                alive = [True]
                for one, other in ((near, far), (far, near)):
                    self.carriers.append(threading.Thread(target=self.carry, args=(one, other, alive), daemon=True))
                    self.carriers[-1].start()

    def carry(self, one: socket.socket, other: socket.socket, alive: list[bool]) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if self.is_cut:
                    alive[0] = False
                if alive[0]:
                    other.sendall(data)
        if alive[0] and not self.is_cut:
            other.close()

    def close(self) -> None:
        hang_up(self.listener)  # whoever waits for it wakes up
        self.acceptor.join()
        for each in self.ends:
            hang_up(each)
        for carrier in self.carriers:
            carrier.join()
        for each in (self.listener, *self.ends):
            each.close()


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def line(site: SiteServer) -> Iterator[Line]:
    made = Line(site.webs[0])
    yield made
    made.close()


def sit(browser: Browser, address: str, session: str, key: str, *, stops_clock: bool = False) -> Page:
    """A page at the table; one whose clock is stopped goes on by hand: how busy the machine is does not matter."""
    context = at_once(browser.new_context(base_url=address, locale="en-GB"))
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page = context.new_page()
    if stops_clock:
        page.clock.install()
    page.goto(f"/play/{key}/")
    page.wait_for_selector("html[data-table=ready]")
    page.wait_for_selector("html[data-live=online]")
    if stops_clock:
        page.clock.pause_at(page.evaluate("() => new Date(Date.now() + 1000)"))
    return page


def one_second(page: Page) -> None:
    """A second passes on a page whose clock stands and whose line works: its heartbeat is answered before the next."""
    page.evaluate("() => { document.querySelector('#lag').textContent = ''; }")
    page.clock.run_for(1_000)
    expect(page.locator("#lag")).to_have_text(re.compile(r"^\d+ ms$"), timeout=PATIENCE)


def ply(page: Page) -> int:
    return int(page.evaluate(f"({TABLE})().view.ply"))


def move(page: Page, notation: str) -> None:
    before = ply(page)
    page.wait_for_function(f"() => ({TABLE})().interactive")
    page.evaluate(CHOOSE, notation)
    page.wait_for_function(f"before => ({TABLE})().view.ply > before", arg=before)


def test_a_cut_line_is_noticed_the_move_is_kept_and_sent_again(site: SiteServer, browser: Browser, line: Line) -> None:
    sessions = {"near": site.sign_in("cut-near"), "far": site.sign_in("cut-far")}
    key = begin(site, *sessions.values(), clock="live-10")
    near, far = sit(browser, line.address, sessions["near"], key), sit(browser, site.webs[0], sessions["far"], key)
    if not near.evaluate(f"({TABLE})().interactive"):
        move(far, "reserve deck 3")
        near.wait_for_function(f"() => ({TABLE})().interactive")
    expect(near.locator("#lag")).to_have_text(re.compile(r"^\d+ ms$"))
    expect(near.locator("#turn-clock")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(far.locator("#absent")).to_be_hidden()

    line.is_cut = True
    before = ply(near)
    near.evaluate(CHOOSE, "reserve deck 2")
    expect(near.locator("[data-offline]")).to_be_visible(timeout=SOON)
    expect(near.locator("#kept")).to_be_visible()
    expect(near.locator("#kept-move")).not_to_be_empty()
    expect(near.locator("#lag")).to_have_text("offline")
    assert near.evaluate(f"({TABLE})().unsent") == "reserve deck 2"
    expect(far.locator("#absent")).to_contain_text("cut-near", timeout=PATIENCE)
    assert record(site, key)["ply"] == before

    line.is_cut = False
    near.locator("#kept [data-reconnect]").click()
    expect(near.locator("#kept")).to_be_hidden()
    expect(near.locator("[data-offline]")).to_be_hidden()
    for page in (near, far):
        page.wait_for_function(f"before => ({TABLE})().view.ply === before + 1", arg=before)
    expect(far.locator("#absent")).to_be_hidden()
    assert near.evaluate(f"({TABLE})().unsent") is None
    assert record(site, key)["plies"] == list(range(before + 1))  # once, and not twice
    for page in (near, far):
        page.context.close()


def test_the_banner_comes_within_three_seconds_of_the_pages_own_clock(
    site: SiteServer, browser: Browser, line: Line
) -> None:
    session = site.sign_in("cut-clock")
    key = begin(site, session, bots=1)
    page = sit(browser, line.address, session, key, stops_clock=True)
    banner = page.locator("[data-offline]")
    for _ in range(4):
        one_second(page)
        expect(banner).to_be_hidden()
    line.is_cut = True
    page.clock.run_for(NOTICED_WITHIN)
    expect(banner).to_be_visible()
    expect(page.locator("#lag")).to_have_text("offline")
    page.context.close()


def test_who_is_cut_off_is_gone_within_ten_seconds_of_the_opponents_own_clock(
    site: SiteServer, browser: Browser, line: Line
) -> None:
    """Whoever goes on reporting stays; the site itself may notice sooner, by the silence of the line."""
    sessions = {"near": site.sign_in("gone-near"), "far": site.sign_in("gone-far")}
    key = begin(site, *sessions.values())
    near = sit(browser, line.address, sessions["near"], key)
    far = sit(browser, site.webs[0], sessions["far"], key, stops_clock=True)
    absent = far.locator("#absent")
    for passed in range(GONE_WITHIN + 2):
        if passed % 4 == 0:  # as often as it reports by itself
            near.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        one_second(far)
        expect(absent).to_be_hidden(timeout=PATIENCE)
    line.is_cut = True
    for _ in range(GONE_WITHIN):
        one_second(far)
    expect(absent).to_be_visible()
    expect(absent).to_contain_text("gone-near")
    line.is_cut = False
    near.evaluate("() => dispatchEvent(new Event('online'))")  # as a browser says that it is back
    expect(absent).to_be_hidden(timeout=PATIENCE)
    for page in (near, far):
        page.context.close()


def test_the_browsers_own_word_is_enough_and_a_kept_move_can_be_taken_back(site: SiteServer, browser: Browser) -> None:
    session = site.sign_in("cut-own")
    key = begin(site, session, bots=1)
    page = sit(browser, site.webs[0], session, key)
    page.wait_for_function(f"() => ({TABLE})().interactive")
    before = ply(page)
    page.context.set_offline(True)
    expect(page.locator("[data-offline]")).to_be_visible(timeout=SOON)
    page.evaluate(CHOOSE, "take red")
    expect(page.locator("#kept-move")).to_have_text("Take red")
    page.locator("#kept-drop").click()
    expect(page.locator("#kept")).to_be_hidden()
    assert not page.evaluate(f"({TABLE})().busy")
    page.evaluate(CHOOSE, "take blue")
    page.context.set_offline(False)
    page.wait_for_function(f"before => ({TABLE})().view.ply === before + 1", arg=before)
    assert page.evaluate(f"({TABLE})().view.table.question.taken")["blue"] == 1
    expect(page.locator("[data-offline]")).to_be_hidden()
    page.context.close()
