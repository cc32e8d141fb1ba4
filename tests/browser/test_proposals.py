"""Two people in two time zones agree on a time to play, each in their own browser."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.houses import House, standing, visited_house

# For a machine that does other things too; what is awaited is always a state, never a time.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

ROME, NEW_YORK = ZoneInfo("Europe/Rome"), ZoneInfo("America/New_York")
ROUND = """
import json
from django.test import Client
from accounts import clubs
from accounts.models import Membership, User
from leagues import competitions, draw, enrol, presets
def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.found(founder=olga, name="Kettle and Dice")
people = [
    User.objects.create_user("ada", "ada@club.test", time_zone="Europe/Rome"),
    User.objects.create_user("ben", "ben@club.test", time_zone="America/New_York"),
]
for person in people:
    Membership.objects.create(club=club, user=person, role="member")
league = competitions.found_league(actor=olga, club=club, name="Weekly Duels", game="splendor-marvel")
season = presets.set_up(actor=olga, league=league, preset="weekly-season")
for person in people:
    enrol.register(person=person, season=season)
draw.start(actor=olga, season=season)
stage = season.divisions.get().stages.get()
pairing = draw.publish(actor=olga, round=draw.pair(actor=olga, stage=stage)).pairings.get()
print(json.dumps({"table": pairing.get_absolute_url(), **{each.handle: session(each) for each in [olga, *people]}}))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from standing(visited_house(tmp_path_factory.mktemp("proposals"), GAUNTLET_DEMO="off"))


@pytest.fixture(scope="module")
def told(house: House) -> dict[str, str]:
    return json.loads(house.python(ROUND).splitlines()[-1])


@pytest.fixture
def window(browser: Browser, house: House, told: dict[str, str]) -> Iterator:
    opened: list[BrowserContext] = []

    def open_for(handle: str, zone: ZoneInfo, width: int = 1280) -> Page:
        size = ViewportSize(width=width, height=860)
        context = browser.new_context(base_url=house.webs[0], locale="en-GB", viewport=size, timezone_id=zone.key)
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": "sessionid", "value": told[handle], "url": house.webs[0]}])
        opened.append(context)
        return context.new_page()

    yield open_for
    for context in opened:
        context.close()


def local(moment: datetime, zone: ZoneInfo) -> str:
    return moment.astimezone(zone).strftime("%Y-%m-%dT%H:%M")


def everybody_can_use(page: Page) -> None:
    for dark, width in ((False, 360), (True, 1280)):
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 860})
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_time_is_suggested_and_accepted(window, told: dict[str, str]):
    day = datetime.now(UTC) + timedelta(days=3)
    first = day.astimezone(ROME).replace(hour=20, minute=30, second=0, microsecond=0)
    second = first + timedelta(days=1)
    ada, ben = window("ada", ROME), window("ben", NEW_YORK, 390)
    ada.goto(told["table"])
    expect(ada.locator("#when")).to_contain_text("No time is agreed yet.")
    ben.goto(told["table"])
    expect(ben.locator("#when")).to_contain_text("No time is agreed yet.")

    ada.fill("[name=time_1]", local(first, ROME))
    ada.fill("[name=time_2]", local(second, ROME))
    ada.locator("main").get_by_role("button", name="Suggest these times").click()
    expect(ada.locator("#when")).to_contain_text("You suggest:")
    everybody_can_use(ada)

    # Ben's page, still open, hears of it: on his own clock.
    suggestion = ben.locator("#when .suggestion")
    expect(suggestion).to_contain_text("ada suggests:")
    expect(suggestion).to_contain_text(first.astimezone(NEW_YORK).strftime("%H:%M"))
    everybody_can_use(ben)
    ben.locator("#when").get_by_role("button", name="I can play then").nth(1).click()
    expect(ben.locator("#when .agreed")).to_contain_text(second.astimezone(NEW_YORK).strftime("%H:%M"))
    expect(ada.locator("#when .agreed")).to_contain_text(second.strftime("%H:%M"))
