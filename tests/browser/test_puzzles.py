"""A puzzle that the maker has found in a match of bots: solved from the front page, and in one's history."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE

MAKE = """
from engine.analysis.puzzles import find_puzzles
from games.models import Puzzle
from games.puzzles import making
from tests.engine.puzzles import BUDGET, record_up_to_the_puzzle
making.keep(find_puzzles(record_up_to_the_puzzle(), ended=True, budget=BUDGET), match=None)
puzzle = Puzzle.objects.get()
print(puzzle.pk, next(each["move"] for each in puzzle.answers if each["right"]), sep="/")
"""


MAKE_TURN = """
from tests.factories import create_turn_puzzle
puzzle = create_turn_puzzle()
print(puzzle.pk, *(position["answers"][0]["move"] for position in puzzle.turn["positions"]), sep="/")
"""


@pytest.fixture(scope="module")
def puzzle(site: SiteServer) -> tuple[str, str]:
    number, _, right = site.python(MAKE).splitlines()[-1].partition("/")
    return number, right


def test_a_puzzle_is_solved(owner: BrowserContext, puzzle: tuple[str, str]) -> None:
    number, right = puzzle
    page = owner.new_page()
    page.goto("/")
    page.locator("#puzzle-of-day").scroll_into_view_if_needed()
    page.get_by_role("link", name="Solve").click()
    page.wait_for_url(f"**/puzzles/{number}/")
    is_ready(page)
    expect(page.locator("#task")).to_contain_text("You are Seat")
    expect(page.locator("#stage [data-pointed]")).to_have_count(0)
    page.locator("[data-opens=analysis]").click()
    expect(page.locator("#why-later")).to_be_visible()
    page.keyboard.press("Escape")
    play(page, right)
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "best", timeout=PATIENCE)
    expect(page.locator("#verdict-text")).to_contain_text("Solved")
    expect(page.locator("#rating")).to_contain_text("Your rating in puzzles")
    expect(page.locator("#answers [data-best]").first).to_contain_text("your choice")
    expect(page.locator("#answers")).to_contain_text("the Regular bot’s choice")
    # All are tried: the next one leads back, and the history has it.
    page.locator("#verdict a").click()
    expect(page.get_by_text("You have tried every puzzle")).to_be_visible()
    page.get_by_role("link", name="Your history").click()
    expect(page.locator("td", has_text="Solved")).to_have_count(1)
    # Once more is not rated.
    page.locator("tbody a").first.click()
    is_ready(page)
    expect(page.locator("#task")).to_contain_text("not rated")


def test_a_whole_turn_is_played_choice_by_choice(owner: BrowserContext, site: SiteServer) -> None:
    number, first, second = site.python(MAKE_TURN).splitlines()[-1].split("/")
    page = owner.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/puzzles/{number}/")
    is_ready(page)
    expect(page.locator("#task")).to_contain_text("Play this whole turn")
    play(page, first)
    expect(page.locator("#task-more")).to_contain_text("1 choice made", timeout=PATIENCE)
    expect(page.locator("#verdict")).to_be_hidden()
    # Whoever comes back goes on from there.
    page.reload()
    is_ready(page)
    play(page, second)
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "best", timeout=PATIENCE)
    expect(page.locator("#verdict-text")).to_contain_text("your turn gives away 0 of 100")
    page.locator("#explain").click()
    expect(page.locator("#choices li")).to_have_count(2)
    expect(page.locator("#rating")).to_contain_text("Your rating in puzzles")


def play(page: Page, move: str) -> None:
    page.locator(f'#stage [data-move="{move}"]').first.click()


def is_ready(page: Page) -> None:
    page.wait_for_selector("html[data-table=ready]")
