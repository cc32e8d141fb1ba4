"""What can be read from a board beyond its places: on a desktop, by keyboard, and on a phone."""

from playwright.sync_api import BrowserContext, expect

from deploy.harness.servers import SiteServer
from leagues.leaderboards.insight_pages import LABELS

BOARD = "/leaderboards/splendor-marvel/"
PATIENCE = 60_000
COUNT = """
from leagues.leaderboards import digests
from leagues.models import BoardDigest, RatingPool
from django.utils import timezone
BoardDigest.objects.update(next_at=timezone.now(), is_stale=True)
for pool in RatingPool.objects.all(): digests.refresh(pool_id=pool.pk)
"""


def test_a_board_is_read_from_all_sides(owner: BrowserContext, site: SiteServer) -> None:
    site.python(COUNT)
    page = owner.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(BOARD)
    views = page.get_by_role("navigation", name="Ways to look at this board")
    expect(views.locator("[aria-current]")).to_have_text("Places")
    for name, label in LABELS.items():
        views.get_by_role("link", name=str(label), exact=True).click()
        page.wait_for_url(f"**{BOARD}{name}/")
        expect(page.locator("h1")).to_have_text(str(label))
        expect(views.locator("[aria-current]")).to_have_text(str(label))
        # A chart has a name, and its numbers in a list below.
        if page.locator(".insight-chart svg").count():
            assert page.locator(".insight-chart svg").get_attribute("aria-label")
            expect(page.locator("#numbers tbody tr").first).to_be_visible()
        for kind in ("PNG", "SVG"):
            address = page.get_by_role("link", name=f"Picture ({kind})").get_attribute("href")
            assert page.request.get(str(address)).ok

    page.goto(f"{BOARD}distribution/")
    expect(page.locator(".bar-mine")).to_have_count(1)
    expect(page.locator("#numbers tr.is-marked")).to_have_count(1)

    page.goto(f"{BOARD}tables/")
    page.get_by_role("navigation", name="Size of table").get_by_role("link", name="Tables of 3").press("Enter")
    page.wait_for_url("**players=3")

    page.goto(f"{BOARD}curves/?people=marta")
    expect(page.locator(".series")).to_have_count(1)
    page.get_by_label("Add a player").fill("tomek")
    page.get_by_label("Add a player").press("Enter")
    expect(page.locator(".series")).to_have_count(2, timeout=PATIENCE)
    assert page.url.endswith("people=marta,tomek")
    page.get_by_label("Period").select_option("90")
    page.wait_for_url("**people=marta*window=90*", timeout=PATIENCE)
    expect(page.locator(".series")).to_have_count(2)
    page.get_by_role("link", name="out of the chart").first.click()
    expect(page.locator(".series")).to_have_count(1, timeout=PATIENCE)

    page.set_viewport_size({"width": 390, "height": 844})
    for game in ("splendor-marvel", "infinity-gauntlet", "thanos-rising"):
        for name in LABELS:
            page.goto(f"/leaderboards/{game}/{name}/")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (game, name)
    assert not errors
