"""A table is one screen: nothing scrolls, nothing is covered, and nothing moves while a match goes on."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from deploy.harness.match_client import begin
from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once

FIT = Path(__file__).with_name("fit.js").read_text(encoding="utf-8").split("\n", 2)[2].rstrip().rstrip(";")
MOST_BOTS = {"infinity-gauntlet": 5, "splendor-marvel": 3, "thanos-rising": 3}
SIZES = [
    ViewportSize(width=1280, height=720),
    ViewportSize(width=1440, height=900),
    ViewportSize(width=768, height=1024),
    ViewportSize(width=390, height=844),
]
BAR_AND_STRIP = 48 + 44
# What moved without the reader's doing, as the browser counts it: the worst session of at most five seconds without a
# pause of one (that is what "cumulative layout shift" is), on the whole screen.
SHIFTS = """
window.shifts = { worst: 0, moved: [] };
const session = { first: 0, last: 0, sum: 0 };
const rounded = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
// What moved inside the board the browser names by its place alone.
const called = (node) => node?.id || node?.className || node?.nodeName || "on the board";
const described = ({ node, previousRect, currentRect }) =>
  `${called(node)} ${rounded(previousRect)} -> ${rounded(currentRect)}`;
new PerformanceObserver((list) => {
  for (const { hadRecentInput, sources, startTime, value } of list.getEntries()) {
    if (hadRecentInput) continue;
    const goesOn = startTime - session.last < 1000 && startTime - session.first < 5000;
    if (!goesOn) Object.assign(session, { first: startTime, sum: 0 });
    Object.assign(session, { last: startTime, sum: session.sum + value });
    window.shifts.worst = Math.max(window.shifts.worst, session.sum);
    if (value > 0.001) window.shifts.moved.push(`${value.toFixed(4)} ${sources.map(described).join(", ")}`);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.02
STATE = """() => {
  const { view, interactive, busy } = document.querySelector("#stage > *");
  return { free: interactive && !busy, over: view.outcome !== null, ply: view.ply };
}"""
CHOOSE = """() => {
  const table = document.querySelector("#stage > *");
  const move = table.view.legal[Math.floor(table.view.legal.length / 2)];
  table.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
}"""
PARTS = """() => [...document.querySelector("#stage > *").shadowRoot.querySelectorAll("[data-must]")]
  .map((part) => part.dataset.must)"""
# Bar, strip and stage, and on the stage everything that must be seen: board, hand, question, opponents.
BOXES = """() => {
  const box = (part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
  };
  const board = document.querySelector("#stage > *").shadowRoot;
  return Object.fromEntries([
    ...[".table-bar", ".strip", "#stage"].map((part) => [part, box(document.querySelector(part))]),
    ...[...board.querySelectorAll("[data-must]")].map((part, at) => [`${at} ${part.dataset.must}`, box(part)]),
  ]);
}"""

Tables = Callable[..., Page]


@pytest.fixture
def table(browser: Browser, site: SiteServer) -> Iterator[Tables]:
    """A page of a match with as many bots as fit at its table."""
    opened: list[Page] = []

    def sit_down(game: str, name: str, **options: Any) -> Page:
        session = site.sign_in(name)
        key = begin(site, session, bots=MOST_BOTS[game], game=game, level="rookie")
        context = browser.new_context(base_url=site.webs[0], viewport=SIZES[0], **options)
        at_once(context).add_init_script(SHIFTS)
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
        opened.append(context.new_page())
        opened[-1].goto(f"/play/{key}/")
        opened[-1].wait_for_selector("html[data-table=ready]")
        return opened[-1]

    yield sit_down
    for page in opened:
        page.context.close()


@pytest.mark.parametrize("game", MOST_BOTS)
@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_the_table_is_one_screen_in_every_size_and_language(table: Tables, game: str, language: str) -> None:
    page = table(game, f"one-screen-{game[:4]}-{language}", locale=language)
    for _ in range(3):  # until the strip has something to say
        page.wait_for_function(f"() => ({STATE})().free || ({STATE})().over")
        page.evaluate(CHOOSE)
        page.wait_for_timeout(200)
    for size in SIZES:
        page.set_viewport_size(size)
        page.wait_for_timeout(100)
        assert page.evaluate(FIT) == [], f"{size['width']}x{size['height']}"
        assert set(page.evaluate(PARTS)) >= {"question", "own", "others"}
        box = page.locator("#stage").bounding_box()
        assert box == {
            "x": 0, "y": BAR_AND_STRIP, "width": size["width"], "height": size["height"] - BAR_AND_STRIP,
        }  # fmt: skip


@pytest.mark.parametrize("size", [SIZES[0], SIZES[3]], ids=["wide", "phone"])
@pytest.mark.parametrize("game", MOST_BOTS)
def test_nothing_moves_from_its_place_through_a_match(table: Tables, game: str, size: ViewportSize) -> None:
    page = table(game, f"still-{game[:4]}-{size['width']}")
    page.set_viewport_size(size)
    page.wait_for_timeout(300)
    page.evaluate("() => { window.shifts = { worst: 0, moved: [] }; }")
    boxes = page.evaluate(BOXES)
    while not (state := page.evaluate(STATE))["over"]:  # limited by the test's timeout only
        if state["free"]:
            assert page.evaluate(BOXES) == boxes
            # By the page and not by a press: what moves soon after a press the browser would not count.
            page.evaluate(CHOOSE)
        page.wait_for_timeout(20)
    expect(page.locator("#outcome .result")).to_be_visible()
    shifts = page.evaluate("() => window.shifts")
    assert shifts["worst"] < MOST_SHIFT, shifts
