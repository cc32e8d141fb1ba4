"""A club evening of thirty people: the screen, the standings on one page, and a phone that loses the network."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

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
        stages.append(setup.add_stage(actor=olga, division=division, format="swiss-tables", planned=5))
        if at == 0:
            setup.open_registration(actor=olga, season=season)
        for number in range(count - (len(people) if at == 0 else 0)):
            registration.add_guest(actor=olga, division=division, name=f"{NAMES[number % 15]} {'ABCD'[at * 2 + number // 15]}.")
        if at == 0:
            for person in people:
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
for other in (olga, ada, bruno):
    other.language = "en"; other.save()
print(json.dumps({
    "two": two.get_absolute_url(), "big": big.get_absolute_url(), "ada_table": mine.get_absolute_url(), "key": mine.key,
    "round": rounds[0].pk, "long": long_stage.pk,
    "sessions": {person.handle: session(person) for person in [olga, ada, bruno]},
}))
"""
COUNT = """
from leagues.models import Result, SentReport
rows = Result.objects.filter(pairing__key="KEY")
print([(row.version, row.by.handle, [place["rank"] for place in row.places]) for row in rows], SentReport.objects.count())
"""


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
