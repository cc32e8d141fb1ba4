"""The response window played by people in their own browsers: asked, passed, timed out; nobody else waits."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.harness.match_client import begin
from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE, at_once
from tests.browser.test_match_frame import CHOOSE, FREE, VIEW

MOST_DEALS = 20
# The window's time, as the server gives it to people at their pages.
WINDOW = 8_000
# Random play of the match up to a position in which the one on turn may roll or stop and exactly one other can help.
WALK = """
import engine
from engine.rng import stream
from games import engine_match, help_state
from games.models import Match, Move
from games.play.moves import commit
match = Match.objects.get(key={key!r})
current, rng = engine_match.load(match), stream(match.secret, "walk")
turn, before = help_state.turn_of(current), current.to_act
found = ""
for _ in range(3000):
    moves = [current.notation(action) for action in current.legal()]
    acts = [move for move in moves if move in ("roll", "stop")]
    if acts and len(current.helpers()) == 1:
        found = f"{{current.to_act}} {{current.helpers()[0]}} {{acts[0]}}"
        commit(match=match, played=current, by=Move.By.BOT, turn=turn, before=before)
        break
    current.play(current.legal()[int(rng.below(len(moves)))])
    if current.outcome:
        break
print("found", found)
"""


class Table:
    """Three people at a table of Thanos Rising, each with a page: on turn, able to help, and without a token."""

    def __init__(self, pages: list[Page], key: str, active: int, helper: int, act: str) -> None:
        self.key, self.helping = key, helper
        self.active, self.helper = pages[active], pages[helper]
        self.other = pages[3 - active - helper]
        self.act = act
        self.ply = self.active.evaluate(VIEW)["ply"]

    def try_to_act(self) -> None:
        self.active.wait_for_function(FREE)
        self.active.evaluate(CHOOSE, self.act)

    def has_acted(self) -> None:
        for page in (self.active, self.helper, self.other):
            page.wait_for_function(f"ply => ({VIEW})().ply > ply", arg=self.ply)


@pytest.fixture
def table(browser: Browser, site: SiteServer) -> Iterator[Callable[[str], Table]]:
    opened: list[Page] = []

    def sit_down(name: str) -> Table:
        sessions = [site.sign_in(f"{name}-{number}") for number in range(3)]
        for _ in range(MOST_DEALS):
            key = begin(site, *sessions, game="thanos-rising")
            _, *found = site.python(WALK.format(key=key)).splitlines()[-1].split()
            if found:
                break
        else:
            raise AssertionError("no deal gives a token that fits")
        seats = dict(
            site.rows(
                'SELECT s."index", u.handle FROM games_seat s JOIN accounts_user u ON u.id = s.user_id '
                f"JOIN games_match m ON m.id = s.match_id WHERE m.key = '{key}'"
            )
        )
        for seat in range(3):
            session = sessions[int(str(seats[seat]).rsplit("-", 1)[1])]
            context = at_once(browser.new_context(base_url=site.webs[0], locale="en-GB"))
            context.set_default_timeout(PATIENCE)
            context.add_cookies([{"name": "sessionid", "value": session, "url": site.webs[0]}])
            opened.append(context.new_page())
            opened[-1].goto(f"/play/{key}/")
            opened[-1].wait_for_selector("html[data-table=ready]")
            opened[-1].wait_for_selector("html[data-live=online]")
        for page in opened:  # all are seen to be here: only they are asked
            expect(page.locator("#absent")).to_be_hidden()
        return Table(opened[-3:], key, int(found[0]), int(found[1]), found[2])

    yield sit_down
    for page in opened:
        page.context.close()


def test_who_can_help_is_asked_and_passes_this_turn(table: Callable[[str], Table]) -> None:
    at = table("pass-turn")
    expect(at.active.locator("#help-window")).to_contain_text("can help")
    at.try_to_act()
    asked = at.helper.locator("#help-window")
    expect(asked.get_by_role("button", name="Pass this turn")).to_be_visible()
    expect(at.active.locator("#help-window .help-ring")).to_be_visible()
    assert at.active.evaluate(VIEW)["ply"] == at.ply  # the act waits
    # Who holds nothing is neither asked nor waited for.
    expect(at.other.locator("#help-window")).to_be_hidden()
    asked.get_by_role("button", name="Pass this turn").click()
    at.has_acted()
    expect(asked.get_by_role("button", name="Pass this turn")).to_have_count(0)


def test_who_passes_until_they_say_is_remembered_for_the_match(table: Callable[[str], Table], site: SiteServer) -> None:
    at = table("pass-match")
    at.try_to_act()
    asked = at.helper.locator("#help-window")
    asked.locator("[data-answer*='match']").click()
    at.has_acted()
    passing = json.loads(site.rows(f"SELECT responses FROM games_match WHERE key = '{at.key}'")[0][0])["passing"]
    assert passing == {str(at.helping): "match"}
    expect(asked.get_by_role("button", name="Pass this turn")).to_have_count(0)


def test_who_says_nothing_lets_the_act_go_on_after_the_limit(table: Callable[[str], Table]) -> None:
    at = table("pass-never")
    at.helper.evaluate(
        """() => {
          const box = document.querySelector("#help-window");
          new MutationObserver(() => {
            if (box.querySelector(".help-ring")) window.askedAt ??= performance.now();
            else if (window.askedAt) window.goneAt ??= performance.now();
          }).observe(box, { childList: true });
        }"""
    )
    at.try_to_act()
    at.helper.wait_for_function("() => window.askedAt")
    at.has_acted()
    at.helper.wait_for_function("() => window.goneAt")
    # By the helper's own clock the question stood for the whole time, less what it needed to arrive.
    assert at.helper.evaluate("() => window.goneAt - window.askedAt") > WINDOW / 2
