"""How many clicks the twenty common acts of an organiser take: as many as docs/organiser.md says.

The page itself counts: every press of a mouse button. Typing is free, Enter and Tab belong to it.

With GUIDE_PICTURES=1 the walk also takes the pictures of that guide anew.
"""

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from deploy.bootstrap import ROOT
from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.browser.conftest import PATIENCE, follow, press, windows

pytestmark = pytest.mark.timeout(600)
expect.set_options(timeout=PATIENCE)

GUIDE = ROOT / "docs" / "organiser.md"
PICTURES = ROOT / "docs" / "images" / "organiser"
DESKTOP, PHONE = ViewportSize(width=1280, height=860), ViewportSize(width=390, height=844)
COUNTER = """
addEventListener("pointerdown", (event) => {
  if (event.isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true);
"""

# Olga's club, with a league for every state in which an act begins.
SEASONS = """
import json
from django.test import Client
from leagues.entries import entry_requests, registration
from leagues.models import Division
from leagues.results import reporting
from leagues.rounds import draw
from leagues.seasons import setup
from tests import factories

NAMES = ["Ada", "Bruno", "Celia", "Dawid", "Elena", "Filip", "Gaia", "Hania"]
olga = factories.create_user("olga", display_name="Olga")
club = factories.create_club(olga, factories.create_user("omar"))
people = [factories.create_user(name.lower(), display_name=name) for name in ("Iga", "Jan", "Kim", "Leo", "Mia")]
paths = {}

def prepare(name, format, guests=0, divisions=1, start=True, **how):
    league = setup.create_league(actor=olga, club=club, name=name, game=factories.GAME)
    season = factories.draft_season(league, olga, format, divisions=divisions, where="club", name="Autumn", **how)
    for division in Division.objects.filter(season=season):
        for guest in NAMES[:guests]:
            registration.add_guest(actor=olga, division=division, name=guest)
    paths[league.slug] = season.get_absolute_url()
    return draw.start(actor=olga, season=season) if guests and start else season

prepare("Entries", "swiss", planned=3)
asking = prepare("Requests", "swiss", planned=3, approval=True)
for person in people:
    factories.add_member(club, person)
entry_requests.ask(person=people[0], season=asking, division=None, answers={})
prepare("Door", "table-swiss", guests=8, start=False, planned=3, check_in=True)

tuesdays = prepare("Tuesdays", "swiss", guests=8, planned=3)
factories.finish_round(factories.next_round(olga, factories.stage_of(tuesdays)))
prepare("Divisions", "swiss", guests=6, divisions=2, planned=3)
drawn = prepare("Drawn", "table-swiss", guests=8, planned=3)
draw.draw_next_round(actor=olga, stage=factories.stage_of(drawn))
playing = prepare("Evening", "swiss", guests=8, planned=3)
factories.next_round(olga, factories.stage_of(playing))

disputed = prepare("Disputes", "swiss", planned=3)
factories.enter(Division.objects.get(season=disputed), olga, *people[1:])
disputed = draw.start(actor=olga, season=disputed)
table = factories.next_round(olga, factories.stage_of(disputed)).pairings.get(number=1)
for seat, ranks in zip(table.seats.order_by("index"), ((1, 2), (2, 1))):
    reporting.report(person=seat.entrant.user, pairing=table, places=[{"rank": rank} for rank in ranks])

knockout = prepare("Cup", "single-elimination", guests=8)
draw.open_bracket(actor=olga, stage=factories.stage_of(knockout))
paths["bracket"] = f"{paths['cup']}stages/{factories.stage_of(knockout).pk}/bracket/"
over = prepare("Over", "swiss", guests=8, planned=1)
factories.finish_round(factories.next_round(olga, factories.stage_of(over)))
paths["club"] = club.get_absolute_url()
client = Client()
client.force_login(olga)
print(json.dumps({"paths": paths, "olga": client.cookies["sessionid"].value}))
"""


@dataclass(frozen=True)
class Act:
    """A row of the guide's table. `peer` is None where no peer can do it; `why` says why we need more than the best."""

    number: int
    clicks: int
    peer: int | None
    why: str


def table_of_clicks() -> list[Act]:
    rows = re.findall(
        r"^\| (\d+) \|[^|]*\|[^|]*\| (\d+) \| (?:(\d+) [^|]*|– [^|]*)\| ?([^|\n]*?) ?\|$",
        GUIDE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return [Act(int(number), int(clicks), int(peer) if peer else None, why) for number, clicks, peer, why in rows]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("clicks"), GAUNTLET_DEMO="off"))


def take_picture(page: Page, name: str, *, phone: bool = False) -> None:
    """A picture for the guide, of few colours so that it is small."""
    if not os.environ.get("GUIDE_PICTURES"):
        return
    if phone:
        page.set_viewport_size(PHONE)
        # What the page is about begins below the head of the season.
        page.evaluate("scrollTo(0, document.querySelector('.tabs').getBoundingClientRect().top + scrollY - 80)")
    taken = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    if not phone:
        taken = taken.resize((960, round(taken.height * 960 / taken.width)), Image.Resampling.LANCZOS)
    taken.quantize(96, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)
    page.set_viewport_size(DESKTOP)


def shows_text(page: Page, words: str) -> None:
    expect(page.locator("main")).to_contain_text(words)


def start_a_club(page: Page) -> None:
    take_picture(page, "desk")
    follow(page, "Start a club")
    page.get_by_label("Name", exact=True).click()
    page.keyboard.type("Dice and Kettle")
    page.get_by_label("Everybody: the club").click()
    press(page, "Start the club")
    expect(page.locator("h1")).to_have_text("Dice and Kettle")


def start_a_league(page: Page) -> None:
    follow(page, "Start a league")
    page.get_by_label("Name", exact=True).click()
    page.keyboard.type("Thursdays")
    page.locator("label", has_text="Splendor: Marvel").click()
    press(page, "On to the season")
    expect(page.locator("h1")).to_have_text("New season")
    take_picture(page, "presets")
    press(page, "Play like this", "article:has-text('season of club nights with two divisions')")
    shows_text(page, "The season is open for entries.")


def enter_eight_people(page: Page) -> None:
    follow(page, "Add entrants")
    page.locator("summary", has_text="Guests").click()
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.insert_text("Ada\nBruno\nCelia\nDawid\nElena\nFilip\nGaia\nHania")
    take_picture(page, "guests", phone=True)
    press(page, "Add the guests")
    shows_text(page, "8 guests have entered.")


def limit_the_places(page: Page) -> None:
    follow(page, "Settings", ".tabs")
    follow(page, "Change")
    page.get_by_label("Places").click()
    page.keyboard.type("12")
    press(page, "Save")
    shows_text(page, "12 places")


def approve_an_entry(page: Page) -> None:
    follow(page, "Decide")
    take_picture(page, "request", phone=True)
    press(page, "Approve")
    shows_text(page, "Iga is approved.")


def check_all_in(page: Page) -> None:
    press(page, "Check all in")
    page.locator("#confirm").get_by_role("button", name="Yes, go ahead").click()
    shows_text(page, "8 of 8")


def start_the_season(page: Page) -> None:
    press(page, "Start the season")
    shows_text(page, "The season has started.")


def leave_somebody_out(page: Page) -> None:
    follow(page, "Who is here?")
    page.get_by_role("button", name="Gaia is away").click()
    expect(page.locator(".door-count")).to_have_text("7 of 8")
    take_picture(page, "who-is-here", phone=True)


def enter_a_latecomer(page: Page) -> None:
    follow(page, "Entries", ".tabs")
    page.locator("summary", has_text="Guests").click()
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("Nina")
    press(page, "Add the guests")
    shows_text(page, "1 guest has entered.")


def draw_and_publish(page: Page) -> None:
    press(page, "Draw round 2")
    shows_text(page, "Left out of the draw: Gaia")
    expect(page.locator(".table-card")).to_have_count(4)
    take_picture(page, "draw")
    press(page, "Publish the round")
    shows_text(page, "Round 2 is published")


def draw_all_divisions(page: Page) -> None:
    press(page, "Draw and publish all divisions")
    shows_text(page, "2 rounds are drawn and published")


def exchange_two_people(page: Page) -> None:
    follow(page, "Review and publish")
    follow(page, "Change by hand")
    seats = page.locator(".tables-grid .hand-person .grow")
    first, other = seats.nth(0).inner_text(), seats.nth(5).inner_text()
    seats.nth(0).click()
    shows_text(page, f"Now choose who changes places with {first}.")
    take_picture(page, "by-hand", phone=True)
    seats.nth(5).click()
    expect(seats.nth(0)).to_have_text(other)


def enter_a_round(page: Page) -> None:
    follow(page, "Enter results")
    follow(page, "Enter all results")
    expect(page.locator("[data-rank]").first).to_be_focused()
    page.keyboard.type("12211212")
    take_picture(page, "results", phone=True)
    press(page, "Save all results")
    shows_text(page, "4 results are entered.")


def correct_a_result(page: Page) -> None:
    follow(page, "Round 1")
    follow(page, "Correct this result")
    page.locator("[data-tap]").nth(1).click()
    expect(page.get_by_label("Why")).to_be_focused()
    page.keyboard.type("The sheet was read upside down")
    page.keyboard.press("Enter")
    expect(page.locator(".preview")).to_contain_text("Standings")
    take_picture(page, "correct")
    press(page, "Correct the result")
    shows_text(page, "The result is corrected.")


def decide_a_dispute(page: Page) -> None:
    follow(page, "Decide")
    expect(page.locator(".version")).to_have_count(2)
    take_picture(page, "dispute", phone=True)
    press(page, "This one counts")
    shows_text(page, "Table 1 is settled.")


def note_a_no_show(page: Page) -> None:
    follow(page, "Enter results")
    follow(page, "Table 2")
    page.locator("summary", has_text="Somebody did not come").click()
    take_picture(page, "no-show", phone=True)
    press(page, "did not come")
    shows_text(page, "Noted who did not come.")


def enter_a_match(page: Page) -> None:
    page.locator(".bracket-wide a").first.click()
    expect(page.locator("#match input[type=number]").first).to_be_focused()
    page.keyboard.type("17")
    page.locator("#match input[type=number]").nth(1).focus()
    page.keyboard.type("12")
    press(page, "This result counts")
    expect(page.locator(".bracket-wide .bracket-score.is-winner")).to_have_text("17")
    take_picture(page, "bracket")
    take_picture(page, "bracket-phone", phone=True)


def write_to_all(page: Page) -> None:
    follow(page, "Write to all players")
    page.locator("main textarea").click()
    page.keyboard.type("We begin at seven. Bring your own snacks.")
    press(page, "Send the announcement")
    shows_text(page, "Bring your own snacks.")


def open_the_screen(page: Page) -> None:
    follow(page, "Screen for the evening")
    with page.expect_popup() as opened:
        follow(page, "Open the screen")
    screen = opened.value
    screen.set_viewport_size({"width": 1280, "height": 720})
    expect(screen.locator("body")).to_contain_text("Hania")
    take_picture(screen, "screen")
    screen.close()


def close_the_season(page: Page) -> None:
    press(page, "Finish the stage")
    expect(page.locator("tbody tr")).to_have_count(8)
    take_picture(page, "close", phone=True)
    press(page, "Sign off and close the season")
    shows_text(page, "The season is closed.")


# Where each act begins: home, the club's page, a season or the bracket.
ACTS: list[tuple[str, Callable[[Page], None]]] = [
    ("home", start_a_club),
    ("club", start_a_league),
    ("entries", enter_eight_people),
    ("entries", limit_the_places),
    ("requests", approve_an_entry),
    ("door", check_all_in),
    ("door", start_the_season),
    ("tuesdays", leave_somebody_out),
    ("tuesdays", enter_a_latecomer),
    ("tuesdays", draw_and_publish),
    ("divisions", draw_all_divisions),
    ("drawn", exchange_two_people),
    ("evening", enter_a_round),
    ("tuesdays", correct_a_result),
    ("disputes", decide_a_dispute),
    ("disputes", note_a_no_show),
    ("bracket", enter_a_match),
    ("evening", write_to_all),
    ("evening", open_the_screen),
    ("over", close_the_season),
]


def test_twenty_acts_take_as_many_clicks_as_the_guide_says(browser: Browser, site: SiteServer):
    made = json.loads(site.python(SEASONS).splitlines()[-1])
    paths = {"home": "/", **made["paths"]}
    counted = []
    for open_for in windows(browser, site.webs[0], {"olga": made["olga"]}):
        page = open_for("olga")
        page.context.add_init_script(COUNTER)
        for begins, act in ACTS:
            page.goto(paths[begins])
            page.evaluate("sessionStorage.clicks = 0")
            act(page)
            counted.append((act.__name__, int(page.evaluate("sessionStorage.clicks"))))
        if os.environ.get("GUIDE_PICTURES"):
            page.goto(f"{paths['over']}summary/")
            take_picture(page, "summary")
            page.goto(f"{paths['evening']}standings/")
            take_picture(page, "standings")
    said = [act.clicks for act in table_of_clicks()]
    assert counted == [(act.__name__, clicks) for (_begins, act), clicks in zip(ACTS, said, strict=True)]


def test_no_act_takes_more_clicks_than_with_the_best_peer_unless_the_guide_says_why():
    acts = table_of_clicks()
    assert [act.number for act in acts] == list(range(1, 21))
    more = [act.number for act in acts if act.peer is not None and act.clicks > act.peer]
    assert [act.number for act in acts if act.why] == more
