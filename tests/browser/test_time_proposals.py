"""Two people in two time zones agree on a time to play, each in their own browser."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from deploy.harness.servers import SiteServer, browsed_site, standing

# For a slow machine. Tests wait for a state, never for a time.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

ROME, NEW_YORK = ZoneInfo("Europe/Rome"), ZoneInfo("America/New_York")
ROUND = """
import json
from django.test import Client
from accounts import clubs
from accounts.models import Membership, User
from leagues.entries import registration
from leagues.rounds import draw
from leagues.seasons import presets, setup
def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Kettle and Dice")
people = [
    User.objects.create_user("ada", "ada@club.test", time_zone="Europe/Rome"),
    User.objects.create_user("ben", "ben@club.test", time_zone="America/New_York"),
]
for person in people:
    Membership.objects.create(club=club, user=person, role="member")
league = setup.create_league(actor=olga, club=club, name="Weekly Duels", game="splendor-marvel")
season = presets.set_up(actor=olga, league=league, preset="weekly-season")
for person in people:
    registration.register(person=person, season=season)
draw.start(actor=olga, season=season)
stage = season.divisions.get().stages.get()
pairing = draw.publish(actor=olga, round=draw.draw_next_round(actor=olga, stage=stage)).pairings.get()
print(json.dumps({"table": pairing.get_absolute_url(), **{each.handle: session(each) for each in [olga, *people]}}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("proposals"), GAUNTLET_DEMO="off"))


@pytest.fixture(scope="module")
def sessions(site: SiteServer) -> dict[str, str]:
    return json.loads(site.python(ROUND).splitlines()[-1])


@pytest.fixture
def window(browser: Browser, site: SiteServer, sessions: dict[str, str]) -> Iterator:
    opened: list[BrowserContext] = []

    def open_for(handle: str, zone: ZoneInfo, width: int = 1280) -> Page:
        size = ViewportSize(width=width, height=860)
        context = browser.new_context(base_url=site.webs[0], locale="en-GB", viewport=size, timezone_id=zone.key)
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": "sessionid", "value": sessions[handle], "url": site.webs[0]}])
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
        axe = Axe().run(page)
        assert axe.violations_count == 0, axe.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_time_is_suggested_and_accepted(window, sessions: dict[str, str]):
    day = datetime.now(UTC) + timedelta(days=3)
    first = day.astimezone(ROME).replace(hour=20, minute=30, second=0, microsecond=0)
    second = first + timedelta(days=1)
    ada, ben = window("ada", ROME), window("ben", NEW_YORK, 390)
    ada.goto(sessions["table"])
    expect(ada.locator("#when")).to_contain_text("No time is agreed yet.")
    ben.goto(sessions["table"])
    expect(ben.locator("#when")).to_contain_text("No time is agreed yet.")

    ada.fill("[name=time_1]", local(first, ROME))
    ada.fill("[name=time_2]", local(second, ROME))
    ada.locator("main").get_by_role("button", name="Suggest these times").click()
    expect(ada.locator("#when")).to_contain_text("You suggest:")
    everybody_can_use(ada)

    # Ben's page, still open, shows it in his own time zone.
    suggestion = ben.locator("#when .suggestion")
    expect(suggestion).to_contain_text("ada suggests:")
    expect(suggestion).to_contain_text(first.astimezone(NEW_YORK).strftime("%H:%M"))
    everybody_can_use(ben)
    ben.locator("#when").get_by_role("button", name="I can play then").nth(1).click()
    expect(ben.locator("#when .agreed")).to_contain_text(second.astimezone(NEW_YORK).strftime("%H:%M"))
    expect(ada.locator("#when .agreed")).to_contain_text(second.strftime("%H:%M"))
