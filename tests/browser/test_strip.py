"""The strip above the table: a sentence about what happens is read whole, in the longest language, with long names."""

import json
import random

import pytest
from playwright.sync_api import Browser

import engine
from games.catalogue import texts
from tests.browser.test_boards_fit import LONG_NAMES, MOST_SEATS, serve

# As the page has it, with the room that *Skip* leaves.
STRIP = """<link rel="stylesheet" href="/css/tokens.css"><link rel="stylesheet" href="/css/components.css">
<link rel="stylesheet" href="/games/frame.css"><style>body { margin: 0; --strip-height: 44px }</style>
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
