"""Tutorials in a real browser: one to its end on a phone, and the first steps of the others."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from games.catalogue.tutorials.contents import Step
from tests.browser.conftest import PATIENCE, at_once
from tests.factories import script_of

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
# What is wrong with what the coach points at, and where the stage lies.
POINTED = """() => {
  const stage = document.querySelector("#stage");
  const coach = document.querySelector("#coach").getBoundingClientRect();
  const room = stage.getBoundingClientRect();
  const parts = [...stage.firstElementChild.shadowRoot.querySelectorAll("[data-pointed]")];
  const faults = parts.length ? [] : ["points at nothing"];
  for (const part of parts) {
    const box = part.getBoundingClientRect();
    const name = part.outerHTML.slice(0, 120);
    if (!box.width || box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1) faults.push(`outside: ${name}`);
    if (box.top < coach.bottom - 1) faults.push(`under the coach: ${name}`);
  }
  const text = document.querySelector("#coach-text");
  const row = document.querySelector("#coach");
  if (text.scrollHeight > text.clientHeight + 1 || row.scrollHeight > row.clientHeight + 1) faults.push(`cut: ${text.textContent}`);
  return { faults, top: room.top };
}"""  # noqa: E501


@pytest.fixture(scope="module")
def quiet_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site without the demo club, whose bots would play meanwhile."""
    yield from standing(browsed_site(tmp_path_factory.mktemp("tutorials"), GAUNTLET_DEMO="off"))


@pytest.fixture
def opened() -> Iterator[list[BrowserContext]]:
    contexts: list[BrowserContext] = []
    yield contexts
    for context in contexts:
        context.close()


def begin(browser: Browser, site: SiteServer, opened: list[BrowserContext], game: str, **look) -> Page:
    """A visitor presses the button on a game's card in the lobby."""
    context = at_once(browser.new_context(base_url=site.webs[0], reduced_motion="reduce", **look))
    context.set_default_timeout(PATIENCE)
    opened.append(context)
    page = context.new_page()
    page.goto("/play/")
    page.locator(f"[formaction='/play/tutorial/{game}/']").click()
    page.wait_for_url("**/play/*/")
    return page


def read(page: Page, number: int, steps: int) -> float:
    """Read what the coach says at a step, look where it points, until it asks; returns where the stage begins."""
    expect(page.locator("#coach-count")).to_have_text(f"{number}/{steps}", timeout=PATIENCE)
    expect(page.locator("#coach")).to_be_visible(timeout=PATIENCE)
    tops = set()
    while True:
        is_asking = page.locator("#coach[data-asks]").count()
        told = page.evaluate(POINTED)
        tops.add(told["top"])
        text = page.locator("#coach-text").inner_text()
        assert not told["faults"], (number, text, told["faults"])
        if is_asking:
            break
        page.locator("#coach-next").click()
        expect(page.locator("#coach-text")).not_to_have_text(text)
    assert len(tops) == 1, "the table moves"
    return tops.pop()


def do(page: Page, step: Step) -> None:
    for move in step.moves:
        ply = page.evaluate("document.querySelector('#stage > *').view.ply")
        button = page.locator(f"#stage [data-move='{move}']")
        if not button.count():
            # Chosen in two presses: a die and its card, or a card and what to do with it.
            page.locator("#stage [data-pointed]").first.click()
            button.first.wait_for()
        button.first.click()
        page.wait_for_function("ply => document.querySelector('#stage > *').view.ply > ply", arg=ply)


def test_a_tutorial_to_its_end_on_the_phone(browser: Browser, quiet_site: SiteServer, opened) -> None:
    page = begin(browser, quiet_site, opened, "infinity-gauntlet", locale="pl-PL", viewport=PHONE, has_touch=True)
    steps = script_of("infinity-gauntlet").steps
    top = read(page, 1, len(steps))
    found = Axe().run(page, context="#coach").response["violations"]
    assert not found, [each["id"] for each in found]
    # Another card is answered in words, and stays in the hand.
    page.locator("#stage [data-move='play nebula']").click()
    expect(page.locator("#refusal")).to_contain_text("To przyjdzie później. Teraz: Zagraj kartę Falcon.")
    assert page.locator("#stage [data-move='play nebula']").count()
    page.locator("#refusal").click()
    for number, step in enumerate(steps, start=1):
        assert read(page, number, len(steps)) == top
        if number == 4:
            # Left and come back to from the lobby: the same table and step.
            where = page.url
            page.goto("/play/")
            page.locator("[formaction='/play/tutorial/infinity-gauntlet/']").click()
            page.wait_for_url(where)
            assert read(page, number, len(steps)) == top
        do(page, step)
    expect(page.locator("#coach-end")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#coach-text")).to_contain_text("Znasz już grę")
    assert page.locator("#stage").bounding_box()["y"] == top  # type: ignore[index]
    page.locator("#coach-close").click()
    expect(page.locator("#coach")).to_be_hidden()
    # The match goes on: the bots play by themselves, and then it is the learner's turn.
    page.wait_for_function("() => document.querySelector('#stage > *').view.legal.length", timeout=PATIENCE)
    page.goto("/play/")
    assert not page.locator("[formaction='/play/tutorial/infinity-gauntlet/']").count()


@pytest.mark.parametrize(("game", "first"), [("splendor-marvel", 3), ("thanos-rising", 4)])
def test_the_first_steps_of_a_tutorial(browser: Browser, quiet_site: SiteServer, opened, game: str, first: int) -> None:
    page = begin(browser, quiet_site, opened, game, locale="it-IT", viewport=DESK)
    steps = script_of(game).steps
    for number, step in enumerate(steps[:first], start=1):
        read(page, number, len(steps))
        do(page, step)
    read(page, first + 1, len(steps))
