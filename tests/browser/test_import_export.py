"""Import and export in a real browser: a preview by line, an import, and a printed round with codes that scan."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

PATIENCE = 30_000

DEMO = "/leagues/thursday-at-the-lantern/1/"
RESULTS = """date;round;table;player;place;score
2024-03-05;1;1;Ada Lovelace;1;15
2024-03-05;1;1;Bruno Conti;2;11
2024-03-05;1;2;Celia Ruiz;1;17
2024-03-05;1;2;Dawid Lis;second;9
"""
# A4 between margins of 12 mm.
PAPER: ViewportSize = {"width": 703, "height": 1032}


def usable(page: Page) -> None:
    """No accessibility errors, and no wider than a small phone, in both themes."""
    for dark, width in ((False, 360), (True, 1280)):
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 800})
        axe = Axe().run(page)
        assert axe.violations_count == 0, f"{page.url} at {width}: {axe.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


def test_a_past_evening_is_looked_at_and_brought_in(owner: BrowserContext) -> None:
    owner.set_default_timeout(PATIENCE)
    page = owner.new_page()
    page.goto("/leagues/clubs/the-lantern-table/new/")
    page.fill("[name=name]", "Evenings of old")
    page.click("label:has-text('Splendor: Marvel')")
    page.click("text=On to the season")
    page.locator("article:has-text('Swiss') button").first.click()
    page.click(".tabs >> text=Files")
    usable(page)
    page.fill("#results-text", RESULTS)
    page.click("form[action$='results/'] >> text=See what it would do")
    expect(page.locator("#problems")).to_have_text("1 line is broken", timeout=PATIENCE)
    wrong = page.locator("section:has(#problems) tbody tr")
    expect(wrong).to_contain_text(["5"])
    expect(wrong).to_contain_text(["second"])
    usable(page)
    page.click("text=Import the good rows")
    expect(page.locator("main")).to_contain_text("1 past table is in.", timeout=PATIENCE)
    page.click(".tabs >> text=Standings")
    expect(page.locator(".standings-table tbody tr").first).to_contain_text("Ada Lovelace")
    with page.expect_download() as csv:
        page.locator("main >> text=CSV").first.click()
    assert "Ada Lovelace" in csv.value.path().read_text()


def test_a_round_on_paper(owner: BrowserContext) -> None:
    owner.set_default_timeout(PATIENCE)
    page = owner.new_page()
    page.goto(f"{DEMO}files/")
    page.locator("text=Score sheets").first.click()
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print", color_scheme="dark")
    slips = page.locator(".slip")
    expect(slips.nth(2)).to_be_visible()
    for slip in slips.all():
        code = slip.locator(".qr")
        page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=code.element_handle())
        inner, outer = code.bounding_box(), slip.bounding_box()
        assert inner
        assert outer
        # Large enough for a camera, square, and completely inside its slip.
        assert min(inner["width"], inner["height"]) > 100
        assert abs(inner["width"] - inner["height"]) < 1
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] <= PAPER["width"] + 1
        assert outer["y"] <= inner["y"]
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    colours = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    paper = page.pdf(prefer_css_page_size=True)
    assert paper.startswith(b"%PDF-")
    assert paper.count(b"/Type /Page\n") == 1
