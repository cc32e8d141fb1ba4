"""The strip above the table: a sentence about what happens is read whole, in the longest language, with long names."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Browser

import engine
from games.catalogue import texts
from tests.browser.test_boards_fit import LONG_NAMES, MOST_SEATS, serve

# As the page has it, with the room that *Skip* leaves.
STRIP = """<link rel="stylesheet" href="/css/tokens.css"><link rel="stylesheet" href="/css/components.css">
<link rel="stylesheet" href="/games/frame.css"><style>
body { margin: 0; --strip-height: 44px } ol { margin: 0; padding: 0; list-style: none }</style>
<div class="strip" style="height: 44px; padding-right: 90px"><div class="strip-main"><span class="strip-now"></span>
<ol class="strip-chips"></ol></div></div>"""
TELL = """async ({ game, words, names, events }) => {
  const { Strip } = await import("/games/core/strip.js");
  const { beatsOf } = await import("/games/core/playback.js");
  const { belongTogether } = await import("/games/core/texts.js");
  await import(`/games/${game}/table.js`);
  const element = Object.assign(document.createElement(`${game}-table`), { words, names });
  const root = document.querySelector(".strip");
  const strip = new Strip(root, { words, element, touches: () => false, onMoment: () => {} });
  strip.names = names;
  const found = { told: 0, long: 0, cut: [] };
  for (const beat of beatsOf(events, { seat: 0, isOwnMove: false, belongTogether, touches: () => true })) {
    strip.now.replaceChildren();
    strip.tell(beat);
    const line = root.querySelector(".strip-line");
    if (!line) continue;
    found.told += 1;
    found.long += strip.now.classList.contains("is-long");
    const inside = strip.now.getBoundingClientRect();
    const { top, bottom } = line.getBoundingClientRect();
    const isCut = line.scrollWidth > line.clientWidth + 1 || line.scrollHeight > line.clientHeight + 2;
    if (isCut || top < inside.top || bottom > inside.bottom) found.cut.push(line.textContent);
  }
  return found;
}"""


def events_of(game: str) -> list[dict]:
    """The events of a match by chance, as a player of it sees them."""
    luck, match = random.Random(3), engine.game(game).start(MOST_SEATS[game], "strip")
    for _ in range(300):
        if match.outcome is not None:
            break
        match.play(luck.choice(match.legal()))
    return match.events(0)


# What stands beside the chips: on a phone *Show again*, *Hint* and *Take back*, on a wide screen their Polish words.
TOOLS = {390: 3 * 44, 1280: 720}
RECALL = """async ({ game, words, names, events, tools }) => {
  const { Strip } = await import("/games/core/strip.js");
  const { turnsOf } = await import("/games/core/turns.js");
  await import(`/games/${game}/table.js`);
  const element = Object.assign(document.createElement(`${game}-table`), { words, names });
  const root = document.querySelector(".strip");
  root.style.paddingRight = `${tools}px`;
  const strip = new Strip(root, { words, element, touches: () => false, onMoment: () => {} });
  strip.names = names;
  const turns = turnsOf(events, words.sentences).filter((turn) => turn.seat !== null);
  const found = { recalled: 0, cut: [], chips: [] };
  for (let at = 0; at + names.length - 1 <= turns.length; at += names.length - 1) {
    strip.recall(turns.slice(at, at + names.length - 1));
    found.recalled += 1;
    const room = strip.chips.getBoundingClientRect();
    const seen = (chip, selector) => [...chip.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    found.chips = [...strip.chips.children].map((chip) => ({
      stones: seen(chip, "svg").filter((one) => !one.querySelector("rect")).length,
      text: seen(chip, ".log-icons text, .log-icons .mark").map((one) => one.textContent).join(" "),
      pictures: chip.querySelectorAll("img").length,
      kept: chip.querySelectorAll(".kept").length,
      words: chip.querySelector(".strip-words").textContent,
    }));
    for (const chip of strip.chips.children) {
      const box = chip.firstElementChild.getBoundingClientRect();
      const end = Math.min(box.right, room.right) + 0.5;
      for (const picture of seen(chip, "svg, img, .mark, .guess")) {
        const { left, right } = picture.getBoundingClientRect();
        if (right > end || left < box.left) found.cut.push(chip.textContent.trim());
      }
    }
  }
  return found;
}"""


def recall(browser: Browser, game: str, events: list[dict], width: int) -> dict:
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.route("**/*", serve)
    page.goto("http://localhost/")
    page.evaluate("(strip) => { document.body.innerHTML = strip; }", STRIP)
    page.wait_for_load_state("networkidle")
    words = json.loads(texts.encoded(game, "en")[0])
    names = [{"index": seat, "name": name, "handle": "", "here": True}
             for seat, name in enumerate(LONG_NAMES[: MOST_SEATS[game]])]  # fmt: skip
    found = page.evaluate(
        RECALL, {"game": game, "words": words, "names": names, "events": events, "tools": TOOLS[width]}
    )
    page.close()
    return found


@pytest.mark.parametrize("width", TOOLS)
@pytest.mark.parametrize("game", MOST_SEATS)
def test_every_picture_of_a_turn_is_whole(browser: Browser, game: str, width: int) -> None:
    found = recall(browser, game, events_of(game), width)
    assert found["recalled"] > 3
    assert found["cut"] == []


@pytest.mark.parametrize("width", TOOLS)
def test_a_turn_of_splendor_is_told_by_its_pictures(browser: Browser, width: int) -> None:
    """Three tokens are three stones, what is kept looks unlike what is recruited, and points are counted."""
    turns: list[list[dict[str, Any]]] = [
        [{"event": "took", "seat": 1, "token": token} for token in ("red", "blue", "orange")],
        [{"event": "reserved-unseen", "seat": 2, "level": 2}, {"event": "got-grey", "seat": 2}],
        [{"event": "recruited", "seat": 3, "card": "3-13"}, {"event": "got-tile", "seat": 3}],
    ]
    events = [event | {"ply": ply} for ply, turn in enumerate(turns) for event in turn]
    taken, kept, recruited = recall(browser, "splendor-marvel", events, width)["chips"]
    assert taken["stones"] == 3
    assert (kept["stones"], kept["text"], kept["kept"], kept["pictures"]) == (1, "II", 1, 0)
    assert kept["words"] == "reserves the top card of deck 2"
    card = json.loads(texts.encoded("splendor-marvel", "en")[0])["cards"]["3-13"]
    assert (recruited["text"], recruited["kept"], recruited["pictures"]) == (f"+{card['points'] + 3}", 0, 1)


@pytest.mark.parametrize("game", MOST_SEATS)
def test_no_sentence_is_cut_on_a_tablet(browser: Browser, game: str) -> None:
    page = browser.new_page(viewport={"width": 768, "height": 1024})
    page.route("**/*", serve)
    page.goto("http://localhost/")
    page.evaluate("(strip) => { document.body.innerHTML = strip; }", STRIP)
    page.wait_for_load_state("networkidle")
    words = json.loads(texts.encoded(game, "pl")[0])
    names = [{"index": seat, "name": name, "handle": "", "here": True} for seat, name in enumerate(LONG_NAMES)]
    found = page.evaluate(TELL, {"game": game, "words": words, "names": names, "events": events_of(game)})
    page.close()
    assert found["told"] > 50
    assert found["cut"] == []
    if game == "thanos-rising":
        assert found["long"]  # the dice of a roll and the damage of an attack, each told at once
