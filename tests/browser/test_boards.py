"""A finished match moves an open leaderboard, without anybody loading it again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.houses import House, standing, visited_house
from tests.matches import Player, begin

GAME = "infinity-gauntlet"
PATIENCE = 60_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from standing(visited_house(tmp_path, GAUNTLET_DEMO="off"))


def listening(page: Page, path: str) -> None:
    """Open a page and wait until it hears of ratings; a mark on it is gone if it is ever loaded again."""
    heard: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page.goto(path)
    while f'{{"subscribed": "ratings.{GAME}"}}' not in heard:
        page.wait_for_timeout(50)
    page.evaluate("window.mark = 1")


def test_a_finished_match_moves_the_open_board(browser: Browser, house: House) -> None:
    alice = house.sign_in("alice")
    context = browser.new_context(base_url=house.webs[0], locale="en-GB")
    board, table = context.new_page(), context.new_page()
    errors: list[str] = []
    for page in (board, table):
        page.on("pageerror", lambda error: errors.append(str(error)))
    listening(board, f"/leaderboards/{GAME}/?bots=yes")
    expect(board.locator("#board-rows")).to_contain_text("Nobody is ranked here yet")

    key = begin(house, alice, bots=1, game=GAME, level="rookie", rated="on")
    listening(table, f"/play/{key}/")
    with Player(house, key, alice) as player:
        player.play_to_the_end()
    mine = board.locator("#p-alice")
    expect(mine).to_be_visible(timeout=PATIENCE)
    expect(board.locator("#board-rows tbody tr")).to_have_count(2)
    expect(table.locator("#match-ratings a[href*='/leaderboards/changes/']").first).to_be_visible(timeout=PATIENCE)
    before = mine.get_attribute("data-number")

    again = begin(house, alice, bots=1, game=GAME, level="rookie", rated="on")
    with Player(house, again, alice) as player:
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
