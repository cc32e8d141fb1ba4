"""A club evening of thirty people: the screen, the standings on one page, and a phone that loses the network."""

import json
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.browser.conftest import PATIENCE, follow, press, windows

pytestmark = pytest.mark.timeout(300)
expect.set_options(timeout=PATIENCE)

EVENING = """
import json
from django.test import Client
from accounts import clubs
from accounts.models import Membership, User
from leagues.core import consent
from leagues.entries import registration
from leagues.models import Pairing
from leagues.results import reporting
from leagues.rounds import closing, draw
from leagues.seasons import setup
NAMES = ["Aleksandra", "Bartosz", "Celina", "Dominik", "Elżbieta", "Franciszek", "Gabriela", "Hubert", "Izabela",
         "Jarosław", "Katarzyna", "Leonardo", "Małgorzata", "Norbert", "Oliwia"]
def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value
def play(round_):
    for pairing in round_.pairings.all():
        count = pairing.seats.count()
        places = [{"rank": at + 1, "score": 18 - 3 * at, "kind": "PLAYED"} for at in range(count)]
        reporting.enter_result(actor=olga, pairing=pairing, places=places)
    closing.close_round(actor=olga, round=round_)
def next_round(stage):
    return draw.publish(actor=olga, round=draw.draw_next_round(actor=olga, stage=stage))
def start(name, divisions, people=()):
    league = setup.create_league(actor=olga, club=club, name=name, game="splendor-marvel")
    season = setup.add_season(actor=olga, league=league, name="Autumn")
    stages = []
    for at, count in enumerate(divisions):
        title = ["First division", "Second division"][at]
        division = setup.add_division(actor=olga, season=season, level=at + 1, name=title)
        stages.append(setup.add_stage(actor=olga, division=division, format="table-swiss", planned=5))
        if at == 0:
            setup.open_registration(actor=olga, season=season)
        own = people[at:at + 1]
        for number in range(count - len(own)):
            name = f"{NAMES[number % 15]} {'ABCD'[at * 2 + number // 15]}."
            registration.add_guest(actor=olga, division=division, name=name)
        for person in own:
            registration.add_person(actor=olga, division=division, person=person)
            consent.agree(season, person)
    draw.start(actor=olga, season=season)
    return season, stages
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Kettle and Dice")
ada, bruno = [User.objects.create_user(one, f"{one}@club.test", display_name=one.title()) for one in ("ada", "bruno")]
for person in (ada, bruno):
    Membership.objects.create(club=club, user=person, role="member")
two, stages = start("Two divisions", [15, 15], [ada, bruno])
for stage in stages:
    play(next_round(stage))
rounds = [next_round(stage) for stage in stages]
big, (long_stage,) = start("One long list", [30])
play(next_round(long_stage)); play(next_round(long_stage))
mine = Pairing.objects.get(round=rounds[0], seats__entrant__user=ada)
brunos = Pairing.objects.get(round=rounds[1], seats__entrant__user=bruno)
for other in (olga, ada, bruno):
    other.language = "en"; other.save()
print(json.dumps({
    "two": two.get_absolute_url(), "big": big.get_absolute_url(), "ada_table": mine.get_absolute_url(), "key": mine.key,
    "bruno_table": brunos.get_absolute_url(),
    "round": rounds[0].pk, "long": long_stage.pk,
    "sessions": {person.handle: session(person) for person in [olga, ada, bruno]},
}))
"""
COUNT = """
import json
from leagues.models import Result, SentReport
rows = Result.objects.filter(pairing__key="KEY")
sent = SentReport.objects.filter(pairing__key="KEY").count()
print(json.dumps({"by": [row.by.handle for row in rows], "sent": sent}))
"""
PRIVATE = "from leagues.models import League; League.objects.update(is_private=HOW)"
SEATS_INSIDE = """all => all.every((one) =>
  one.getBoundingClientRect().bottom <= one.closest("li").getBoundingClientRect().bottom + 1)"""
ROWS_SEEN = """all => all.every((one) => {
  const box = one.getBoundingClientRect();
  return box.height > 0 && box.top > 0 && box.bottom <= 900 && box.left >= 0 && box.right <= 1280;
})"""
KEEP = """kept => localStorage.setItem("unsent-reports", JSON.stringify([
  {...kept, person: document.querySelector("[data-unsent]").dataset.person}]))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("evening"), GAUNTLET_DEMO="off"))


@pytest.fixture(scope="module")
def club(site: SiteServer) -> dict:
    """Two divisions of fifteen in round 2, and another league of thirty in one list."""
    return json.loads(site.python(EVENING).splitlines()[-1])


@pytest.fixture
def window(browser: Browser, site: SiteServer, club: dict) -> Iterator:
    yield from windows(browser, site.webs[0], club["sessions"])


def status_of(page: Page, address: str) -> int:
    answer = page.goto(address)
    assert answer is not None
    return answer.status


def fits(page: Page) -> bool:
    return page.evaluate(
        "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"
    )


def test_the_screen_fits_changes_by_itself_and_opens_by_a_secret_link(
    browser: Browser, window, site: SiteServer, club: dict
) -> None:
    television = browser.new_context(base_url=site.webs[0], viewport={"width": 1920, "height": 1080}, locale="en-GB")
    television.set_default_timeout(PATIENCE)
    screen = television.new_page()
    screen.goto(f"{club['two']}screen/")
    assert fits(screen)
    tables = screen.locator(".screen-table:visible")
    # Two divisions, and every place once.
    assert tables.evaluate_all("all => all.map(one => Number(one.dataset.table))") == list(range(1, 9))
    seats = screen.locator(".screen-seat:visible")
    assert seats.count() == 30
    assert seats.evaluate_all(SEATS_INSIDE)
    names = screen.locator(".screen-name:visible")
    assert min(names.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")) >= 25
    expect(screen.locator("[data-clock-time]")).to_have_text(re.compile(r"^\d+:\d\d"))
    for theme in ("light", "dark"):
        screen.goto(f"{club['two']}screen/?theme={theme}&lang=pl")
        assert fits(screen)
        axe = Axe().run(screen)
        assert axe.violations_count == 0, axe.generate_report()

    # A player reports on the phone, and the screen says so.
    screen.goto(f"{club['two']}screen/")
    expect(screen.locator("html")).to_have_attribute("data-live", "online")
    reported = screen.locator(".screen-table.is-reported")
    expect(reported).to_have_count(0)
    phone = window("bruno", phone=True)
    phone.goto(club["bruno_table"])
    number = phone.locator(".phone h2").first.inner_text().split()[-1]
    for tap in phone.locator("[data-tap]").all():
        tap.click()
    press(phone, "Report this result")
    expect(reported).to_have_count(1)
    assert reported.get_attribute("data-table") == number

    # The organiser starts the clock, and a television without an account sees a private league by a secret link.
    desk = window("olga")
    desk.goto(club["two"])
    follow(desk, "Screen for the evening")
    desk.fill("#clock-minutes", "50")
    press(desk, "Start the round’s clock")
    expect(screen.locator("[data-clock-words]")).to_have_text("Round ends in")
    expect(screen.locator("[data-clock-time]")).to_have_text(re.compile(r"^[45]\d:\d\d$"))
    press(desk, "Make a secret link")
    secret = desk.locator("section:has(#screen-link) a").inner_text()
    site.python(PRIVATE.replace("HOW", "True"))
    assert status_of(screen, f"{club['two']}screen/") == 404
    assert status_of(screen, secret) == 200
    expect(screen.locator("html")).to_have_attribute("data-live", "online")
    press(desk, "Count down to the next round")
    expect(screen.locator("[data-clock-words]")).to_have_text("Next round in")
    press(desk, "Remove the link")
    expect(desk.locator("button[value=unlink]")).to_have_count(0)
    assert status_of(screen, secret) == 404
    site.python(PRIVATE.replace("HOW", "False"))
    television.close()


def test_thirty_people_on_one_screen_and_a_crosstable_on_one_page(
    browser: Browser, site: SiteServer, club: dict
) -> None:
    context = browser.new_context(base_url=site.webs[0], viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    for season, lists in ((club["big"], 1), (club["two"], 2)):
        page.goto(f"{season}standings/")
        rows = page.locator(".standings-table tbody tr")
        assert rows.count() == 30
        assert page.locator(".standings-card").count() == lists
        assert rows.evaluate_all(ROWS_SEEN)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        axe = Axe().run(page)
        assert axe.violations_count == 0, axe.generate_report()
    why = page.locator(".standings-table .why").first
    expect(why).to_be_hidden()
    page.locator(".place-why summary").first.click()
    expect(why).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{club['big']}standings/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.goto(f"{club['big']}print/standings/")
    assert page.locator(".cross-paper tbody tr").count() == 30
    with_it = pages_on_paper(page)
    page.locator(".cross-paper").evaluate("one => one.remove()")
    assert with_it == pages_on_paper(page) + 1
    context.close()


def pages_on_paper(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_a_report_without_network_arrives_once(window, site: SiteServer, club: dict) -> None:
    def arrived() -> dict:
        return json.loads(site.python(COUNT.replace("KEY", club["key"])).splitlines()[-1])

    phone = window("ada", phone=True)
    phone.goto(club["ada_table"])
    for tap in phone.locator("[data-tap]").all():
        tap.click()
    phone.context.set_offline(True)
    press(phone, "Report this result")
    unsent = phone.locator("[data-unsent]")
    expect(unsent).to_contain_text("not sent yet")
    assert arrived() == {"by": [], "sent": 0}

    # The network is back, but the first answer is lost on the way: the page sends it again.
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    phone.route("**/report/", lose)
    phone.context.set_offline(False)
    phone.wait_for_timeout(500)
    while not lost:
        phone.wait_for_timeout(500)
    now = unsent.get_by_role("button", name="Send now")
    if now.is_visible():
        now.click()
    expect(unsent).to_contain_text("Reported.")
    assert lost == [200]
    assert arrived() == {"by": ["ada"], "sent": 1}
    unsent.get_by_role("button", name="Understood").click()
    expect(unsent).to_be_hidden()

    # What is refused later is said in words, once the page is opened again, and is not sent a third time.
    kept = {"key": "f" * 32, "url": f"{club['ada_table']}report/", "page": club["ada_table"], "title": "Table 1"}
    phone.evaluate(KEEP, kept | {"state": "lost", "fields": [["rank-0", "99"]]})
    phone.reload()
    expect(unsent).to_contain_text("not accepted.")
    expect(unsent).to_contain_text("Give a whole number")
    assert arrived() == {"by": ["ada"], "sent": 1}
