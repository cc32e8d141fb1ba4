"""The table of Infinity Gauntlet in real browsers: played by clicking, and watched by a spectator who may see less."""

from itertools import count
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, ViewportSize, expect

from deploy.harness.match_client import begin, check_whole, record
from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once

GAME = "infinity-gauntlet"
ELEMENT = "infinity-gauntlet-table"
PHONE, DESK = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
FAULTS: list[str] = []
STATE = f"""() => {{
  const {{ view, interactive, busy, seat }} = document.querySelector("{ELEMENT}");
  return {{ ply: view.ply, over: view.outcome !== null, asked: interactive && !busy, phase: view.table.phase,
           seats: view.table.seats, legal: view.legal, seat }};
}}"""
# What the table shows of others' hands and of cards in a fight, compared with what it was sent.
SHOWN = f"""() => {{
  const {{ view, seat, shadowRoot }} = document.querySelector("{ELEMENT}");
  const all = (selector) => shadowRoot.querySelectorAll(selector).length;
  const others = view.table.seats.filter((_, place) => place !== seat);
  return {{ seat, faces: all(".hidden-hand .face"), backs: all(".hidden-hand .back"),
           heroes: all(".team .hidden-hand .face"),
           unbeaten: all(".fighter .shown:not(.back):not(.lost)"),
           known: others.flatMap((one) => one.cards).length, held: others.reduce((sum, one) => sum + one.hand, 0) }};
}}"""


def sit_down(browser: Browser, site: SiteServer, session: str, size: ViewportSize, **options: Any) -> Page:
    context = at_once(browser.new_context(base_url=site.webs[0], viewport=size, reduced_motion="reduce", **options))
    if session:
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
    page = context.new_page()
    page.on("pageerror", record_error)
    return page


def record_error(error: Error) -> None:
    FAULTS.append(str(error))


def is_clean(page: Page) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        axe = Axe().run(page, context=ELEMENT)
        found = [(each["id"], [node["target"] for node in each["nodes"]]) for each in axe.response["violations"]]
        assert not found, scheme


def shows_no_more_than_it_may(page: Page) -> None:
    shown = page.evaluate(SHOWN)
    assert shown["faces"] == shown["known"]
    assert shown["backs"] == shown["held"] - shown["known"]
    if shown["seat"] is None:  # Thanos may have to show his hand to all, a hero never
        assert shown["heroes"] == shown["unbeaten"] == 0


def test_a_person_and_bots_finish_a_match_by_hand(browser: Browser, site: SiteServer) -> None:
    session = site.sign_in("gauntleteer")
    lives = {"option_heroes_life": "4", "option_thanos_life": "3"}
    key = begin(site, session, bots=2, game=GAME, level="rookie", tempo="quick", **lives)
    page, gallery = sit_down(browser, site, session, PHONE), sit_down(browser, site, "", DESK)
    for each in (page, gallery):
        each.goto(f"/play/{key}/")
        each.wait_for_selector("html[data-table=ready]")
        expect(each.locator(ELEMENT)).to_be_visible()
        expect(each.locator("plain-table")).to_have_count(0)
    choices = page.locator(f"{ELEMENT} button.choice")
    asked = 0
    for turn in count():  # limited by the test's timeout only
        state = page.evaluate(STATE)
        if state["over"]:
            break
        if not state["asked"]:
            page.wait_for_timeout(40)
            continue
        assert {each.get_attribute("data-move") for each in choices.all()} == set(state["legal"])
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        for each in (page, gallery):
            shows_no_more_than_it_may(each)
        if not asked:  # every other question is read in test_boards_fit.py
            is_clean(page)
        asked += 1
        if turn % 2:
            choices.nth(turn % choices.count()).click()
        else:
            choices.first.focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        for _ in range(250):
            if page.evaluate(STATE)["ply"] > state["ply"]:
                break
            page.wait_for_timeout(40)
    assert page.evaluate(STATE)["over"]
    assert asked
    expect(page.locator(f"{ELEMENT} .ending")).to_be_visible()
    expect(choices).to_have_count(0)
    expect(gallery.locator(f"{ELEMENT} .ending")).to_be_visible()
    expect(gallery.locator(f"{ELEMENT} .dock")).to_have_count(0)
    is_clean(gallery)
    check_whole(record(site, key))
    assert not FAULTS
    for each in (page, gallery):
        each.context.close()


@pytest.mark.parametrize(
    ("language", "life", "card"), [("it", "Vita:", "Vedova Nera"), ("pl", "Punkty życia:", "Czarna Wdowa")]
)
def test_the_table_speaks_the_language_of_the_page(
    browser: Browser, site: SiteServer, language: str, life: str, card: str
) -> None:
    session = site.sign_in(f"gauntlet-{language}")
    key = begin(site, session, bots=1, game=GAME)
    page = sit_down(browser, site, "", PHONE, locale=language)
    page.goto(f"/play/{key}/")
    page.wait_for_selector("html[data-table=ready]")
    table = page.locator(ELEMENT)
    expect(table.locator(".side.heroes .life")).to_contain_text(life)
    table.locator("summary").click()
    expect(table.locator(".reference").first).to_contain_text(card)
    # Both lists are below each other, where a sheet of a phone scrolls, and a tap puts the sheet away.
    sheet = table.locator(".aid .panel")
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    markup = table.evaluate("table => table.shadowRoot.textContent")
    assert "ui-" not in markup
    assert "{" not in markup
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    sheet.click()
    expect(sheet).to_be_hidden()
    page.context.close()
