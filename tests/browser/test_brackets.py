"""A cup of eleven in double elimination, from the first match to the champion: two clicks a match and the scores."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE, press, windows
from tests.browser.test_clicks import COUNTER

pytestmark = pytest.mark.timeout(600)
expect.set_options(timeout=PATIENCE)

NAMES = ["Ada", "Bruno", "Celia", "Dawid", "Elena", "Filip", "Gaia", "Hania", "Igor", "Julia", "Karol"]
CUP = """
import json
from django.test import Client
from leagues.entries import registration
from leagues.rounds import draw
from leagues.seasons import setup
from tests import factories
olga = factories.create_user("olga", display_name="Olga", language="en")
club = factories.create_club(olga, factories.create_user("omar"))
league = setup.create_league(actor=olga, club=club, name="Cup", game=factories.GAME)
season = factories.draft_season(league, olga, "double-elimination", where="club", name="Autumn")
for name in NAMES:
    registration.add_guest(actor=olga, division=season.divisions.get(), name=name)
draw.start(actor=olga, season=season)
client = Client(); client.force_login(olga)
print(json.dumps({"season": season.get_absolute_url(), "olga": client.cookies["sessionid"].value}))
"""
IN_FRONT = """shape => {
  const box = document.querySelector(shape)?.getBoundingClientRect();
  return box?.width && box.left >= 0 && box.right <= innerWidth;
}"""
# Everybody but the champion loses twice, and the champion never does: the favourite wins each match here.
MATCHES = 2 * (len(NAMES) - 1)


@pytest.fixture
def cup(empty_site: SiteServer) -> dict[str, str]:
    return json.loads(empty_site.python(CUP.replace("NAMES", repr(NAMES))).splitlines()[-1])


@pytest.fixture
def window(browser: Browser, empty_site: SiteServer, cup: dict[str, str]) -> Iterator:
    yield from windows(browser, empty_site.webs[0], {"olga": cup["olga"]})


def clicks(page: Page) -> int:
    return int(page.evaluate("sessionStorage.clicks ?? 0"))


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_eleven_people_to_their_champion(window, cup, phone: bool) -> None:
    page = window("olga", phone=phone)
    page.add_init_script(COUNTER)
    page.goto(cup["season"])
    press(page, "Open the bracket")
    assert clicks(page) == 1
    shape = ".swipe-match.is-open a" if phone else ".bracket-wide a:has(.is-open)"
    can_be_played = page.locator(shape)
    played = 0
    expect(can_be_played.first).to_be_visible()
    while can_be_played.count():
        # On a phone the round that is played lies in front: nobody swipes to it.
        page.wait_for_function(IN_FRONT, arg=shape)
        can_be_played.first.click()
        scores = page.locator("#match input[type=number]")
        expect(scores.first).to_be_focused()
        # In the order of the drawing.
        one, other = page.locator("#match .tap .grow").all_inner_texts()
        expect(page.locator("#match-title")).to_contain_text(f"{one} – {other}")
        page.keyboard.type("17")
        page.keyboard.press("Enter")
        expect(scores.nth(1)).to_be_focused()
        page.keyboard.type("12")
        press(page, "This result counts")
        expect(page.locator("#match")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        played += 1
    assert played == MATCHES
    assert clicks(page) - 1 <= 2 * played
    # The champion is the one whom nobody has beaten.
    beaten = page.locator(
        ".swipe-line:not(.is-winner) .grow" if phone else ".bracket-wide .bracket-seed + text:not(.is-winner)"
    ).all_text_contents()
    [champion] = set(NAMES) - {name.strip() for name in beaten}
    expect(page.locator(".bracket-champion")).to_have_text(f"Champion: {champion}")
