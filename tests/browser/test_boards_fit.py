"""The boards on a stage of the page's size: every question of whole matches, most seats, all languages, all widths.

The elements are shown with views of the engine and the words of the site, without a site around them: that is quick
enough to look at every question. The page around them is `test_tables_fit.py`'s.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Route, expect

import engine
from engine.rng import stream
from games.catalogue import texts

ROOT = Path(__file__).parents[2]
STATIC = (ROOT / "games" / "static", ROOT / "deploy" / "static")
FIT = Path(__file__).with_name("board_fit.js").read_text(encoding="utf-8").split("\n", 2)[2].rstrip().rstrip(";")
MOST_SEATS = {"infinity-gauntlet": 6, "splendor-marvel": 4, "thanos-rising": 4}
# The stage is the window without bar and strip.
STAGES = [(1280, 628), (1440, 808), (768, 932), (390, 752)]
LONG_NAMES = ["Przemysława", "Krzysztof W.", "Zdzisława", "Grzegorz", "Małgorzata", "Świętosława"]
PAGE = """<!doctype html><html lang="en"><title>Board</title><link rel="stylesheet" href="/css/tokens.css"><style>
body { margin: 0 } #stage { height: 100dvh; container: stage / size; overflow: auto }</style><div id="stage"></div>"""
SHOW = """async ({ game, view, words, names }) => {
  await import(`/games/${game}/table.js`);
  const board = document.createElement(`${game}-table`);
  Object.assign(board, { words, names, seat: view.seat, busy: false, interactive: view.legal.length > 0, hurry: true, events: [] });
  board.view = view;
  document.querySelector("#stage").replaceChildren(board);
  await board.updateComplete;
  await new Promise(requestAnimationFrame);
  await board.updateComplete;
}"""  # noqa: E501
BOXES = """() => [...document.querySelector("#stage").firstElementChild.renderRoot.querySelectorAll("[data-must]")]
  .map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [part.dataset.must, x, y, width, height];
  })"""

# Colours depend on the card and not on the question, and take the longest to check: the tests of each table do that.
READ = """async () => {
  const { violations } = await axe.run("#stage", {
    resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } } });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}"""


def serve(route: Route) -> None:
    path = route.request.url.split("localhost", 1)[1][1:]
    if not path:
        return route.fulfill(content_type="text/html", body=PAGE)
    file = next(each / path for each in STATIC if (each / path).exists())
    kind = "text/css" if file.suffix == ".css" else "text/javascript"
    return route.fulfill(content_type=kind, body=file.read_text(encoding="utf-8"))


@pytest.fixture
def stage(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/*", serve)
    page.goto("http://localhost/")
    page.evaluate(AXE_SCRIPT)
    yield page
    page.close()
    assert not errors


def question(view: dict[str, Any]) -> str:
    """What is asked, and of whom: a board differs by it."""
    table = view["table"]
    asked = table.get("phase") or table["question"]
    if isinstance(asked, dict):
        asked = asked["ask"]
    return f"{asked or 'over'} of {'all' if view['seat'] is None else view['roles'][view['seat']]}"


def views(game: str) -> dict[str, dict[str, Any]]:
    """The fullest view of each question in a few matches by chance, of the seat that is asked; and the end of each."""
    found: dict[str, dict[str, Any]] = {}
    for seed in range(3):
        luck = random.Random(seed)
        match = engine.game(game).start(MOST_SEATS[game], f"fit-{seed}")
        for _ in range(400):
            if match.outcome is not None:
                break
            view = match.view(match.to_act)
            if len(json.dumps(view)) >= len(json.dumps(found.get(question(view), {}))):
                found[question(view)] = view
            useful = [move for move in view["legal"] if move.startswith(("recruit", "use")) or " on " in move]
            match.play(luck.choice(useful or view["legal"]), match.to_act)
        for seat in (0, 1, None):
            found[f"{seed} seen by {seat}"] = match.view(seat)
    return found


def show(page: Page, game: str, view: dict[str, Any], language: str) -> None:
    names = [
        {
            "index": seat,
            "name": LONG_NAMES[seat],
            "handle": "",
            "is_bot": bool(seat % 2),
            "level": "",
            "left": "",
            "here": True,
        }
        for seat in range(view["players"])
    ]
    words = json.loads(texts.encoded(game, language)[0])
    page.evaluate(SHOW, {"game": game, "view": view, "words": words, "names": names})


@pytest.mark.parametrize("game", MOST_SEATS)
@pytest.mark.parametrize("size", STAGES, ids=["1280", "1440", "768", "390"])
def test_every_question_fits_its_stage_and_moves_nothing(stage: Page, game: str, size: tuple[int, int]) -> None:
    asked = views(game)
    assert len(asked) > 10
    stage.set_viewport_size({"width": size[0], "height": size[1]})
    problems = {}
    places: dict[Any, list[Any]] = {}
    for name, view in asked.items():
        # Polish is the longest language, Italian has the longest single words.
        show(stage, game, view, "it" if view["seat"] is None else "pl")
        if found := set(stage.evaluate(FIT)) - ({"missing: question"} if view["outcome"] else set()):
            problems[name] = found
        if size == STAGES[-1] and (unread := stage.evaluate(READ)):
            problems[f"{name}, by axe"] = set(unread)
        boxes = [box for box in stage.evaluate(BOXES) if box[0] != "question" or not view["outcome"]]
        role = (None if view["seat"] is None else view["roles"][view["seat"]], view["outcome"] is None)
        assert boxes == places.setdefault(role, boxes), name
    assert problems == {}


@pytest.mark.parametrize(
    ("language", "deck", "hand"),
    [
        ("en", "Not seen yet, in: deck (", "hand of"),
        ("it", "Non ancora viste, in: mazzo (", "mano di"),
        ("pl", "Jeszcze niewidziane, miejsca: talia (", "ręka"),
    ],
)
def test_after_a_reshuffle_the_deck_and_the_hands_are_counted_apart(
    stage: Page, language: str, deck: str, hand: str
) -> None:
    game = "infinity-gauntlet"
    match, rng = engine.game(game).start(3, "reshuffle"), stream("reshuffle", "walk")
    stage.set_viewport_size({"width": STAGES[-1][0], "height": STAGES[-1][1]})
    counters = stage.locator(f"{game}-table .side.heroes .counter")
    show(stage, game, match.view(None), language)
    expect(counters).to_have_count(1)
    while len(match.view(None)["table"]["decks"]["heroes"]["shuffles"]) < 2:
        legal = match.legal()
        match.play(legal[rng.below(len(legal))])
    new = match.view(None)["table"]["decks"]["heroes"]["shuffles"][-1]
    show(stage, game, match.view(None), language)
    expect(counters).to_have_count(2)
    expect(counters.first.locator(".label")).to_contain_text(hand)
    expect(counters.last.locator(".label")).to_contain_text(f"{deck}{len(new['deck'])})")
    expect(counters.last.locator(".pips i:not(.spent)")).to_have_count(len(new["cards"]))
    assert "{" not in stage.locator(f"{game}-table").evaluate("table => table.shadowRoot.textContent")
    assert stage.evaluate("document.documentElement.scrollWidth") <= STAGES[-1][0]
    assert stage.evaluate(READ) == []


def test_known_cards_of_the_deck_leave_counters_that_keys_can_scroll(stage: Page) -> None:
    """On a phone, before the first reshuffle: what the reader knows of the deck takes the counters' room."""
    game = "infinity-gauntlet"
    luck = random.Random(1)
    while True:
        match = engine.game(game).start(3, f"known-{luck.random()}")
        while match.outcome is None:
            view = match.view(match.to_act)
            heroes = view["table"]["decks"]["heroes"]
            if len(heroes["top"]) > 2 and len(heroes["shuffles"]) == 1:
                stage.set_viewport_size({"width": STAGES[-1][0], "height": STAGES[-1][1]})
                show(stage, game, view, "en")
                assert stage.evaluate(READ) == []
                return
            match.play(luck.choice(view["legal"]), match.to_act)


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_a_hero_reads_the_result_where_the_question_was(stage: Page, language: str) -> None:
    game = "infinity-gauntlet"
    match, luck = engine.game(game).start(6, "over"), random.Random(1)
    while match.outcome is None:
        match.play(luck.choice(match.legal()))
    words = json.loads(texts.encoded(game, language)[0])
    show(stage, game, match.view(1), language)
    question_box = stage.locator(f"{game}-table .ask")
    won = "ui-won" if 1 in match.outcome.winners else "ui-lost"
    expect(question_box.locator("h2")).to_have_text(words["terms"][won])
    expect(question_box).to_contain_text(words["sentences"][f"ended-{match.outcome.reason}"])
