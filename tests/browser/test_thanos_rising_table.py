"""The table of Thanos Rising: a match played by touch, every question it can ask, and its accessibility."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, TimeoutError, expect

import engine
from deploy.harness.match_client import begin, check_whole, record
from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once

GAME = "thanos-rising"
TABLE = "thanos-rising-table"
QUESTIONS = {
    *("choose-base", "deploy", "ready", "assign", "resolve", "damage-hero", "heal-hero", "damage-villain"),
    *("remove-counter", "extra-die", "lose-die", "re-roll", "turn-die", "turn-to", "keep-token"),
    *("help-ready", "help-assign", "help-resolve"),  # asked of another: tokens may be played
}
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
STATE = f"""() => {{
  const table = document.querySelector("{TABLE}");
  const mine = table.view.to_act === table.seat;
  return {{ free: mine && table.interactive && !table.busy, outcome: table.view.outcome }};
}}"""
# How many symbols lie on the front of each die in a part of the table.
SYMBOLS = f"""async (part) => {{
  const table = document.querySelector("{TABLE}");
  await table.updateComplete;
  const dice = [...table.renderRoot.querySelectorAll(`${{part}} .die-block`)];
  return dice.map((die) => die.lastElementChild.childElementCount);
}}"""
# The same for the tray of another view, on a table of its own.
SHOW = f"""async (view) => {{
  const live = document.querySelector("{TABLE}");
  const table = document.createElement("{TABLE}");
  const names = view.roles.map((_, seat) => ({{ name: `Seat ${{seat + 1}}` }}));
  const given = {{ words: live.words, names, seat: view.seat, interactive: true, hurry: true, events: [] }};
  Object.assign(table, given, {{ view }});
  live.after(table);
  await table.updateComplete;
  const dice = [...table.renderRoot.querySelectorAll(".tray .die-block")];
  table.remove();
  return dice.map((die) => die.lastElementChild.childElementCount);
}}"""
CHOOSE_FIRST = f"""() => {{
  const table = document.querySelector("{TABLE}");
  const isAsked = table.view.to_act === table.seat && table.interactive && !table.busy;
  if (!isAsked || table.view.table.question === "assign") return;
  const [move] = table.view.legal;
  table.dispatchEvent(new CustomEvent("move", {{ detail: {{ move }}, bubbles: true, composed: true }}));
}}"""
# Once the stone die is rolled: where the table says that a team is.
DEPLOYED_AND_STILL_SHOWN = f"""() => {{
  const table = document.querySelector("{TABLE}");
  if (table.view.table.deployed !== null || !table.omens.stones.length) return null;
  const sector = table.renderRoot.querySelector(".sector.is-here")?.dataset.sector ?? "none";
  return {{ sector, question: table.renderRoot.querySelector(".question").textContent }};
}}"""
FOCUSED = f"() => document.querySelector('{TABLE}').renderRoot.activeElement !== null"
# In one breath: a bot may move between two questions to the page.
LYING_AND_SHOWN = f"""async () => {{
  const table = document.querySelector("{TABLE}");
  await table.updateComplete;
  const {{ sectors, teams }} = table.view.table;
  const lying = [...sectors.flat().filter(Boolean), ...teams.flatMap((team) => team.heroes)].map((card) => card.id);
  const shown = [...table.renderRoot.querySelectorAll("[data-card]")].map((one) => one.dataset.card);
  return [lying.sort(), shown.sort()];
}}"""
# Shows a view on a separate table and clicks it until each legal move was made once.
REACH = f"""async (view) => {{
  const live = document.querySelector("{TABLE}");
  const table = document.createElement("{TABLE}");
  let received = null;
  table.addEventListener("move", (event) => {{ received = event.detail.move; event.stopPropagation(); }});
  const names = view.roles.map((_, seat) => ({{ name: `Seat ${{seat + 1}}` }}));
  const given = {{ words: live.words, names, seat: view.seat, interactive: true, hurry: true, events: [] }};
  Object.assign(table, given, {{ view }});
  live.after(table);
  const all = (part) => [...table.renderRoot.querySelectorAll(`button[data-${{part}}]`)];
  const touch = async (button) => {{ button.click(); await table.updateComplete; }};
  const missed = [];
  for (const move of view.legal) {{
    received = null;
    table.picked = null;
    await table.updateComplete;
    const here = () => all("move").find((button) => button.dataset.move === move);
    const firsts = [null, ...new Set(all("pick").map((button) => button.dataset.pick))];
    for (const first of firsts) {{
      if (first) await touch(all("pick").find((button) => button.dataset.pick === first));
      if (here()) {{ await touch(here()); break; }}
      table.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Escape" }}));
      await table.updateComplete;
    }}
    if (received !== move) missed.push(move);
  }}
  const text = table.renderRoot.textContent;
  table.remove();
  return {{ missed, text }};
}}"""


@pytest.fixture
def page(site: SiteServer, browser: Browser) -> Iterator[Page]:
    """A phone's page of someone who sits at a table with two bots."""
    session = site.sign_in(f"titan-{uuid4().hex[:8]}")
    key = begin(site, session, bots=2, game=GAME, tempo="quick")
    context = at_once(
        browser.new_context(
            base_url=site.webs[0], viewport={"width": 390, "height": 844}, locale="en-GB", reduced_motion="reduce"
        )
    )
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"/play/{key}/")
    page.wait_for_selector("html[data-table=ready]")
    yield page
    context.close()
    assert not errors


def read_well(page: Page) -> None:
    violations = Axe().run(page, context="#stage").response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    assert page.evaluate(FITS)


def test_a_person_and_two_bots_finish_a_match_by_touching_the_table(site: SiteServer, page: Page) -> None:
    key = page.url.rstrip("/").rsplit("/", 1)[1]
    choices = page.locator(f"{TABLE} button[data-move], {TABLE} button[data-pick]")
    luck = random.Random(7)
    answered = 0
    while True:  # limited by the test's timeout only
        state = page.evaluate(STATE)
        if state["outcome"]:
            break
        if not state["free"] or not (count := choices.count()):
            page.wait_for_timeout(30)
            continue
        if answered in (0, 3):
            page.emulate_media(color_scheme="dark" if answered else "light")
            read_well(page)
        if answered == 1:  # by keyboard, which from then on has its place at the table
            choices.first.focus()
            page.keyboard.press("Enter")
            answered += 1
            continue
        assert answered != 2 or page.evaluate(FOCUSED)
        with suppress(TimeoutError):  # another seat's token may have changed what is asked
            choices.nth(luck.randrange(count)).click(timeout=2000)
            answered += 1
    assert answered > 5
    ending = "The heroes have won" if state["outcome"]["winners"] else "Thanos has won"
    expect(page.locator(f"{TABLE} .question")).to_have_text(ending)
    expect(page.locator("#outcome .result")).to_be_visible()
    check_whole(record(site, key))
    # The dice of a roll are one line of the log, each drawn.
    rolls = page.locator("#log li", has_text="rolls")
    assert max(line.locator(".log-icons svg.die-block").count() for line in rolls.all()) > 1


def test_only_cards_that_lie_open_are_drawn(page: Page) -> None:
    lying, shown = page.evaluate(LYING_AND_SHOWN)
    assert shown == lying


def test_dice_are_blank_until_they_are_rolled(site: SiteServer, browser: Browser) -> None:
    """The two that Thanos rolls, and those that a player rolls. Two people, so that nobody else moves."""
    sessions = [site.sign_in(f"dice-{uuid4().hex[:8]}") for _ in range(2)]
    key = begin(site, *sessions, game=GAME)
    pages = []
    for session in sessions:
        context = at_once(browser.new_context(base_url=site.webs[0], locale="en-GB", reduced_motion="reduce"))
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
        pages.append(context.new_page())
        pages[-1].goto(f"/play/{key}/")
        pages[-1].wait_for_selector("html[data-table=ready]")
        assert pages[-1].evaluate(SYMBOLS, ".omens") == [0, 0]
    page = next(each for each in pages if each.evaluate(STATE)["free"])
    page.locator(f"{TABLE} button.deploy").first.click()
    while page.evaluate(f"() => document.querySelector('{TABLE}').view.table.question") != "assign":
        page.evaluate(CHOOSE_FIRST)  # what Thanos does may ask for a choice
        page.wait_for_timeout(50)
    for each in pages:
        each.wait_for_function(f"() => document.querySelector('{TABLE}').view.table.dice.unassigned.length")
        assert all(each.evaluate(SYMBOLS, ".omens"))
        rolled = each.evaluate(f"() => document.querySelector('{TABLE}').view.table.dice.unassigned")
        faces = [2 if die["face"].startswith("double-") else 1 for die in rolled for _ in range(die["count"])]
        assert each.evaluate(SYMBOLS, ".tray") == faces
    # Whoever may still use something first has the dice in hand.
    before = questions()["ready"]
    in_hand = sum(before["table"]["dice"]["hand"].values())
    assert in_hand > 0
    assert page.evaluate(SHOW, before) == [0] * in_hand
    for each in pages:
        each.context.close()


def test_ones_own_deployment_is_seen_while_thanos_acts(site: SiteServer, browser: Browser) -> None:
    sessions = [site.sign_in(f"deployed-{uuid4().hex[:8]}") for _ in range(2)]
    key = begin(site, *sessions, game=GAME)
    pages = []
    for session in sessions:
        context = browser.new_context(base_url=site.webs[0], locale="en-GB", reduced_motion="reduce")
        context.add_init_script("localStorage.setItem('table-speed', 'slow')")
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
        pages.append(context.new_page())
        pages[-1].goto(f"/play/{key}/")
        pages[-1].wait_for_selector("html[data-table=ready]")
    page = next(each for each in pages if each.evaluate(STATE)["free"])
    page.locator(f"{TABLE} button.deploy").nth(1).click()
    # Before the next view lands, which would show it in any case.
    shown = page.wait_for_function(DEPLOYED_AND_STILL_SHOWN).json_value()
    assert shown["sector"] == "1"
    assert "Deploy to a sector" not in shown["question"]
    for each in pages:
        each.context.close()


def test_every_legal_move_of_every_question_is_one_or_two_touches_away(page: Page) -> None:
    asked = questions()
    assert asked.keys() >= QUESTIONS
    for question, view in asked.items():
        reached = page.evaluate(REACH, view)
        assert reached["missed"] == [], question
        assert "undefined" not in reached["text"], question
        assert "ask-" not in reached["text"], question


def questions() -> dict[str, dict[str, Any]]:
    """A view of each kind of question from whole matches, and of seats that may help out of turn."""
    views: dict[str, dict[str, Any]] = {}
    for seed in range(40):
        if views.keys() >= QUESTIONS:
            break
        luck = random.Random(seed)
        options = {"preset": "recruit", "bases": "choose" if seed == 0 else "random"}
        match = engine.game(GAME).start(2 + seed % 3, f"question-{seed}", options)
        while match.outcome is None:
            view = match.view(match.to_act)
            views[view["table"]["question"]] = view
            for seat in range(match.players):
                aside = match.view(seat)
                if seat != match.to_act and aside["legal"]:
                    views[f"help-{view['table']['question']}"] = aside
            useful = [move for move in view["legal"] if " on " in move or move.startswith(("use", "hit"))]
            match.play(luck.choice(useful or view["legal"]), match.to_act)
    return views
