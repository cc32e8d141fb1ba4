"""The replay of a finished match: from any link, from any seat, and with fast changes between them."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

import engine
from deploy.harness import services
from deploy.harness.servers import SiteServer

VIEW = "() => document.querySelector('#stage > *').view"
# What an element shows belongs to the seat it is shown for.
AGREE = """seat => {
  const table = document.querySelector("#stage > *");
  return table.view.seat === seat && table.seat === seat;
}"""


@pytest.fixture(scope="module", params=engine.GAMES)
def finished(request: pytest.FixtureRequest, site: SiteServer) -> str:
    """The key of a match of three that bots have played to its end."""
    key = site.python(
        "from games.tables import exhibition\n"
        "exhibition.LEVELS = ('rookie',) * 6\n"
        f"print(exhibition.start_exhibition(game={request.param!r}, players=3, pace=0).key)"
    ).splitlines()[-1]
    over = f"SELECT 1 FROM games_match WHERE key = '{key}' AND status = 'finished'"
    services.wait_until(lambda: site.rows(over), 240, "the bots have not finished")
    return key


@pytest.fixture
def replay(page: Page, site: SiteServer, finished: str) -> Page:
    """A page whose answers about plies are delayed, as far from the server."""

    def late(route: Route) -> None:
        page.wait_for_timeout(60)
        route.continue_()

    page.route("**/replay.json*", late)
    page.goto(f"{site.webs[0]}/play/{finished}/replay/")
    page.wait_for_selector("html[data-table=ready]")
    return page


def last_ply(page: Page) -> int:
    return int(json.loads(page.locator("#table-state").text_content() or "")["last"])


def test_every_seat_can_be_looked_at_from_any_link(replay: Page) -> None:
    last = last_ply(replay)
    for ply in sorted({1, last // 4, last // 2, 3 * last // 4, last}):
        replay.goto(f"{replay.url.partition('#')[0]}#{ply}")
        replay.reload()
        replay.wait_for_selector("html[data-table=ready]")
        for seat in (1, 0, 2, None):
            replay.select_option("#from-seat", "" if seat is None else str(seat))
            replay.wait_for_function(AGREE, arg=seat)
            assert replay.evaluate(VIEW)["ply"] == ply
            expect(replay.locator("#ply-number")).to_have_text(f"{ply} / {last}")


def test_the_last_choice_wins_and_the_log_is_that_of_its_seat(replay: Page) -> None:
    """Seats and plies are changed while the previous answer is still on its way."""
    last = last_ply(replay)
    for seat in ("0", "2", "1"):
        replay.select_option("#from-seat", seat)
    replay.locator("[data-go=last]").click()
    replay.locator("[data-go=back]").click()
    replay.locator("[data-go=last]").click()
    replay.wait_for_function(AGREE, arg=1)
    replay.wait_for_function(f"ply => ({VIEW})().ply === ply", arg=last)
    replay.locator(f"#log li:last-child [data-ply='{last}']").wait_for(state="attached")
    assert (replay.evaluate(VIEW)["seat"], replay.evaluate(VIEW)["ply"]) == (1, last)
    lines = replay.locator("#log li").all_text_contents()
    replay.reload()
    replay.wait_for_selector("html[data-table=ready]")
    replay.select_option("#from-seat", "1")
    replay.wait_for_function(AGREE, arg=1)
    expect(replay.locator("#log li")).to_have_text(lines)


def test_the_last_position_is_shown_before_the_log_that_leads_to_it(replay: Page) -> None:
    """A long match comes in pieces: whoever goes to its end waits for the last one only."""
    last = last_ply(replay)
    needed = f"from={last}"
    replay.unroute_all(behavior="wait")
    replay.route("**/replay.json*", lambda route: route.continue_() if needed in route.request.url else None)
    replay.keyboard.press("End")
    expect(replay.locator("#ply-number")).to_have_text(f"{last} / {last}")
    replay.wait_for_function(f"ply => ({VIEW})().ply === ply", arg=last)
