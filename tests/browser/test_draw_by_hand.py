"""An evening before the round: who is here, and the organiser's hand on the draw, on a desktop and on a phone."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.browser.conftest import PATIENCE, follow, press, windows

pytestmark = pytest.mark.timeout(300)
expect.set_options(timeout=PATIENCE)

PLAYERS = ["ada", "bruno", "celia", "dawid", "elena", "filip", "gaia"]
EVENING = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from accounts import clubs
from accounts.models import Membership, User
from leagues.calendar import availability
from leagues.core import consent
from leagues.entries import registration
from leagues.models import ClubNight, Slot, Venue
from leagues.rounds import draw
from leagues.seasons import setup
def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Kettle and Dice")
people = [User.objects.create_user(handle, f"{handle}@club.test", display_name=handle.title()) for handle in HANDLES]
for person in people:
    Membership.objects.create(club=club, user=person, role="member")
venue = Venue.objects.create(club=club, name="Back room", tables=6)
start = timezone.now() + timedelta(hours=2)
times = {"starts_at": start, "ends_at": start + timedelta(hours=3)}
night = ClubNight.objects.create(club=club, venue=venue, day=start.date(), **times)
Slot.objects.create(night=night, number=1, tables=6, **times)
league = setup.create_league(actor=olga, club=club, name="Swiss", game="splendor-marvel")
season = setup.add_season(actor=olga, league=league, name="Autumn")
division = setup.add_division(actor=olga, season=season, name="All")
stage = setup.add_stage(actor=olga, division=division, format="swiss", planned=3)
setup.open_registration(actor=olga, season=season)
for person in people:
    registration.add_person(actor=olga, division=division, person=person)
    consent.agree(season, person)
registration.add_guest(actor=olga, division=division, name="Guest Gus")
draw.start(actor=olga, season=season)
availability.answer(actor=people[0], night=night, answer="no")
print(json.dumps({"stage": stage.pk, **{person.handle: session(person) for person in [olga, *people]}}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("hand"), GAUNTLET_DEMO="off"))


@pytest.fixture(scope="module")
def sessions(site: SiteServer) -> dict[str, str]:
    """Olga runs a Swiss of seven members and a guest; Ada cannot come tonight."""
    return json.loads(site.python(EVENING.replace("HANDLES", repr(PLAYERS))).splitlines()[-1])


@pytest.fixture
def window(browser: Browser, site: SiteServer, sessions: dict[str, str]) -> Iterator:
    yield from windows(browser, site.webs[0], sessions)


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def accessible(page: Page) -> list:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]


def test_who_is_here_drives_the_draw(window):
    """One tap a person, live on all open pages, from a phone too."""
    page, phone = window("olga"), window("bruno", phone=True)
    page.goto("/leagues/swiss/1/rounds/")
    follow(page, "Who is here?")
    expect(page.locator(".door-count")).to_have_text("7 of 8")
    expect(page.locator("li[data-name=Ada]")).to_contain_text("cannot come on")
    assert not accessible(page)

    # Bruno finds his own name first, and taps once; Olga's page changes by itself.
    phone.goto("/leagues/swiss/1/entries/")
    follow(phone, "Say whether you are here for the next round")
    expect(phone.locator(".here-one").first).to_contain_text("Bruno")
    assert phone.locator(".here-taps").count() == 1
    phone.get_by_role("button", name="Bruno is away").tap()
    expect(phone.locator(".door-count")).to_have_text("6 of 8")
    assert fits(phone)
    assert not accessible(phone)
    expect(page.locator(".door-count")).to_have_text("6 of 8")

    # The organiser taps for a guest, and takes it back.
    page.get_by_role("button", name="Guest Gus is away").click()
    expect(page.locator(".door-count")).to_have_text("5 of 8")
    page.get_by_role("button", name="Guest Gus is here").click()
    expect(page.locator(".door-count")).to_have_text("6 of 8")

    press(page, "Draw round 1")
    expect(page.locator("main")).to_contain_text("Left out of the draw: Ada (cannot come on")
    expect(page.locator(".tables-grid > li")).to_have_count(3)
    expect(page.locator(".tables-grid")).not_to_contain_text("Ada")

    # Ada comes after all: one tap, and the draw has her.
    follow(page, "Who is here?")
    page.get_by_role("button", name="Ada is here").click()
    expect(page.locator(".door-count")).to_have_text("7 of 8")
    follow(page, "See the draw")
    expect(page.locator(".tables-grid > li")).to_have_count(3)
    expect(page.locator("main")).to_contain_text("Ada")
    press(page, "Take it back")
    expect(page.locator("main")).to_contain_text("Round 1 is taken back.")


def seats(page: Page) -> list[str]:
    return page.locator(".tables-grid .hand-person .grow").all_inner_texts()


def exchanged(names: list[str], one: int, other: int) -> list[str]:
    names = list(names)
    names[one], names[other] = names[other], names[one]
    return names


def test_the_organisers_hand_on_the_draw(window):
    """By tap, by keyboard and by drag; with the cost, undo and a pair to keep apart."""
    page = window("olga")
    page.goto("/leagues/swiss/1/rounds/")
    press(page, "Draw round 1")
    follow(page, "Change by hand")
    drawn = seats(page)
    expect(page.locator("#hand-costs")).to_have_text("As good as the machine’s draw.")
    assert not accessible(page)

    # Tap one, tap the other.
    page.locator(".hand-person").nth(0).click()
    expect(page.locator("main")).to_contain_text(f"Now choose who changes places with {drawn[0]}.")
    assert not accessible(page)
    page.locator(".hand-person").nth(3).click()
    expect(page.locator(".tables-grid .hand-person .grow").nth(0)).to_have_text(drawn[3])
    assert seats(page) == exchanged(drawn, 0, 3)

    # Undo, then the same by keyboard; Escape takes a choice back.
    press(page, "Undo the last exchange")
    expect(page.locator(".tables-grid .hand-person .grow").nth(0)).to_have_text(drawn[0])
    assert seats(page) == drawn
    # What the page asked for before the tap is not answered after it: that would take the tap back.
    held: list[Route] = []
    page.route("**/hand/", lambda route: held.append(route))
    page.evaluate("document.body.dispatchEvent(new CustomEvent('live:resync'))")
    while not held:
        page.wait_for_timeout(20)
    page.locator(".hand-person").nth(1).click()
    expect(page.locator("[data-cancel]")).to_be_visible()
    held[0].continue_()
    page.wait_for_timeout(500)
    expect(page.locator("[data-cancel]")).to_be_visible(timeout=2_000)
    page.unroute("**/hand/")
    with page.expect_navigation():
        page.keyboard.press("Escape")
    expect(page.locator("[data-cancel]")).to_have_count(0)
    page.locator(".hand-person").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-cancel]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-cancel]")).to_have_count(0)
    page.locator(".hand-person").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-cancel]")).to_be_visible()
    page.locator(".hand-person").nth(2).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tables-grid .hand-person .grow").nth(1)).to_have_text(drawn[2])

    # Drag it back.
    page.locator(".hand-person").nth(1).drag_to(page.locator(".hand-person").nth(2))
    expect(page.locator(".tables-grid .hand-person .grow").nth(1)).to_have_text(drawn[1])
    assert seats(page) == drawn

    # A pair of the first table is to be kept apart: the page warns.
    follow(page, "Pairs to keep apart")
    page.get_by_label("One").select_option(label=drawn[0])
    page.get_by_label("The other").select_option(label=drawn[1])
    press(page, "Add")
    expect(page.locator("main")).to_contain_text("kept apart in all rounds")
    assert not accessible(page)

    # On the phone the same page; the exchange is better than the machine's draw.
    phone = window("olga", phone=True)
    phone.goto("/leagues/swiss/1/rounds/")
    follow(phone, "Review and publish")
    follow(phone, "Change by hand")
    expect(phone.locator(".hand-warnings").first).to_contain_text("should be kept apart.")
    assert fits(phone)
    phone.locator(".hand-person").nth(0).tap()
    expect(phone.locator(".hand-person").nth(2)).to_contain_text("not kept apart: −1")
    phone.locator(".hand-person").nth(2).tap()
    expect(phone.locator("#hand-costs")).to_have_text("Better than the machine’s draw.")
    expect(phone.locator(".hand-warnings")).to_have_count(0)
    assert fits(phone)
    follow(phone, "Done: review and publish")
    press(phone, "Publish the round")
    expect(phone.locator("main")).to_contain_text("Round 1 is published")
    phone.goto("/leagues/swiss/1/log/")
    expect(phone.locator("main")).to_contain_text("change places in round 1 of All")
