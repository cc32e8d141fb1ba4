"""A finished match updates an open leaderboard without a reload."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.harness.match_client import Player, begin
from deploy.harness.servers import SiteServer, browsed_site, standing

GAME = "infinity-gauntlet"
PATIENCE = 60_000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path, GAUNTLET_DEMO="off"))


def listening(page: Page, path: str) -> None:
    """Open a page and wait until it receives rating updates. A mark on it would be gone after a reload."""
    frames: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.goto(path)
    while f'{{"subscribed": "ratings.{GAME}"}}' not in frames:
        page.wait_for_timeout(50)
    page.evaluate("window.mark = 1")


def test_a_finished_match_moves_the_open_board(browser: Browser, site: SiteServer) -> None:
    alice = site.sign_in("alice")
    context = browser.new_context(base_url=site.webs[0], locale="en-GB")
    board, table = context.new_page(), context.new_page()
    errors: list[str] = []
    for page in (board, table):
        page.on("pageerror", lambda error: errors.append(str(error)))
    listening(board, f"/leaderboards/{GAME}/?bots=yes")
    expect(board.locator("#board-rows")).to_contain_text("Nobody is ranked here yet")

    key = begin(site, alice, bots=1, game=GAME, level="rookie", rated="on")
    listening(table, f"/play/{key}/")
    with Player(site, key, alice) as player:
        player.play_to_the_end()
    mine = board.locator("#p-alice")
    expect(mine).to_be_visible(timeout=PATIENCE)
    expect(board.locator("#board-rows tbody tr")).to_have_count(2)
    moved = table.locator("#match-ratings .moved")
    expect(moved).to_have_count(2, timeout=PATIENCE)
    for at in range(2):
        # A spectator has no seat of their own: each sum opens by a press, on the table.
        expect(moved.nth(at).locator(".moved-sum")).to_be_hidden()
        moved.nth(at).locator("summary").click()
        start, *lines, end = moved.nth(at).locator(".moved-sum dd").all_inner_texts()
        parts = [Decimal(line.replace("−", "-")) for line in (start, *lines)]
        assert lines
        assert abs(sum(parts) - Decimal(end)) <= Decimal("0.001")
    before = mine.get_attribute("data-number")

    again = begin(site, alice, bots=1, game=GAME, level="rookie", rated="on")
    with Player(site, again, alice) as player:
        player.play_to_the_end()
    expect(mine).not_to_have_attribute("data-number", str(before), timeout=PATIENCE)
    expect(mine.locator(".sub.only-phone")).to_contain_text("2 games")
    assert board.evaluate("window.mark") == table.evaluate("window.mark") == 1

    board.goto("/people/alice/")
    board.locator("details.fold > summary").click()
    board.locator(".sum-fold > summary").first.click()
    expect(board.locator(".sum-here .sum-lines tbody tr").first).to_be_visible(timeout=PATIENCE)
    assert not errors
    context.close()
