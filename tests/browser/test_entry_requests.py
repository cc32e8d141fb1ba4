"""A season with questions and approval: an organiser asks, people answer on a phone, one is let in, one waits."""

import json

import pytest
from playwright.sync_api import Browser, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import follow, press, windows

pytestmark = pytest.mark.timeout(240)

# Olga runs a club; her season has two places, and one is taken.
SET_UP = """
import json
from django.test import Client
from accounts import clubs
from accounts.models import Membership, User
from leagues.entries import registration
from leagues.seasons import setup

def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value

people = {each: User.objects.create_user(each, f"{each}@club.test") for each in ("olga", "bob", "ann")}
olga = people["olga"]
club = clubs.create_club(founder=olga, name="Kettle and Dice")
for each in ("bob", "ann"):
    Membership.objects.create(club=club, user=people[each], role="member")
league = setup.create_league(actor=olga, club=club, name="Tuesdays", game="splendor-marvel")
season = setup.add_season(actor=olga, league=league, name="Spring", where="club", approval=True)
division = setup.add_division(actor=olga, season=season, name="First", cap=2)
setup.add_stage(actor=olga, division=division, format="swiss", planned=3)
setup.open_registration(actor=olga, season=season)
registration.add_guest(actor=olga, division=division, name="Gina")
print(json.dumps({"season": season.get_absolute_url(),
                  "sessions": {name: session(each) for name, each in people.items()}}))
"""


def test_questions_approval_and_the_waiting_list(browser: Browser, empty_site: SiteServer):
    made = json.loads(empty_site.python(SET_UP).splitlines()[-1])
    entries = f"{made['season']}entries/"
    for open_for in windows(browser, empty_site.webs[0], made["sessions"]):
        olga = open_for("olga")
        olga.goto(f"{made['season']}settings/")
        follow(olga, "Ask entrants something")
        first = olga.locator("details", has_text="Question 1")
        first.get_by_label("Question", exact=True).fill("Which deck do you own?")
        first.get_by_label("Answer", exact=True).select_option("choice")
        first.get_by_label("Choices, one a line").fill("Blue\nRed")
        first.get_by_label("Everybody has to answer").check()
        press(olga, "Save the questions")
        expect(olga.get_by_text("The questions are saved.")).to_be_visible()
        for name, deck in (("ann", "Blue"), ("bob", "Red")):
            person = open_for(name, phone=name == "ann")
            person.goto(entries)
            person.get_by_label("Which deck do you own?").select_option(deck)
            press(person, "Ask to enter")
            expect(person.get_by_text("An organiser has yet to decide.").first).to_be_visible()
        olga.goto("/leagues/")
        expect(olga.get_by_text("2 people ask to enter.")).to_be_visible()
        # Bob first: Ann asked earlier, but the place is Bob's when he is approved.
        for name in ("bob", "ann"):
            olga.goto(entries)
            asked = olga.locator("#requests li", has_text=name)
            expect(asked.get_by_text("Blue" if name == "ann" else "Red")).to_be_visible()
            asked.get_by_role("button", name="Approve").click()
            expect(olga.get_by_text(f"{name} is approved.")).to_be_visible()
        ann = open_for("ann")
        ann.goto(made["season"])
        expect(ann.get_by_text("You are on the waiting list of First, in place 1.")).to_be_visible()
        bob = open_for("bob")
        bob.goto(entries)
        press(bob, "Withdraw")
        press(bob, "Yes, go ahead", within="#confirm")
        expect(bob.get_by_text("bob has withdrawn.")).to_be_visible()
        ann.goto(made["season"])
        expect(ann.get_by_text("You have entered First.").first).to_be_visible()
