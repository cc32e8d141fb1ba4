"""What an organiser does with a league, in a real browser: set one up, run an evening, let bots play a round."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.browser.conftest import follow, press, windows

pytestmark = pytest.mark.timeout(240)
# For a slow machine. Tests wait for a state, never for a time.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

# As in docs/leagues-walkthrough.md.
CLICKS = 23

PLAYERS = ["ada", "bruno", "celia", "dawid", "elena", "filip", "gaia", "hania"]
PEOPLE = """
import json
from django.test import Client
from accounts import clubs
from accounts.models import Membership, User
def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Kettle and Dice")
people = [User.objects.create_user(handle, f"{handle}@club.test") for handle in HANDLES]
for person in people:
    Membership.objects.create(club=club, user=person, role="member")
print(json.dumps({person.handle: session(person) for person in [olga, *people]}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("league"), GAUNTLET_DEMO="off"))


@pytest.fixture(scope="module")
def sessions(site: SiteServer) -> dict[str, str]:
    """Olga owns a club of eight players."""
    output = site.python(PEOPLE.replace("HANDLES", repr(PLAYERS)))
    return json.loads(output.splitlines()[-1])


@pytest.fixture
def window(browser: Browser, site: SiteServer, sessions: dict[str, str]) -> Iterator:
    yield from windows(browser, site.webs[0], sessions)


class Hands:
    """Counts everything done with a mouse: a click into a field is a click."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.clicks += 1

    def type(self, selector: str, text: str) -> None:
        self.click(selector)
        self.page.keyboard.insert_text(text)

    def choose(self, selector: str, value: str) -> None:
        self.page.locator(selector).select_option(value)
        self.clicks += 2


def test_a_season_with_two_divisions_takes_few_clicks(window):
    """The steps of docs/leagues-walkthrough.md, click by click: from the page of an empty club to the first round."""
    page = window("olga")
    hands = Hands(page)
    page.goto("/clubs/kettle-and-dice/")
    hands.click("text=Start a league")
    hands.type("[name=name]", "Splendor League")
    hands.click("label:has-text('Splendor: Marvel')")
    hands.click("text=On to the season")
    hands.click("article:has-text('balanced season with two divisions') button")
    expect(page.locator("main")).to_contain_text("The season is open for entries.")
    expect(page.locator("h2:has-text('division')")).to_have_count(2)
    assert hands.clicks == 5

    hands.click(".tabs >> text=Settings")
    hands.choose("[name=where]", "club")
    hands.click("text=Save the settings")
    hands.click(".tabs >> text=Entries")
    for at, names in enumerate((["Ann", "Ben", "Cat", "Dan"], ["Eve", "Fox", "Gil", "Hal"])):
        division = page.locator("section[aria-labelledby^=division-]").nth(at)
        division.locator("summary:has-text('Guests')").click()
        division.locator("textarea").click()
        page.keyboard.insert_text("\n".join(names))
        division.locator("text=Add the guests").click()
        hands.clicks += 3
        expect(page.locator("main")).to_contain_text("4 guests have entered.")
    hands.click(".tabs >> text=Season")
    hands.click("text=Start the season")
    expect(page.locator("main")).to_contain_text("The season has started.")
    for at in (1, 2):
        hands.click("text=Draw round 1")
        hands.click("text=Publish the round")
        expect(page.locator("main")).to_contain_text("Round 1 is published")
        if at == 1:
            hands.click(".tabs >> text=Season")
    assert hands.clicks == CLICKS < 40


def test_a_season_of_club_nights_with_two_divisions_takes_at_most_eight_clicks(window):
    """Table Swiss over eight nights, the best six of which count: from the club's page to a season open for entries."""
    page = window("olga")
    hands = Hands(page)
    page.goto("/clubs/kettle-and-dice/")
    hands.click("text=Start a league")
    hands.type("[name=name]", "Club nights")
    hands.click("label:has-text('Splendor: Marvel')")
    hands.click("text=On to the season")
    hands.click("article:has-text('season of club nights with two divisions') button")
    expect(page.locator("main")).to_contain_text("The season is open for entries.")
    expect(page.locator("h2:has-text('division')")).to_have_count(2)
    assert hands.clicks <= 8


def test_an_evening_of_eight(window, site: SiteServer, sessions: dict[str, str]):
    """Sign-up, check-in, three rounds of table Swiss, phones, a dispute, a correction with its preview, the end."""
    page = window("olga")
    page.goto("/leagues/clubs/kettle-and-dice/new/")
    page.fill("[name=name]", "Friday Tables")
    page.check("[value=splendor-marvel]")
    press(page, "On to the season")
    press(page, "Play like this", "article:has-text('A table Swiss evening')")
    season = page.url.removeprefix(site.webs[0])

    sign_up(window, site, sessions, season)
    check_in(page, season)
    follow(page, "Season", ".tabs")
    press(page, "Start the season")
    draw_and_publish(page, 1)
    report_on_phones(window, page)
    decide_the_dispute(page)
    close_round(page, season, 1)
    for number in (2, 3):
        draw_and_publish(page, number)
        enter_the_evening(page)
        close_round(page, season, number)
    everybody_can_use(page, season)
    correct_an_old_result(page, season)
    end_the_season(page, season)


def sign_up(window, site: SiteServer, sessions: dict[str, str], season: str) -> None:
    """Ada with her phone; the others by the same requests without a browser."""
    ada = window("ada", phone=True)
    ada.goto(season)
    press(ada, "Sign up for the season")
    expect(ada.locator(".next")).to_contain_text("You have entered Main event.")
    for handle in PLAYERS[1:]:
        status, _page = site.post(f"{season}entries/sign-up/", session=sessions[handle])
        assert status == 200
    ada.context.close()


def check_in(page: Page, season: str) -> None:
    page.goto(f"{season}door/")
    expect(page.locator(".door-count")).to_have_text("0 of 8")
    for at in range(len(PLAYERS)):
        page.locator(".door-one[aria-pressed=false]").first.click()
        expect(page.locator(".door-count")).to_have_text(f"{at + 1} of 8")


def draw_and_publish(page: Page, number: int) -> None:
    press(page, f"Draw round {number}")
    expect(page.locator("main")).to_contain_text("Only organisers see this draw.")
    expect(page.locator(".table-card")).to_have_count(2)
    page.locator(".why summary").first.click()
    expect(page.locator(".why p").first).not_to_be_empty()
    press(page, "Publish the round")
    expect(page.locator("main")).to_contain_text(f"Round {number} is published")


def report_on_phones(window, page: Page) -> None:
    """At table 1 the second player confirms what the first reports; at table 2 they disagree."""
    for number in (1, 2):
        card = page.locator(".table-card").nth(number - 1)
        names = card.locator(".seat-name").all_inner_texts()
        path = card.locator("h3 a").get_attribute("href")
        first, second = window(names[0], phone=True), window(names[1], phone=True)
        first.goto(path)
        for name in names:
            first.locator(f".tap:has(.grow:text-is('{name}'))").click()
        press(first, "Report this result")
        expect(first.locator("#state")).to_contain_text(f"Won by {names[0]}")
        second.goto(path)
        if number == 1:
            press(second, "Yes, that is right")
            expect(second.locator("#state")).to_contain_text("Confirmed")
        else:
            second.click("text=No, it was different")
            for name in [names[1], names[0], *names[2:]]:
                second.locator(f".tap:has(.grow:text-is('{name}'))").click()
            press(second, "Report this result")
            expect(second.locator("#state")).to_contain_text("Disputed")
        # The organiser's page, still open, shows it.
        expect(card).to_contain_text("Confirmed" if number == 1 else "Disputed")
        first.context.close()
        second.context.close()


def decide_the_dispute(page: Page) -> None:
    follow(page, "To decide", ".tabs")
    expect(page.locator(".version")).to_have_count(2)
    press(page, "This one counts", ".version:nth-child(2)")
    expect(page.locator("main")).to_contain_text("Table 2 is settled.")
    expect(page.locator("main")).to_contain_text("Nothing to decide")


def close_round(page: Page, season: str, number: int) -> None:
    page.goto(season)
    press(page, f"Close round {number}")
    expect(page.locator("main")).to_contain_text(f"Round {number} is closed.")


def enter_the_evening(page: Page) -> None:
    """By keyboard alone. An error is shown at its row, and nothing that was typed is lost."""
    follow(page, "Enter all results")
    page.locator("[data-rank]").first.focus()
    page.keyboard.type("12341134")
    press(page, "Save all results")
    expect(page.locator(".is-wrong")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("2 results are entered.")


def everybody_can_use(page: Page, season: str) -> None:
    """Every kind of page in both themes: no accessibility errors, and no wider than a small phone."""
    page.goto(f"{season}rounds/")
    round_page = page.locator(".round-chip").first.get_attribute("href") or ""
    page.goto(round_page)
    table = page.locator(".table-card h3 a").first.get_attribute("href") or ""
    paths = [season, *(f"{season}{name}/" for name in ("entries", "settings", "log", "close"))]
    paths += [round_page, f"{round_page}sheet/", table, f"{table}correct/"]
    for path in [*paths, "/leagues/", "/leagues/clubs/kettle-and-dice/new/"]:
        page.goto(path)
        for dark, width in ((False, 360), (True, 1280)):
            page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": 800})
            axe = Axe().run(page)
            assert axe.violations_count == 0, f"{path} at {width}: {axe.generate_report()}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def correct_an_old_result(page: Page, season: str) -> None:
    page.goto(f"{season}rounds/")
    follow(page, "Round 1")
    page.locator(".table-card h3 a").first.click()
    follow(page, "Correct this result")
    page.click("[data-clear]")
    taps = page.locator("[data-tap]")
    for at in (3, 2, 1, 0):
        taps.nth(at).click()
    press(page, "See what would change")
    expect(page.locator(".preview")).to_contain_text("Standings")
    # Nothing is written yet.
    press(page, "Correct the result")
    expect(page.locator("main")).to_contain_text("Say why: it is shown in the season’s log.")
    page.fill("[name=why]", "The sheet was read upside down")
    press(page, "Correct the result")
    expect(page.locator("main")).to_contain_text("The result is corrected.")
    page.goto(f"{season}log/")
    expect(page.locator("main")).to_contain_text("The sheet was read upside down")


def end_the_season(page: Page, season: str) -> None:
    page.goto(season)
    press(page, "Finish the stage")
    expect(page.locator("tbody tr")).to_have_count(8)
    press(page, "These standings are right")
    press(page, "Close the season")
    page.click("#confirm >> text=Yes, go ahead")
    expect(page.locator("main")).to_contain_text("The season is closed.")
    expect(page.locator("table").first.locator("tbody tr")).to_have_count(8)


def test_bots_play_a_round_online(window, site: SiteServer):
    """The results arrive automatically on an open page."""
    page = window("olga")
    page.goto("/leagues/clubs/kettle-and-dice/new/")
    page.fill("[name=name]", "Site Duels")
    page.check("[value=infinity-gauntlet]")
    press(page, "On to the season")
    press(page, "Play like this", "article:has-text('A round-robin season')")
    season = page.url.removeprefix(site.webs[0])
    for at in (0, 0, 1, 1):
        page.goto(f"{season}entries/")
        division = page.locator("section[aria-labelledby^=division-]").nth(at)
        division.locator("summary:has-text('Bot')").click()
        division.locator("[name=level]").first.select_option("novice")
        division.get_by_role("button", name="Add the bot").click()
        expect(page.locator(".messages")).to_contain_text("has entered.")
    page.goto(season)
    press(page, "Start the season")
    for _ in range(2):
        press(page, "Draw round 1")
        press(page, "Publish the round")
        expect(page.locator(".table-card")).to_contain_text("Confirmed", timeout=90_000)
        expect(page.locator(".scorecard")).to_contain_text("Won by")
        # The page may be reloading a part of itself: a button that is being replaced cannot be pressed.
        page.reload()
        press(page, "Close the round")
        expect(page.locator("main")).to_contain_text("Round 1 is closed.")
