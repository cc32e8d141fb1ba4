"""The rules in a real browser: their own page, and beside a table that stays where it is."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from deploy.harness.match_client import begin
from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once, open_drawer

PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1280, height=720)
STATE = """() => {
  const table = document.querySelector("#stage > *");
  const box = document.querySelector("#stage").getBoundingClientRect();
  const question = table.shadowRoot.querySelector("[data-must=question]");
  return { box: [box.x, box.y, box.width, box.height], scroll: [scrollX, scrollY], address: location.href,
    ply: table.view.ply, question: question.textContent.trim(), legal: table.view.legal };
}"""
# How far below the panel's upper edge the row of a card lies, and whether its drawing is there.
PLACE = """(id) => {
  const panel = document.querySelector("#panel-rules").getBoundingClientRect();
  const row = document.getElementById(`card-${id}`).closest(".rule-row");
  const box = row.getBoundingClientRect();
  return { below: box.top - panel.top, inside: box.top < panel.bottom, asked: row.classList.contains("is-asked"),
    drawn: Boolean(row.querySelector("rule-piece").shadowRoot?.querySelector("svg, img")) };
}"""


DRAWN = """() => [...document.querySelectorAll("rule-piece")]
  .every((piece) => piece.shadowRoot?.querySelector("svg, img, span"))"""


def sit(browser: Browser, site: SiteServer, handle: str, viewport: ViewportSize, **options: Any) -> Page:
    session = site.sign_in(handle)
    key = begin(site, session, bots=1)
    context = at_once(browser.new_context(base_url=site.webs[0], locale="en-GB", viewport=viewport, **options))
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
    page = context.new_page()
    page.goto(f"/play/{key}/")
    page.wait_for_selector("html[data-table=ready]")
    return page


def card_in_market(page: Page) -> str:
    return str(page.evaluate("() => document.querySelector('#stage > *').view.table.market[2][3]"))


def expect_opened_at(page: Page, card: str) -> None:
    page.locator(f"#card-{card}").wait_for()
    page.wait_for_function(f"(id) => ({PLACE})(id).drawn", arg=card)
    place = page.evaluate(PLACE, card)
    assert place["asked"], place
    assert 0 <= place["below"] < 200, place
    expect(page.locator(".rule-row.is-asked")).to_have_count(1)


def test_the_rules_open_at_the_card_and_the_table_stays_where_it_is(browser: Browser, site: SiteServer) -> None:
    page = sit(browser, site, "rules-desk", DESK)
    page.wait_for_function("() => document.querySelector('#stage > *').interactive")
    card = card_in_market(page)
    before = page.evaluate(STATE)
    page.locator(f"#stage [data-help='{card}'], #stage [data-card='{card}']").first.hover()
    expect(page.locator("#preview")).to_be_visible()
    page.keyboard.press("?")
    expect_opened_at(page, card)
    assert page.evaluate(STATE) == before
    page.locator("#rules .rulebook-nav a[href='#rules-rulings']").click()
    page.wait_for_function("() => document.activeElement.id === 'rules-rulings'")
    assert page.evaluate(STATE) == before
    page.locator("#drawer-close").click()
    assert page.evaluate(STATE) == before
    page.context.close()


def test_on_the_phone_they_are_a_sheet_and_what_is_asked_is_still_asked(browser: Browser, site: SiteServer) -> None:
    page = sit(browser, site, "rules-phone", PHONE, has_touch=True)
    page.wait_for_function("() => document.querySelector('#stage > *').interactive")
    before = page.evaluate(STATE)
    open_drawer(page, "rules")
    page.locator("#rules .rulebook").wait_for()
    assert page.evaluate("() => document.querySelector('#panel-rules').scrollWidth <= innerWidth")
    assert page.evaluate(STATE) == before
    page.locator("#drawer-close").click()
    # A card that is explained leads to its place in the rules.
    card = card_in_market(page)
    page.evaluate(
        """(id) => document.querySelector("#stage > *").dispatchEvent(
          new CustomEvent("help", { detail: { id }, bubbles: true, composed: true }))""",
        card,
    )
    page.locator("#card-help-rules").click()
    expect_opened_at(page, card)
    page.locator("#drawer-close").click()
    assert page.evaluate(STATE) == before
    page.context.close()


@pytest.mark.parametrize("game", ["infinity-gauntlet", "splendor-marvel", "thanos-rising"])
def test_the_page_of_a_game_draws_every_piece_and_can_be_read_by_all(
    browser: Browser, site: SiteServer, game: str
) -> None:
    context = browser.new_context(base_url=site.webs[0], locale="pl-PL", viewport=PHONE, color_scheme="dark")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"/rules/{game}/")
    page.wait_for_function(DRAWN)
    assert page.locator("rule-piece").count() > 30
    assert [one["id"] for one in Axe().run(page).response["violations"]] == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    assert errors == []
    context.close()
