"""A guest becomes a person with an account: an organiser asks, the person agrees, a player vouches; and back."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import press, windows

pytestmark = pytest.mark.timeout(240)

# Olga runs a club in which Bob has played with the guest Ann; now Ann has an account.
SET_UP = """
import json
from django.test import Client
from accounts import clubs
from accounts.models import Membership, User
from leagues.core import consent
from leagues.entries import registration
from leagues.models import Division, Stage
from leagues.results import reporting
from leagues.rounds import draw
from leagues.seasons import setup

def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value

people = {each: User.objects.create_user(each, f"{each}@club.test") for each in ("olga", "bob", "ann")}
olga, bob = people["olga"], people["bob"]
club = clubs.create_club(founder=olga, name="Kettle and Dice")
for each in ("bob", "ann"):
    Membership.objects.create(club=club, user=people[each], role="member")
league = setup.create_league(actor=olga, club=club, name="Tuesdays", game="splendor-marvel")
season = setup.add_season(actor=olga, league=league, name="Spring", where="club", rated=True)
division = setup.add_division(actor=olga, season=season, name="First")
stage = setup.add_stage(actor=olga, division=division, format="round-robin")
setup.open_registration(actor=olga, season=season)
registration.add_person(actor=olga, division=division, person=bob)
consent.agree(season, bob)
registration.add_guest(actor=olga, division=division, name="Anny")
draw.start(actor=olga, season=season)
[round_] = draw.draw_all_rounds(actor=olga, stage=stage)
draw.publish(actor=olga, round=round_)
table = round_.pairings.get()
reporting.enter_result(actor=olga, pairing=table, places=[{"rank": 1}, {"rank": 2}])
print(json.dumps({"club": club.slug, "season": season.get_absolute_url(), "table": table.get_absolute_url(),
                  "sessions": {name: session(each) for name, each in people.items()}}))
"""


def bell(page: Page, words: str) -> None:
    """Follow the notice that says this."""
    page.goto("/notices/")
    page.locator("main").get_by_text(words).first.click()


def test_organiser_person_and_witness(browser: Browser, empty_site: SiteServer):
    made = json.loads(empty_site.python(SET_UP).splitlines()[-1])
    for open_for in windows(browser, empty_site.webs[0], made["sessions"]):
        olga, ann, bob = open_for("olga"), open_for("ann", phone=True), open_for("bob")
        olga.goto(f"/clubs/{made['club']}/")
        olga.locator("nav.tabs").get_by_text("Guests").click()
        olga.get_by_label("Name", exact=True).fill("Ann")
        press(olga, "Rename")
        expect(olga.locator("main h3")).to_have_text("Ann")
        olga.get_by_label("Member of the club").fill("@ann")
        press(olga, "Ask whether they are this guest")
        expect(olga.locator("main")).to_contain_text("ann is asked")

        bell(ann, "asks whether you are the guest Ann")
        expect(ann.locator("main")).to_contain_text("Are you the guest Ann?")
        press(ann, "Yes, that is me")
        expect(ann.locator("main")).to_contain_text("ann is the guest Ann")
        question = ann.url

        bob.goto(made["table"])
        expect(bob.locator("main")).to_contain_text("It can count once bob says who that was.")
        bell(bob, "You played with the guest Ann")
        press(bob, "Yes, it was them")
        expect(bob.locator("main")).to_contain_text("You said yes")
        bob.goto(made["table"])
        expect(bob.locator("main")).not_to_contain_text("It can count once")
        expect(bob.locator("main")).to_contain_text("ann")

        ann.goto(question)
        press(ann, "Undo this")
        expect(ann.locator("main")).to_contain_text("Undone")
        bob.goto(f"{made['season']}entries/")
        expect(bob.locator("main")).to_contain_text("Ann")
