"""The page around a table: what is shown and for how long, the log, settings, looking back, and the replay."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from deploy.harness import services
from deploy.harness.match_client import Player, begin, post
from deploy.harness.servers import SiteServer
from tests.browser.conftest import at_once, open_drawer

PHONE = ViewportSize(width=390, height=844)
CHOOSE = """(move) => document.querySelector("#stage > *").dispatchEvent(
  new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }))"""
VIEW = "() => document.querySelector('#stage > *').view"
FREE = "() => { const table = document.querySelector('#stage > *'); return table.interactive && !table.busy; }"
# Writes down when the strip began to tell each thing, by the page's own clock and in the same moment: however busy the
# machine is, what follows can only come later.
TELLS = """() => {
  window.told = [];
  const now = document.querySelector(".strip-now");
  now.replaceChildren = (...content) => {
    if (content.length) window.told.push([performance.now(), content.map((one) => one.textContent).join(" ")]);
    Element.prototype.replaceChildren.apply(now, content);
  };
}"""
LEAST_TIME = 900
# Parts of the result that one would have to scroll to.
OFF_SCREEN = """() => [...document.querySelectorAll("#outcome .result > *")].filter((part) => {
  const box = part.getBoundingClientRect();
  return !box.height || box.top < 0 || box.bottom > innerHeight;
}).map((part) => part.className || part.id)"""
WHY_SPLENDOR_ENDS = {
    "gauntlet": "The Infinity Gauntlet was assembled. Only players who have assembled it can win.",
    "stalemate": "Nothing could change any more: the points decided.",
    "no-recruits": "Nobody recruited for too many rounds: the points decided.",
}

Sit = Callable[..., Page]


@pytest.fixture
def sit(browser: Browser, site: SiteServer) -> Iterator[Sit]:
    opened: list[Page] = []

    def sit_down(session: str, key: str, *, speed: str = "instant", **options: Any) -> Page:
        context = browser.new_context(base_url=site.webs[0], locale="en-GB", **options)
        if speed == "instant":
            at_once(context)
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
        page = context.new_page()
        page.goto(f"/play/{key}/")
        page.wait_for_selector("html[data-table=ready]")
        page.wait_for_selector("html[data-live=online]")
        opened.append(page)
        return page

    yield sit_down
    for page in opened:
        page.context.close()


def choose(page: Page, move: str) -> None:
    page.wait_for_function(FREE)
    page.evaluate(CHOOSE, move)


def test_each_thing_is_told_for_long_enough_and_skip_ends_it(site: SiteServer, sit: Sit) -> None:
    session = site.sign_in("pace-one")
    page = sit(session, begin(site, session, bots=3), speed="normal", viewport=PHONE)
    page.wait_for_function(FREE, timeout=60_000)
    page.evaluate(TELLS)
    page.evaluate(CHOOSE, "reserve deck 3")
    page.wait_for_function(FREE, timeout=60_000)
    shown = page.evaluate("() => window.told")
    assert len(shown) >= 3  # three bots, one thing each at least
    for (begins, text), (ends, _) in itertools.pairwise(shown):
        # The token that comes with a bot's reservation touches nobody else: it is a part of what was told before.
        assert ends - begins >= (LEAST_TIME / 2 if "grey token" in text else LEAST_TIME), shown
    chips = page.locator(".strip-chip")
    expect(chips).to_have_count(3)
    expect(page.locator("#skip")).to_be_hidden()
    # Again, and skipped: the table is free at once.
    page.evaluate(CHOOSE, "reserve deck 2")
    page.locator("#skip").click()
    page.wait_for_function(FREE, timeout=30_000)  # the bots may still think on a busy machine
    open_drawer(page, "log")
    assert page.locator("#log .log-turn").count() >= 7


def test_a_line_of_the_log_shows_its_moment_and_the_round_can_be_seen_again(site: SiteServer, sit: Sit) -> None:
    session = site.sign_in("moment-one")
    page = sit(session, begin(site, session, bots=2))
    for move in ("reserve deck 3", "reserve deck 2"):
        choose(page, move)
        page.wait_for_function(f"move => ({FREE})() && !({VIEW})().legal.includes('stop')", arg=move)
    now = page.evaluate(VIEW)["ply"]
    open_drawer(page, "log")
    line = page.locator("#log .log-line").first
    ply = int(line.get_attribute("data-ply") or 0)
    line.click()
    expect(page.locator("#moment")).to_be_visible()
    page.wait_for_function(f"ply => ({VIEW})().ply === ply", arg=ply)
    assert not page.evaluate(FREE)
    page.locator("#moment-now").click()
    page.wait_for_function(f"now => ({VIEW})().ply === now", arg=now)
    page.wait_for_function(FREE)
    page.locator("#drawer-close").click()
    page.locator("#again").click()
    expect(page.locator("#moment")).to_be_hidden()
    page.wait_for_function(f"now => ({VIEW})().ply === now", arg=now)
    page.wait_for_function(FREE)


def test_a_move_that_cannot_be_taken_back_is_asked_once_more_where_wanted(site: SiteServer, sit: Sit) -> None:
    sessions = site.sign_in("confirm-one"), site.sign_in("confirm-two")
    key = begin(site, *sessions)
    page = min((sit(session, key) for session in sessions), key=lambda each: not each.evaluate(FREE))
    open_drawer(page, "table")
    page.get_by_label("Confirm moves that cannot be taken back").check()
    page.locator("#drawer-close").click()
    before = page.evaluate(VIEW)["ply"]
    choose(page, "take red")  # can be taken back: nobody asks
    page.wait_for_function(f"before => ({VIEW})().ply === before + 1", arg=before)
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function(f"before => ({VIEW})().ply === before + 2", arg=before)
    choose(page, "reserve deck 3")
    expect(page.locator("#ask")).to_contain_text("This cannot be taken back.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#ask")).to_be_hidden()
    assert page.evaluate(VIEW)["ply"] == before + 2
    choose(page, "reserve deck 3")
    page.get_by_role("button", name="Yes, go ahead").click()
    page.wait_for_function(f"before => ({VIEW})().ply > before + 2", arg=before)
    page.reload()
    page.wait_for_selector("html[data-table=ready]")
    open_drawer(page, "table")
    expect(page.get_by_label("Confirm moves that cannot be taken back")).to_be_checked()


def test_sound_is_one_click_and_a_turn_in_the_background_is_notified(site: SiteServer, sit: Sit) -> None:
    one, two = site.sign_in("sound-one"), site.sign_in("sound-two")
    key = begin(site, one, two)
    pages = [sit(one, key, permissions=["notifications"]), sit(two, key)]
    first, second = sorted(pages, key=lambda page: not page.evaluate(FREE))
    waiting = second
    waiting.context.grant_permissions(["notifications"])
    waiting.evaluate(
        """() => {
          window.notices = [];
          window.Notification = class {
            static permission = "granted";
            static async requestPermission() { return "granted"; }
            constructor(title, { body }) { window.notices.push([title, body]); } close() {} };
        }"""
    )
    open_drawer(waiting, "table")
    waiting.get_by_label("Sound", exact=True).check()
    expect(waiting.locator("html")).to_have_attribute("data-sound", "turn")
    waiting.get_by_label("Tell me in the background when it is my turn").check()
    waiting.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true })")
    choose(first, "reserve deck 3")
    waiting.wait_for_function("() => window.notices.length === 1")
    assert waiting.evaluate("() => window.notices") == [["Splendor: Marvel", "It is your turn."]]


def test_a_thing_tells_what_it_costs_and_why_it_cannot_be_had(site: SiteServer, sit: Sit) -> None:
    session = site.sign_in("why-one")
    page = sit(session, begin(site, session, bots=1))
    page.wait_for_function(FREE)
    card = page.evaluate(VIEW)["table"]["market"][2][0]
    assert page.evaluate(VIEW)["why_not"][f"recruit {card}"]["code"] == "short"
    page.locator(f"#stage [data-card='{card}']").first.hover()
    expect(page.locator("#preview")).to_be_visible()
    expect(page.locator("#preview-why")).to_contain_text("Recruit: Short of:")
    page.mouse.move(5, 5)
    expect(page.locator("#preview")).to_be_hidden()


def test_a_long_press_shows_what_a_thing_costs_and_chooses_nothing(site: SiteServer, sit: Sit) -> None:
    session = site.sign_in("press-one")
    page = sit(session, begin(site, session, bots=1), viewport=PHONE, has_touch=True)
    page.wait_for_function(FREE)
    before = page.evaluate(VIEW)
    card = page.locator(f"#stage [data-card='{before['table']['market'][2][0]}']").first
    box = card.bounding_box()
    assert box
    finger = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator("#preview")).to_be_visible()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)  # what a lifted finger does, it does at once
    expect(page.locator("#preview")).to_be_visible()
    expect(page.locator("#preview-why")).to_contain_text("Recruit: Short of:")
    expect(page.locator("#stage .choice")).to_have_count(0)
    assert page.evaluate(VIEW)["ply"] == before["ply"]
    page.locator("#preview-close").tap()
    expect(page.locator("#preview")).to_be_hidden()
    card.tap()  # the next tap is a choice again
    expect(page.locator("#stage .choice")).to_be_visible()


def test_whoever_can_help_is_asked_and_may_pass(site: SiteServer, sit: Sit) -> None:
    """The frames are those that the server sends; the page draws them and answers."""
    one, two = site.sign_in("help-one"), site.sign_in("help-two")
    page = sit(one, begin(site, one, two, game="thanos-rising"), viewport=PHONE)
    state = json.loads(page.locator("#table-state").text_content() or "")
    seat = state["seat"]
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    page.reload()
    page.wait_for_selector("html[data-table=ready]")
    page.wait_for_selector("html[data-live=online]")
    page.wait_for_timeout(1500)  # what it asked for first has come
    helped: dict[str, Any] = {"active": 1 - seat, "can": [seat], "passing": {}, "asked": False}
    frame = {"event": "help", "key": state["key"], "v": 0, "clock": None, "next_in": None, "help": helped}
    helped["window"] = {"act": "roll", "waiting": [seat], "ends_in": 6200, "total": 8000}
    # Again until it is seen: what the page has asked for may come in between.
    page.wait_for_function(
        """frame => {
          document.body.dispatchEvent(new CustomEvent("live:help", { detail: frame }));
          return document.querySelector("#help-window button");
        }""",
        arg=frame,
    )
    expect(page.locator("#help-window")).to_contain_text("help-two wants to roll")
    for button in page.locator("#help-window button").all():
        box = button.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    page.get_by_role("button", name="Pass this turn").click()
    services.wait_until(lambda: page.title() and any('"pass":"turn"' in text for text in sent), 10, "not sent")
    helped |= {"window": None}
    page.evaluate("frame => document.body.dispatchEvent(new CustomEvent('live:help', { detail: frame }))", frame)
    expect(page.locator("#help-window")).to_be_hidden()


def test_the_page_around_the_table_can_be_read_by_all(site: SiteServer, sit: Sit) -> None:
    session = site.sign_in("axe-one")
    key = begin(site, session, bots=1)
    page = sit(session, key)
    choose(page, "reserve deck 3")
    page.wait_for_function(FREE)
    for drawer in ("log", "rules", "table"):
        open_drawer(page, drawer)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = Axe().run(page, context={"exclude": ["#stage"]}).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], (drawer, scheme)
    post(site, session, f"/play/{key}/resign/")
    expect(page.locator("#outcome .result")).to_be_visible()
    found = Axe().run(page, context="#ending").response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_the_bar_has_room_for_what_a_spectator_watches_in_every_language(site: SiteServer, browser: Browser) -> None:
    session = site.sign_in("title-one")
    key = begin(site, session, bots=1, game="infinity-gauntlet")
    for language, title in (
        ("en", "Infinity Gauntlet"),
        ("it", "Il Guanto dell’Infinito"),
        ("pl", "Rękawica Nieskończoności"),
    ):
        context = browser.new_context(
            base_url=site.webs[0], locale=language, viewport=ViewportSize(width=1280, height=720)
        )
        page = context.new_page()
        page.goto(f"/play/{key}/")
        expect(page.locator(".where h1")).to_have_text(title)
        for line in ("h1", "p"):
            assert page.locator(f".where {line}").evaluate("line => line.scrollWidth <= line.clientWidth"), language
        context.close()


def test_talk_folds_away_where_only_bots_listen(site: SiteServer, sit: Sit) -> None:
    session, other = site.sign_in("fold-one"), site.sign_in("fold-two")
    for size in (ViewportSize(width=1280, height=720), PHONE):
        alone = sit(session, begin(site, session, bots=2), viewport=size)
        expect(alone.locator("[data-opens=log]")).to_be_visible()
        expect(alone.locator("#open-talk")).to_be_hidden()
        open_drawer(alone, "talk")  # it is still there for whoever looks for it
        expect(alone.locator("#talk-lines")).to_be_attached()
        company = sit(session, begin(site, session, other, bots=1), viewport=size)
        expect(company.locator("#open-talk")).to_be_visible()


def test_the_end_of_a_match_has_all_its_parts_on_the_board(site: SiteServer, sit: Sit) -> None:
    """What a player wants to know and do then, without leaving the table."""
    session = site.sign_in("end-one")
    waits = begin(site, session, bots=1, game="infinity-gauntlet")
    key = begin(site, session, bots=1, level="rookie", rated="on")
    page = sit(session, key, viewport=ViewportSize(width=1280, height=720))
    with Player(site, key, session) as player:
        player.play_to_the_end()
    result = page.locator("#stage ~ #ending #outcome .result")
    expect(result).to_be_visible(timeout=60_000)
    outcome, seats = page.evaluate(VIEW)["outcome"], page.evaluate("() => document.querySelector('#stage > *').names")
    # Who won and why.
    won = ", ".join(seats[seat]["name"] for seat in outcome["winners"])
    expect(result.locator(".result-head h2")).to_have_text(f"Won by {won}")
    expect(result.locator(".result-head .muted")).to_have_text(WHY_SPLENDOR_ENDS[outcome["reason"]])
    # The final scores, the best first.
    order = sorted(range(2), key=lambda seat: (outcome["ranks"][seat], seat))
    expect(result.locator(".result-name strong")).to_have_text([seats[seat]["name"] for seat in order])
    expect(result.locator(".result-score")).to_have_text([str(outcome["scores"][seat]) for seat in order])
    # The change of the rating, with its sum open for one's own seat.
    mine = result.locator("#match-ratings .moved[open]")
    expect(mine.locator(".moved-name")).to_have_text("end-one", timeout=60_000)
    expect(mine.locator(".moved-sum")).to_be_visible()
    before, *terms, after = [
        Decimal(number.replace("−", "-")) for number in mine.locator(".moved-sum dd").all_inner_texts()
    ]
    assert terms
    assert abs(before + sum(terms) - after) <= Decimal("0.001")
    shown = Decimal((mine.locator(".moved-by").text_content() or "").strip().replace("−", "-"))
    assert shown != 0
    assert abs(after - before - shown) <= Decimal("0.05")
    # What comes next.
    expect(result.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
    expect(result.get_by_role("link", name="Replay")).to_have_attribute("href", f"/play/{key}/replay/")
    following = result.get_by_role("link", name="Next table: Infinity Gauntlet", exact=True)
    expect(following).to_have_attribute("href", f"/play/{waits}/")
    # All of it lies on the board, on one screen.
    assert page.evaluate(OFF_SCREEN) == []
    page.get_by_role("button", name="Look at the table").click()
    expect(result).to_be_hidden()
    expect(page.locator("#stage")).to_be_visible()


def test_the_replay_has_speeds_keys_links_a_log_and_open_hands(site: SiteServer, sit: Sit) -> None:
    session = site.sign_in("replay-one")
    key = begin(site, session, bots=2, game="infinity-gauntlet")
    page = sit(session, key)
    page.wait_for_function(FREE)
    for _ in range(3):
        page.wait_for_function(FREE)
        before = page.evaluate(VIEW)["ply"]
        page.evaluate(CHOOSE, page.evaluate(VIEW)["legal"][0])
        page.wait_for_function(f"before => ({VIEW})().ply > before", arg=before)
    post(site, session, f"/play/{key}/resign/")
    expect(page.locator("#outcome .result")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector("html[data-table=ready]")
    last = int(page.locator("#ply").get_attribute("max") or 0)
    page.keyboard.press("End")
    expect(page.locator("#ply-number")).to_have_text(f"{last} / {last}")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#ply-number")).to_have_text(f"1 / {last}")
    expect(page).to_have_url(re.compile("#1$"))
    page.keyboard.press("-")
    expect(page.locator("#replay-speed")).to_have_value("fast")
    page.keyboard.press("l")
    page.locator(f"#log .log-line[data-ply='{last - 1}'], #log .log-line").last.click()
    page.wait_for_function(f"() => ({VIEW})().ply > 1")
    page.select_option("#from-seat", "open")
    page.wait_for_function(f"() => ({VIEW})().seat === null")
    page.keyboard.press("Home")
    page.wait_for_function(f"() => ({VIEW})().ply === 0")
    assert all(len(seat["cards"]) == seat["hand"] > 0 for seat in page.evaluate(VIEW)["table"]["seats"])
    page.get_by_role("link", name="Back to the table").first.click()
    page.wait_for_url(f"**/play/{key}/")
