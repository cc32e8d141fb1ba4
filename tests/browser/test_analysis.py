"""A match with a planted blunder: Thanos could snap, which wins at once, and never did. The analysis finds it."""

import pytest
from playwright.sync_api import BrowserContext, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import OWNER, PATIENCE, open_drawer

PLANT = f"""
from accounts.models import User
from engine.rng import stream
from games import engine_match
from games.models import Match, Move
from games.play.moves import play_move
from games.tables import start
from tests.factories import create_user, open_table_with
owner = User.objects.get(handle={OWNER!r})
options = {{"heroes_life": 6, "thanos_life": 2}}
match = open_table_with(owner, create_user("planted"), game="infinity-gauntlet", options=options, draws_seats=False)
Match.objects.filter(pk=match.pk).update(secret="snap 1")
match = start.start(person=owner, match=Match.objects.get(pk=match.pk))
rng = stream("snap 1", "walk")
while (match := Match.objects.get(pk=match.pk)).is_playing:
    current = engine_match.load(match)
    moves = [current.notation(action) for action in current.legal()]
    others = [move for move in moves if move != "snap"]
    move = others[rng.below(len(others))]
    play_move(match=match, ply=match.ply, seat=current.to_act, move=move, by=Move.By.PERSON)
print(match.key)
"""


@pytest.fixture(scope="module")
def planted(site: SiteServer) -> str:
    return site.python(PLANT).splitlines()[-1]


def test_a_planted_blunder_is_found_and_leads_to_its_move(owner: BrowserContext, planted: str) -> None:
    page = owner.new_page()
    page.goto(f"/play/{planted}/replay/")
    page.wait_for_selector("html[data-table=ready]")
    open_drawer(page, "analysis")
    page.locator("#analysis form button").click()
    expect(page.locator("#analysis .analysis-curve")).to_be_visible(timeout=4 * PATIENCE)
    expect(page.locator("#analysis .analysis-sum")).to_contain_text("You gave away")
    blunder = page.locator("#analysis .analysis-blunder").filter(has_text="better: Snap").first
    expect(blunder).to_be_visible()
    expect(blunder).to_contain_text("Blunder")
    link = blunder.locator("a")
    ply = (link.get_attribute("href") or "").removeprefix("#")
    link.click()
    expect(page.locator("#ply-number")).to_contain_text(f"{ply} / ")
    page.reload()
    expect(page.locator("#analysis .analysis-curve")).to_have_count(1)
