"""Matches in real browsers: one person among bots, two people and a spectator, a restart in the middle."""

import json
import re
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.houses import House, standing, visited_house
from tests.matches import GAME, begin, check_whole, record

GAMES = ("infinity-gauntlet", "splendor-marvel", "thanos-rising")
# Chooses as a hand on the table does: one of the legal moves, sent by the element.
CHOOSE = """(pick) => {
  const table = document.querySelector("#stage > *");
  if (!table?.view || !table.interactive || table.busy) return null;
  const legal = table.view.legal;
  const move = pick && legal.includes(pick) ? pick : legal[Math.floor(legal.length / 2)];
  table.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
  return move;
}"""
VIEW = "() => document.querySelector('#stage > *')?.view ?? null"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from standing(visited_house(tmp_path_factory.mktemp("tables"), GAUNTLET_DEMO="off"))


class Screen:
    """A browser of its own: its page, and every byte it was sent."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.bytes: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self.hear))
        self.page.on("response", self.keep)

    def hear(self, payload: str | bytes) -> None:
        self.bytes.append(payload if isinstance(payload, str) else payload.decode())

    def keep(self, response: object) -> None:
        if re.search(r"/play/\w{10}/", response.url):  # type: ignore[attr-defined]
            self.bytes.append(response.text() if response.ok else "")  # type: ignore[attr-defined]

    def open(self, path: str) -> None:
        self.page.goto(path)
        self.ready()

    def ready(self) -> None:
        self.page.wait_for_selector("html[data-table=ready]")

    def choose(self, move: str = "") -> str | None:
        return self.page.evaluate(CHOOSE, move)

    @property
    def view(self) -> dict:
        return self.page.evaluate(VIEW)

    def wait_for_ply(self, ply: int, patience: float = 60_000) -> None:
        end = time.monotonic() + patience / 1000
        while self.view["ply"] < ply:
            assert time.monotonic() < end, f"ply {ply} has not arrived within {patience} ms"
            self.page.wait_for_timeout(10)

    def told(self) -> Iterator[dict]:
        """Every object in every byte that this screen was sent, whatever it stands in."""
        for text in self.bytes:
            page = re.search(r'<script id="table-state"[^>]*>(.*?)</script>', text, re.S)
            yield from objects(json.loads(page[1] if page else text)) if page or text[:1] in "{[" else ()


def objects(found: object) -> Iterator[dict]:
    if isinstance(found, dict):
        yield found
    for part in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
        yield from objects(part)


def play_on(mine: Screen, until: int) -> None:
    """Play until the match has come to a ply; the time limit of the test is the only one."""
    while mine.view["ply"] < until:
        if mine.choose() is None:
            mine.page.wait_for_timeout(50)


Screens = Callable[..., Screen]


@pytest.fixture
def screen(browser: Browser, house: House) -> Iterator[Screens]:
    made: list[Screen] = []

    def make(session: str = "", **options: object) -> Screen:
        context = browser.new_context(base_url=house.webs[0], reduced_motion="reduce", **options)  # type: ignore[arg-type]
        if session:
            context.add_cookies([{"name": "sessionid", "value": session, "url": house.webs[0]}])
        made.append(Screen(context))
        return made[-1]

    yield make
    for one in made:
        one.context.close()
    assert not [error for one in made for error in one.errors]


@pytest.mark.parametrize("game", GAMES)
def test_a_person_and_two_bots_finish_a_match(house: House, screen: Screens, game: str) -> None:
    """Two clicks from the home page, and play until the result stands there."""
    mine = screen(house.sign_in(f"solo-{game}"))
    mine.page.goto("/")
    mine.page.locator(f"form.game-{game} button").click()
    mine.ready()
    key = mine.page.url.rstrip("/").rsplit("/", 1)[1]
    result = mine.page.locator("#outcome .result")
    while not result.count():  # the time limit of the test is the only one
        if mine.choose() is None:
            mine.page.wait_for_timeout(30)
    expect(result).to_be_visible()
    expect(mine.page.locator("#log li").first).not_to_be_empty()
    check_whole(record(house, key))
    told = mine.page.locator("#log").inner_text()
    assert "undefined" not in told
    assert "Solo-" not in told  # a name stays as its owner writes it, at the beginning of a sentence too
    mine.page.get_by_role("link", name="Replay").click()
    mine.ready()
    mine.page.locator("[data-go=last]").click()
    expect(mine.page.locator("#ply-number")).to_have_text(re.compile(r"^(\d+) / \1$"))


def test_two_people_and_a_spectator_see_each_others_moves_and_never_each_others_cards(
    house: House, screen: Screens
) -> None:
    one, two = house.sign_in("one"), house.sign_in("two")
    key = begin(house, one, two)
    screens = [screen(one), screen(two), screen()]
    for each in screens:
        each.open(f"/play/{key}/")
    first, second = sorted(screens[:2], key=lambda each: each.view["seat"] != each.view["to_act"])
    gallery = screens[2]
    first.choose("reserve deck 3")
    for each in screens:
        each.wait_for_ply(1)
    card = first.view["table"]["teams"][first.view["seat"]]["reserved"][0]["card"]
    took: list[float] = []
    for ply in range(2, 8):
        mover = first if first.view["to_act"] == first.view["seat"] else second
        legal = [move for move in mover.view["legal"] if move.startswith(("take", "stop", "return", "pass"))]
        began = time.monotonic()
        mover.choose(legal[0])
        for each in screens:
            each.wait_for_ply(ply)
        took.append(time.monotonic() - began)
    # Within a second on all three, where the machine that the test runs on has a quiet moment.
    assert statistics.quantiles(took, n=4)[0] < 1, took
    assert f'"{card}"' in "".join(first.bytes)
    for other in (second, gallery):
        assert len("".join(other.bytes)) > 1000
        assert f'"{card}"' not in "".join(other.bytes)
        assert card not in json.dumps(other.view)
    assert gallery.view["legal"] == []
    expect(gallery.page.locator("#controls")).to_be_hidden()


def test_a_hand_is_in_nobody_elses_bytes_and_a_resigned_match_ends_on_every_screen(
    house: House, screen: Screens
) -> None:
    """Infinity Gauntlet, where a hand is all there is to know, and where players may not talk until the end."""
    one, two = house.sign_in("hand-one"), house.sign_in("hand-two")
    key = begin(house, one, two, game="infinity-gauntlet")
    screens = [screen(one), screen(two), screen()]
    for each in screens:
        each.open(f"/play/{key}/")
    for ply in range(1, 9):
        mover = next(each for each in screens if each.view["seat"] == each.view["to_act"])
        mover.choose()
        for each in screens:
            each.wait_for_ply(ply)
    for each in screens:
        mine = each.view["seat"]
        views = [found for found in each.told() if "legal" in found and "table" in found]
        assert len(views) > 8
        assert {view["seat"] for view in views} == {mine}
        dealt = [view["table"]["seats"] for view in views if view["ply"] == 0]
        assert dealt
        assert [seat["cards"] for seats in dealt for at, seat in enumerate(seats) if at != mine and seat["cards"]] == []
        drawn = {found["seat"] for found in each.told() if found.get("event") == "drew-card"}
        assert drawn <= {mine}
    mine = screens[0].page
    expect(mine.locator("#talk-form")).to_be_hidden()
    screens[1].page.get_by_role("button", name="Good luck!").click()
    expect(mine.locator("#talk-lines li")).to_have_count(1)
    mine.locator("#talk-lines li").hover()
    mine.get_by_role("button", name="Mute").click()
    expect(mine.locator("#talk-lines li")).to_have_count(0)
    mine.get_by_role("button", name="Listen again").click()
    expect(mine.locator("#talk-lines li")).to_have_count(1)
    screens[1].page.get_by_role("button", name="Resign").click()
    screens[1].page.get_by_role("button", name="Yes, go ahead").click()
    expect(mine.locator("#outcome .result")).to_be_visible()
    expect(mine.locator("#controls")).to_be_hidden()
    expect(mine.locator("#status")).to_have_text("Finished")
    expect(mine.locator("#status")).not_to_have_class(re.compile("badge-ok"))
    expect(mine.locator("#talk-form")).to_be_visible()


def test_undo_and_restart_of_the_turn(house: House, screen: Screens) -> None:
    one, two = house.sign_in("three"), house.sign_in("four")
    key = begin(house, one, two)
    screens = [screen(one), screen(two)]
    for each in screens:
        each.open(f"/play/{key}/")
    first = min(screens, key=lambda each: each.view["seat"] != each.view["to_act"])
    first.choose("take red")
    first.wait_for_ply(1)
    first.choose("take blue")
    first.wait_for_ply(2)
    first.page.get_by_role("button", name="Take back").click()
    first.wait_for_ply(3)
    assert first.view["table"]["question"]["taken"]["red"] == 1
    first.page.keyboard.press("r")
    first.wait_for_ply(4)
    assert first.view["table"]["question"]["ask"] == "choose"
    expect(first.page.get_by_role("button", name="Take back")).to_be_disabled()
    expect(first.page.locator("#log .undone")).to_have_count(2)


def test_a_page_survives_a_restart_in_the_middle(tmp_path: Path, browser: Browser) -> None:
    house = visited_house(tmp_path, GAUNTLET_DEMO="off")
    try:
        house.furnish()
        house.open()
        session = house.sign_in("anna")
        key = begin(house, session, bots=1)
        context = browser.new_context(base_url=house.webs[0], reduced_motion="reduce")
        context.add_cookies([{"name": "sessionid", "value": session, "url": house.webs[0]}])
        mine = Screen(context)
        mine.open(f"/play/{key}/")
        play_on(mine, until=5)
        before = mine.view["ply"]
        house.programs["serve"].stop()
        expect(mine.page.locator("[data-offline]")).to_be_visible()
        house.open()
        expect(mine.page.locator("[data-offline]")).to_be_hidden()
        play_on(mine, until=before + 7)
        assert record(house, key)["plies"] == list(range(record(house, key)["ply"]))
        assert not mine.errors
        context.close()
    finally:
        house.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_pages_of_a_table_fit_their_screen(house: House, screen: Screens, width: int, language: str) -> None:
    session = house.sign_in(f"fit-{language}-{width}")
    key = begin(house, session, bots=1, game=GAME)
    mine = screen(session, viewport={"width": width, "height": 800}, locale=language)
    mine.page.goto("/play/")
    fits = "() => document.documentElement.scrollWidth <= innerWidth"
    assert mine.page.evaluate(fits)
    mine.open(f"/play/{key}/")
    assert mine.page.evaluate(fits)
    mine.page.goto("/play/new/")
    assert mine.page.evaluate(fits)
