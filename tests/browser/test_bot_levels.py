"""The eight levels in a browser: chosen with a rating beside them, a face at the table, a sign that one thinks, and a
rematch a step harder."""

import re

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from deploy.harness.match_client import Player, begin
from deploy.harness.servers import SiteServer

GAME = "splendor-marvel"
SIZES: dict[str, ViewportSize] = {
    "desktop": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844},
}


@pytest.mark.parametrize("size", SIZES)
def test_choose_play_and_step_up(browser: Browser, site: SiteServer, size: str) -> None:
    person = f"steps-{size}"
    session = site.sign_in(person)
    context = browser.new_context(base_url=site.webs[0], locale="en-GB", viewport=SIZES[size])
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    page.goto("/play/")
    card = page.locator(f".quick.game-{GAME}")
    card.locator("summary").click()
    levels = card.locator("select[name=level] option")
    expect(levels).to_have_count(8)
    expect(levels.nth(0)).to_contain_text("1 · Novice (")
    expect(levels.nth(2)).to_have_js_property("selected", True)

    key = begin(site, session, bots=1, game=GAME, level="novice")
    page.goto(f"/play/{key}/")
    page.locator('[data-opens="table"]').click()
    face = page.locator(".seat-chip .seat-portrait")
    expect(face).to_have_attribute("src", re.compile(r"/bots/novice\."))
    assert face.evaluate("image => image.decode().then(() => image.naturalWidth)")
    # While a bot is to act, the sign in the bar says so, and moves.
    page.evaluate("document.getElementById('turn').classList.add('is-thinking')")
    dots = "getComputedStyle(document.querySelector('#turn .turn-word'), '::after')"
    assert page.evaluate(f"{dots}.animationName") == "thinks"

    with Player(site, key, session) as player:
        player.play_to_the_end()
    page.goto(f"/play/{key}/")
    expect(page.get_by_role("button", name="A bit easier")).to_have_count(0)
    page.get_by_role("button", name="A bit harder").click()
    expect(page).not_to_have_url(f"{site.webs[0]}/play/{key}/")
    page.locator('[data-opens="table"]').click()
    expect(page.locator(".seat-chip .seat-portrait")).to_have_attribute("src", re.compile(r"/bots/apprentice\."))
    assert not errors
    context.close()
