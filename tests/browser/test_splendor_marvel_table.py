"""The Splendor: Marvel table: played by clicking, usable on phones and with screen readers, and without secrets."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from deploy.harness.match_client import begin, check_whole, record
from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once

TABLE = "splendor-marvel-table"
PHONE, DESK = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
LOOKS: list[tuple[Literal["light", "dark"], ViewportSize]] = [
    ("light", DESK),
    ("dark", DESK),
    ("dark", PHONE),
    ("light", PHONE),
]
VIEW = f"() => document.querySelector('{TABLE}').view"
# The person can choose, or the match is over.
READY = f"""() => {{
  const table = document.querySelector("{TABLE}");
  return table && !table.busy && (table.interactive || table.view.outcome !== null);
}}"""
# Everything that the element rendered.
DRAWN = f"() => document.querySelector('{TABLE}').shadowRoot.innerHTML"


class Hand:
    """A player who only clicks what the table shows."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.table: Locator = page.locator(TABLE)
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)

    def sit(self, key: str) -> None:
        self.page.goto(f"/play/{key}/")
        self.page.wait_for_selector("html[data-table=ready]")

    @property
    def view(self) -> dict[str, Any]:
        return self.page.evaluate(VIEW)

    def open(self, thing: str) -> None:
        self.table.locator(f"button[data-card='{thing}'], button[data-deck='{thing}']").first.click()

    def press(self, move: str) -> None:
        """Make a move by clicking, and wait until the table shows it."""
        ply = self.view["ply"]
        if move.startswith(("recruit", "reserve")):
            self.open(move.split()[-1])
        self.table.locator(f"[data-move='{move}']").first.click()
        self.page.wait_for_function(f"ply => ({VIEW})().ply > ply", arg=ply)

    def play_to_the_end(self) -> None:
        while True:
            self.page.wait_for_function(READY)
            view = self.view
            if view["outcome"]:
                return
            self.press(best(view["legal"]))


def best(legal: list[str]) -> str:
    """The most expensive card, otherwise tokens, otherwise any legal move."""
    cards = [move for move in legal if move.startswith("recruit")]
    tokens = [move for move in legal if move.startswith("take")]
    return max(cards) if cards else tokens[len(tokens) // 2] if tokens else legal[0]


Hands = Callable[[str], Hand]


@pytest.fixture
def hand(browser: Browser, site: SiteServer) -> Iterator[Hands]:
    made: list[Hand] = []

    def make(session: str, **options: Any) -> Hand:
        context = at_once(browser.new_context(base_url=site.webs[0], locale="en-GB", viewport=DESK, **options))
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
        made.append(Hand(context.new_page()))
        return made[-1]

    yield make
    for one in made:
        one.page.context.close()
    assert [complaint for one in made for complaint in one.complaints] == []


def is_fit(page: Page) -> None:
    """In every theme and size: no sideways scrolling, and no axe errors inside the table."""
    for scheme, size in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        axe = Axe().run(page, context=TABLE)
        problems = [(one["id"], one["nodes"][0]["html"]) for one in axe.response["violations"]]
        assert not problems, f"{scheme} {size['width']}: {problems}"
    page.set_viewport_size(DESK)


def test_a_person_finishes_a_match_by_hand(site: SiteServer, hand: Hands) -> None:
    session = site.sign_in("hanna")
    key = begin(site, session, bots=1, level="rookie", tempo="quick", option_points="10")
    mine = hand(session)
    mine.page.emulate_media(reduced_motion="reduce")
    mine.sit(key)
    expect(mine.page.locator("plain-table")).to_have_count(0)
    expect(mine.table.locator(".market [data-card]")).to_have_count(12)
    mine.page.wait_for_function(READY)
    mine.press("reserve deck 3")
    expect(mine.table.locator(".mine .secret")).to_contain_text("only you see it")
    mine.page.wait_for_function(READY)
    is_fit(mine.page)
    mine.play_to_the_end()
    expect(mine.table.locator(".badge.won").first).to_have_text("winner")
    expect(mine.table.locator("[data-move]")).to_have_count(0)
    is_fit(mine.page)
    check_whole(record(site, key))
    look_back_from_every_seat(mine, key)


def look_back_from_every_seat(mine: Hand, key: str) -> None:
    own = str(mine.view["seat"])
    mine.page.goto(f"/play/{key}/replay/#6")
    mine.page.wait_for_selector("html[data-table=ready]")
    for seat, rivals in (("", 2), ("0", 1), ("1", 1), (own, 1)):
        mine.page.select_option("#from-seat", seat)
        mine.page.wait_for_function(f"seat => ({VIEW})().seat === seat", arg=int(seat) if seat else None)
        expect(mine.table.locator(".board.rival")).to_have_count(rivals)
        expect(mine.table.locator(".board.mine")).to_have_count(2 - rivals)
    expect(mine.table.locator(".mine .slot .face")).to_have_count(1)


def test_the_table_warns_before_a_match_without_recruits_ends(site: SiteServer, hand: Hands) -> None:
    session = site.sign_in("stefan")
    mine = hand(session)
    mine.page.emulate_media(reduced_motion="reduce")
    mine.sit(begin(site, session, bots=1, tempo="quick", option_stall_rounds="5"))
    mine.page.wait_for_function(READY)
    expect(mine.table.locator(".stalling")).to_have_count(0)
    # Nobody can pay for a card in the first round.
    mine.press("reserve deck 3")
    mine.page.wait_for_function(READY)
    if mine.view["table"]["round"] == 1:
        mine.press("reserve deck 3")
        mine.page.wait_for_function(READY)
    expect(mine.table.locator(".stalling")).to_have_text(
        "Rounds without a recruit: 1. At 5 the match ends and the points decide."
    )
    is_fit(mine.page)


def test_a_card_reserved_from_a_deck_is_seen_by_nobody_else(site: SiteServer, hand: Hands) -> None:
    sessions = site.sign_in("ida"), site.sign_in("jan")
    key = begin(site, *sessions)
    hands = [hand(session) for session in sessions]
    for one in hands:
        one.sit(key)
    first, other = sorted(hands, key=lambda one: not one.view["legal"])
    first.press("reserve deck 3")
    card = first.view["table"]["teams"][first.view["seat"]]["reserved"][0]["card"]
    other.page.wait_for_function(f"() => ({VIEW})().ply > 0")
    hidden = other.table.get_by_role("img", name="Reserved card, level 3, hidden")
    expect(hidden).to_be_visible()
    # By the card and not by its name: several cards show the same hero, and one name is a part of another.
    expect(first.table.locator(f"[data-card='{card}']")).not_to_have_count(0)
    assert f'"{card}"' in first.page.evaluate(DRAWN)
    assert f'"{card}"' not in other.page.evaluate(DRAWN)


def test_the_table_works_with_the_keyboard_alone(site: SiteServer, hand: Hands) -> None:
    sessions = site.sign_in("kaja"), site.sign_in("leon")
    key = begin(site, *sessions)
    hands = [hand(session) for session in sessions]
    for one in hands:
        one.sit(key)
    mine = min(hands, key=lambda one: not one.view["legal"])
    keys = mine.page.keyboard
    market = mine.view["table"]["market"]
    mine.table.locator(f"button[data-card='{market[2][0]}']").focus()
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    expect(mine.table.locator(f"button[data-card='{market[1][1]}']")).to_be_focused()
    keys.press("Enter")
    expect(mine.table.locator(f"[data-move='reserve {market[1][1]}']")).to_be_focused()
    keys.press("Escape")
    expect(mine.table.locator(".choice")).to_have_count(0)
    expect(mine.table.locator(f"button[data-card='{market[1][1]}']")).to_be_focused()

    mine.table.locator("[data-move='take red']").focus()
    keys.press("Enter")
    expect(mine.table.get_by_role("img", name="Taken: 1 red")).to_be_visible()
    mine.table.get_by_role("button", name="Undo").focus()
    keys.press("Enter")
    expect(mine.table.locator("[data-tray]")).to_have_count(0)
    assert mine.view["table"]["question"]["ask"] == "choose"
    for colour in ("red", "blue", "orange"):
        mine.table.locator(f"[data-move='take {colour}']").focus()
        keys.press("Enter")
        expect(mine.table.locator(".mine .sum").filter(has_text="1")).not_to_have_count(0)
        mine.page.wait_for_function(f"() => !document.querySelector('{TABLE}').busy")
    assert mine.view["to_act"] != mine.view["seat"]
    expect(mine.table.locator("[data-move]")).to_have_count(0)
