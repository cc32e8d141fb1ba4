"""Two people with a browser each: they become friends, see who is here, challenge, meet by quick pairing, and block."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE, follow, press, windows

Open = Callable[..., Page]


@pytest.fixture
def open_for(browser: Browser, empty_site: SiteServer) -> Iterator[Open]:
    sessions = {handle: empty_site.sign_in(handle) for handle in ("alice", "bob")}
    yield from windows(browser, empty_site.webs[0], sessions)


def test_friends_see_each_other_challenge_and_meet_until_one_blocks(open_for: Open) -> None:
    alice, bob = open_for("alice"), open_for("bob", phone=True)
    alice.goto("/people/bob/")
    press(alice, "Follow")
    bob.goto("/people/alice/")
    press(bob, "Follow")
    expect(bob.locator("#acquaintance")).to_contain_text("here now")

    # Bob goes away and comes back: Alice's open page shows it, without being loaded again.
    alice.goto("/people/")
    expect(alice.locator("#company")).to_contain_text("here now")
    alice.wait_for_selector("html[data-live=online]")
    bob.goto("about:blank")
    expect(alice.locator("#company")).not_to_contain_text("here now")
    bob.goto("/play/challenges/")
    expect(alice.locator("#company")).to_contain_text("here now")

    # A challenge arrives on the open page, and both are led to the table.
    follow(alice, "Challenge", within="#company")
    press(alice, "Challenge", within=".challenge-form")
    expect(alice.locator("#challenge")).to_contain_text("Waiting for the answer of bob")
    press(bob, "Accept")
    table = re.compile(r"/play/[\w-]+/$")
    bob.wait_for_url(table)
    alice.wait_for_url(bob.url, timeout=PATIENCE)

    # Both look for a table of the same game: they get the same one.
    for page in (alice, bob):
        page.goto("/play/quick/")
        press(page, "Find a table")
    bob.wait_for_url(table)
    alice.wait_for_url(bob.url, timeout=PATIENCE)

    # Blocked, she sees nothing of him any more, and cannot challenge him.
    bob.goto("/people/alice/")
    press(bob, "Block")
    press(bob, "Yes, go ahead", within="#confirm")
    expect(bob.locator("#acquaintance")).to_contain_text("Unblock")
    alice.goto("/people/bob/")
    expect(alice.locator("#acquaintance")).not_to_contain_text("here now")
    expect(alice.get_by_role("link", name="Challenge")).to_have_count(0)


def test_what_changes_before_the_page_listens_is_shown_all_the_same(open_for: Open) -> None:
    alice, bob = open_for("alice"), open_for("bob")
    alice.goto("/people/bob/")
    press(alice, "Follow")
    bob.goto("/people/alice/")
    press(bob, "Follow")
    expect(bob.locator("#acquaintance")).to_contain_text("here now")

    # A slow line: what Alice's page sends on its socket arrives only later.
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    is_slow = True

    def slowly(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: held.append((server, text)) if is_slow else server.send(text))

    alice.route_web_socket(re.compile("/ws/$"), slowly)
    alice.goto("/people/")
    expect(alice.locator("#company")).to_contain_text("here now")
    bob.goto("about:blank")
    alice.wait_for_timeout(4_000)
    expect(alice.locator("#company")).to_contain_text("here now")
    is_slow = False
    for server, text in held:
        server.send(text)
    expect(alice.locator("#company")).not_to_contain_text("here now")
