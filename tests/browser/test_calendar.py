"""Placing tables: by drag and drop with conflicts shown, from a list on a phone, and all by the solver."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, expect

from deploy.harness.servers import SiteServer, browsed_site, standing

PATIENCE = 60_000
# Four players, three rounds of two tables; two nights of two slots with two boards.
SEED = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from accounts import clubs
from accounts.models import Membership, User
from leagues.entries import registration
from leagues.rounds import draw
from leagues.seasons import setup
from leagues.models import Availability, ClubNight, Slot, Stage, Venue
def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Kettle and Dice")
players = [User.objects.create_user(handle, f"{handle}@club.test") for handle in ("ada", "bruno", "celia", "dario")]
for person in players:
    Membership.objects.create(club=club, user=person, role="member")
league = setup.create_league(actor=olga, club=club, name="Duels", game="splendor-marvel")
season = setup.add_season(actor=olga, league=league)
division = setup.add_division(actor=olga, season=season, name="First division")
setup.add_stage(actor=olga, division=division, format="round-robin")
setup.open_registration(actor=olga, season=season)
for person in players:
    registration.register(person=person, season=season)
draw.start(actor=olga, season=season)
for drawn in draw.draw_all_rounds(actor=olga, stage=Stage.objects.get(division=division)):
    draw.publish(actor=olga, round=drawn)
venue = Venue.objects.create(club=club, name="The back room", tables=2)
for week in (1, 2):
    begins = timezone.now() + timedelta(weeks=week)
    night = ClubNight.objects.create(
        club=club, venue=venue, day=begins.date(), starts_at=begins, ends_at=begins + timedelta(hours=2))
    for number in (1, 2):
        starts = begins + timedelta(hours=number - 1)
        Slot.objects.create(
            night=night, number=number, starts_at=starts, ends_at=starts + timedelta(hours=1), tables=2)
Availability.objects.create(night=night, user=players[0], answer="no")
print(json.dumps({"olga": session(olga), "ada": session(players[0]), "season": season.get_absolute_url()}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("calendar"), GAUNTLET_DEMO="off"))


def board(page: Page, slot: int, number: int) -> Locator:
    return page.locator(".slot").nth(slot).locator(f"[data-board='{number}']")


def take(page: Page, chip: Locator) -> None:
    """Begin to drag, and wait for the answer about conflicts."""
    chip.locator(".chip-who").hover()
    page.mouse.down()
    page.mouse.move(5, 5)
    expect(page.locator("#calendar.is-dragging")).to_have_count(1)


def over(page: Page, target: Locator) -> None:
    """A drag is over something once it has moved there."""
    target.hover(force=True)
    box = target.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2 + 1, box["y"] + box["height"] / 2 + 1)


def usable(page: Page) -> None:
    for dark, width in ((False, 390), (True, 1280)):
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 860})
        axe = Axe().run(page)
        assert axe.violations_count == 0, f"{page.url} at {width}: {axe.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


def test_tables_are_placed_by_hand_and_by_the_solver(browser: Browser, site: SiteServer):
    seeded = json.loads(site.python(SEED).splitlines()[-1])
    context = browser.new_context(base_url=site.webs[0], locale="en-GB", viewport={"width": 1280, "height": 1400})
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "sessionid", "value": seeded["olga"], "url": site.webs[0]}])
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{seeded['season']}calendar/")
    chip = page.locator(".chip")
    expect(chip).to_have_count(6)

    # A table of the first round goes to the first slot.
    take(page, chip.filter(has_text="Round 1, table 1"))
    over(page, board(page, 0, 1))
    expect(board(page, 0, 1)).to_have_class("board is-free is-fine is-over-it")
    page.mouse.up()
    expect(board(page, 0, 1)).to_contain_text("Round 1, table 1")

    # A table of the second round conflicts with it: that is shown before it is dropped, and it stays where it was.
    take(page, chip.filter(has_text="Round 2, table 1"))
    over(page, board(page, 0, 2))
    expect(page.locator("[data-says]")).to_contain_text("plays at table 1 of round 1 then")
    expect(page.locator("[data-says]")).to_be_in_viewport()
    expect(board(page, 0, 2)).to_have_class("board is-free is-hard is-over-it")
    page.mouse.up()
    expect(page.locator("[data-says]")).to_be_hidden()
    expect(page.locator(".chips .chip")).to_have_count(5)

    # A change during the request is fetched afterwards.
    changes = "document.body.dispatchEvent(new Event('live:season'))"
    held: list[Route] = []
    page.route("**/calendar/", lambda route: held.append(route) if not held else route.continue_())
    with page.expect_request("**/calendar/"):
        page.evaluate(changes)
    page.evaluate(changes)
    with page.expect_request("**/calendar/"):
        held[0].continue_()
    page.unroute("**/calendar/")

    # On a phone it is chosen from a list.
    page.set_viewport_size({"width": 390, "height": 800})
    chip.filter(has_text="Round 1, table 2").get_by_role("link", name="Place").click()
    expect(page.locator(".slot-list > li")).to_have_count(4)
    page.locator(".slot-list > li").nth(1).get_by_role("button", name="Place it here").click()
    expect(board(page, 1, 1)).to_contain_text("Round 1, table 1")
    page.set_viewport_size({"width": 1280, "height": 1400})

    # A locked table stays when all are placed; the page follows the task automatically.
    board(page, 1, 1).get_by_role("button", name="Lock table 1 of round 1").click()
    expect(board(page, 1, 1).locator("[aria-pressed=true]")).to_have_count(1)
    page.get_by_role("button", name="Place all tables").click()
    expect(page.locator(".plan-said")).to_contain_text("have a place")
    expect(board(page, 1, 1)).to_contain_text("Round 1, table 1")
    missing = page.locator(".plan-missing li")
    assert page.locator(".chips .chip").count() == missing.count() > 0
    expect(missing.first).to_contain_text("It could be placed")
    page.goto(f"{seeded['season']}calendar/")
    usable(page)

    # A player sees where they play, and no controls.
    context.clear_cookies()
    context.add_cookies([{"name": "sessionid", "value": seeded["ada"], "url": site.webs[0]}])
    page.goto(f"{seeded['season']}calendar/")
    expect(page.locator(".night .chip.is-mine").first).to_be_visible()
    expect(page.locator("[draggable]")).to_have_count(0)
    page.locator(".night .chip.is-mine a").first.click()
    expect(page.locator(".where-played")).to_contain_text("The back room")
    usable(page)
    context.close()
    assert not complaints
