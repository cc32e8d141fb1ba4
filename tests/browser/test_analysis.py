"""A match with a planted blunder: Thanos could snap, which wins at once, and plays another card. The analysis finds it,
and its player does better at the second try, plays on from there and takes a hint."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import OWNER, PATIENCE, open_drawer

BEGIN = f"""
from accounts.models import User
from tests.factories import create_user
from tests.games.planted import begin_before_the_blunder
match, move = begin_before_the_blunder(User.objects.get(handle={OWNER!r}), create_user("planted"))
print(match.key, move, sep="\\n")
"""
FINISH = """
from games.models import Match
from tests.games.planted import play_the_rest
play_the_rest(Match.objects.get(key={key!r}))
"""


@pytest.fixture(scope="module")
def begun(site: SiteServer) -> tuple[str, str]:
    """The key of a match before its blunder, and the move that is one."""
    key, move = site.python(BEGIN).splitlines()[-2:]
    return key, move


def test_a_planted_blunder_is_found_tried_again_and_played_on_from(
    site: SiteServer, owner: BrowserContext, begun: tuple[str, str]
) -> None:
    planted, move = begun
    page = owner.new_page()
    # The blunder: a snap is there to be pressed, and another card is played.
    page.goto(f"/play/{planted}/")
    is_ready(page)
    expect(page.locator('#stage [data-move="snap"]')).to_be_visible()
    page.locator(f'#stage [data-move="{move}"]').first.click()
    expect(page.locator(f'#stage [data-move="{move}"]')).to_have_count(0)
    site.python(FINISH.format(key=planted))
    page.goto(f"/play/{planted}/replay/")
    is_ready(page)
    open_drawer(page, "analysis")
    page.locator("#analysis form button").click()
    expect(page.locator("#analysis .analysis-curve")).to_be_visible(timeout=4 * PATIENCE)
    expect(page.locator("#analysis .analysis-sum")).to_contain_text("You gave away")
    # The curve as Thanos could know it.
    page.locator("#curve-of").select_option("0")
    expect(page.locator(".analysis-curve .known-0")).to_be_visible()
    # The blunder is marked, and the better move is on the board.
    blunder = page.locator("#analysis .analysis-blunder").filter(has_text="better: Snap").first
    expect(blunder).to_contain_text("Blunder")
    link = blunder.locator("a")
    ply = (link.get_attribute("href") or "").removeprefix("#")
    link.click()
    expect(page.locator("#ply-number")).to_contain_text(f"{ply} / ")
    expect(page.locator('#stage [data-move="snap"][data-pointed]')).to_be_visible()
    page.reload()
    expect(page.locator("#analysis .analysis-curve")).to_have_count(1)
    # Once more, with what was known then.
    is_ready(page)
    open_drawer(page, "analysis")
    page.get_by_role("link", name="Learn from your mistakes").click()
    is_ready(page)
    while page.locator('#stage [data-move="snap"]').count() == 0:
        number = int(page.evaluate("JSON.parse(document.getElementById('table-state').textContent).number"))
        page.goto(f"/play/{planted}/learn/?number={number + 1}")
        is_ready(page)
    expect(page.locator("#task")).to_contain_text("Played here:")
    expect(page.locator("#stage [data-pointed]")).to_have_count(0)
    page.locator('#stage [data-move]:not([data-move="snap"])').first.click()
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#verdict")).not_to_have_attribute("data-verdict", "best")
    page.locator("#again").click()
    expect(page.locator("#task")).to_be_visible()
    page.locator('#stage [data-move="snap"]').click()
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "best")
    expect(page.locator("#verdict-text")).to_contain_text("100 of 100")
    expect(page.locator("#answers [data-best]")).to_contain_text("Snap")
    # From there against bots, with a hint.
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: planted not in url)
    is_ready(page)
    expect(page.locator("#rated")).to_have_text("Casual")
    page.locator("#hint").click()
    expect(page.locator("#hint-text")).to_have_text("Hint: Snap", timeout=4 * PATIENCE)
    page.locator('#stage [data-move="snap"][data-pointed]').click()
    expect(page.locator("#outcome .result")).to_be_visible(timeout=2 * PATIENCE)


def is_ready(page: Page) -> None:
    page.wait_for_selector("html[data-table=ready]")
