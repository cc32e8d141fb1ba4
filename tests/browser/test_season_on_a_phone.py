"""A whole season on a phone, as a new organiser runs it with docs/organiser.md in the other hand.

Twenty-four people, three rounds, a latecomer, an absence, somebody who does not come, a wrong result and a dispute; to
the podium and the certificates.

With WALK_PICTURES=folder every step leaves a picture there.
"""

import json
import os
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from accounts.demo import PASSWORD
from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE, follow, press, windows

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]
expect.set_options(timeout=PATIENCE)

MEMBERS = ["Ada", "Bruno", "Celia", "Dawid"]
GUESTS = [
    *("Elena", "Filip", "Gaia", "Hania", "Igor", "Julia", "Karol", "Lena", "Marek", "Nina"),
    *("Oskar", "Paula", "Rafał", "Sofia", "Tomek", "Ula", "Viola", "Wanda", "Xenia"),
]
LATECOMER = "Zoe"
PEOPLE = """
import json
from django.test import Client
from accounts.models import User
sessions = {}
for name in ["Olga", *MEMBERS]:
    person = User.objects.create_user(name.lower(), password=PASSWORD, display_name=name, language="en")
    client = Client(); client.force_login(person); sessions[person.handle] = client.cookies["sessionid"].value
print(json.dumps(sessions))
"""
steps = count(1)


def take_picture(page: Page, name: str) -> None:
    if folder := os.environ.get("WALK_PICTURES"):
        page.screenshot(path=Path(folder) / f"{next(steps):02}-{name}.png", animations="disabled")
    # Nothing on a phone is wider than the phone.
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, name


def shows_text(page: Page, words: str) -> None:
    expect(page.locator("main")).to_contain_text(words)


@pytest.fixture
def sessions(empty_site: SiteServer) -> dict[str, str]:
    made = empty_site.python(PEOPLE.replace("MEMBERS", repr(MEMBERS)).replace("PASSWORD", repr(PASSWORD)))
    return json.loads(made.splitlines()[-1])


@pytest.fixture
def window(browser: Browser, empty_site: SiteServer, sessions: dict[str, str]) -> Iterator:
    yield from windows(browser, empty_site.webs[0], sessions)


def test_a_season_of_24_from_the_club_to_the_certificates(window):
    olga = window("olga", phone=True)
    invitation = start_a_club(olga)
    season = open_a_season(olga)
    for member in MEMBERS:
        join_and_sign_up(window(member.lower(), phone=True), invitation, season)
    enter_guests(olga, season)
    start_the_season(olga, season)
    leave_somebody_out(olga)
    draw_and_publish(olga, 1, left_out="Xenia")
    somebody_does_not_come(olga, season)
    enter_all_results(olga, season, 1)
    somebody_comes_late(olga, season)
    draw_and_publish(olga, 2)
    enter_all_results(olga, season, 2)
    correct_a_result(olga, season)
    reporter, other = draw_by_hand(olga, season)
    dispute(window(reporter.lower(), phone=True), window(other.lower(), phone=True), season)
    decide(olga, season)
    enter_all_results(olga, season, 3)
    end_the_season(olga, season)
    look_back(olga, window("ada", phone=True), season)


def start_a_club(page: Page) -> str:
    """Returns the link that invites people."""
    page.goto("/")
    follow(page, "Start a club")
    page.get_by_label("Name", exact=True).fill("Dice and Kettle")
    page.get_by_label("Everybody: the club").check()
    press(page, "Start the club")
    expect(page.locator("h1")).to_have_text("Dice and Kettle")
    take_picture(page, "club")
    follow(page, "Invite people")
    press(page, "Make a link")
    shows_text(page, "Up to 30 people can join with it")
    take_picture(page, "invitation")
    return page.locator("#invite-link").input_value()


def open_a_season(page: Page) -> str:
    page.goto("/clubs/dice-and-kettle/")
    follow(page, "Start a league")
    page.get_by_label("Name", exact=True).fill("Friday Tables")
    page.locator("label", has_text="Splendor: Marvel").click()
    press(page, "On to the season")
    take_picture(page, "templates")
    press(page, "Play like this", "article:has-text('A table Swiss evening')")
    shows_text(page, "The season is open for entries.")
    take_picture(page, "season-open")
    return page.url


def join_and_sign_up(page: Page, invitation: str, season: str) -> None:
    page.goto(invitation)
    page.locator("main form button").first.click()
    expect(page.locator("h1")).to_have_text("Dice and Kettle")
    page.goto(season)
    press(page, "Sign up for the season")
    expect(page.locator(".next")).to_contain_text("You have entered")
    take_picture(page, "signed-up")


def enter_guests(page: Page, season: str) -> None:
    page.goto(season)
    follow(page, "Add entrants")
    page.locator("summary", has_text="Guests").click()
    page.locator("textarea").fill("\n".join(GUESTS))
    press(page, "Add the guests")
    shows_text(page, f"{len(GUESTS)} guests have entered.")
    take_picture(page, "entries")


def start_the_season(page: Page, season: str) -> None:
    page.goto(season)
    follow(page, "Check in at the door")
    take_picture(page, "door")
    press(page, "Check all in")
    page.locator("#confirm").get_by_role("button", name="Yes, go ahead").click()
    expect(page.locator(".door-count")).to_have_text("23 of 23")
    follow(page, "On to the season")
    press(page, "Start the season")
    shows_text(page, "The season has started.")
    take_picture(page, "started")


def leave_somebody_out(page: Page) -> None:
    follow(page, "Who is here?")
    page.get_by_role("button", name="Xenia is away").click()
    expect(page.locator(".door-count")).to_have_text("22 of 23")
    take_picture(page, "who-is-here")


def draw_and_publish(page: Page, number: int, left_out: str = "") -> None:
    press(page, f"Draw round {number}")
    shows_text(page, "Only organisers see this draw.")
    if left_out:
        shows_text(page, f"Left out of the draw: {left_out}")
    expect(page.locator(".table-card")).to_have_count(6)
    take_picture(page, f"draw-{number}")
    press(page, "Publish the round")
    shows_text(page, f"Round {number} is published")
    take_picture(page, f"round-{number}")


def somebody_does_not_come(page: Page, season: str) -> None:
    page.goto(season)
    follow(page, "Enter results")
    follow(page, "Table 6")
    page.locator("summary", has_text="Somebody did not come").click()
    page.get_by_role("checkbox").nth(0).check()
    take_picture(page, "did-not-come")
    press(page, "Note it")
    shows_text(page, "Noted who did not come.")
    take_picture(page, "noted")


def enter_all_results(page: Page, season: str, number: int) -> None:
    """Places as the seats are: the first one of each table has won."""
    page.goto(season)
    follow(page, "Enter results")
    follow(page, "Enter all results")
    fields = page.locator("[data-rank]")
    expect(fields.first).to_be_focused()
    take_picture(page, f"results-{number}")
    for table in page.locator(".evening-row").all():
        places = len(table.locator("[data-rank]").all())
        page.keyboard.type("1234"[:places])
    press(page, "Save all results")
    shows_text(page, "results are entered.")
    take_picture(page, f"entered-{number}")


def somebody_comes_late(page: Page, season: str) -> None:
    page.goto(season)
    follow(page, "Entries", ".tabs")
    page.locator("summary", has_text="Guests").click()
    page.locator("textarea").fill(LATECOMER)
    press(page, "Add the guests")
    shows_text(page, "1 guest has entered.")
    page.goto(season)
    take_picture(page, "before-round-2")
    follow(page, "Who is here?")
    expect(page.locator(".door-count")).to_have_text("24 of 24")


def correct_a_result(page: Page, season: str) -> None:
    page.goto(season)
    follow(page, "Round 2")
    follow(page, "Correct this result")
    page.locator("[data-tap]").nth(1).click()
    page.get_by_label("Why").fill("The sheet was read upside down")
    press(page, "See what would change")
    expect(page.locator(".preview")).to_contain_text("Standings")
    take_picture(page, "correction")
    press(page, "Correct the result")
    shows_text(page, "The result is corrected.")
    take_picture(page, "corrected")


def draw_by_hand(page: Page, season: str) -> tuple[str, str]:
    """Round 3, with two people who have an account at one table: only they can report on their phones."""
    page.goto(season)
    press(page, "Draw round 3")
    shows_text(page, "Only organisers see this draw.")
    cards = [
        card.locator(".seat-name > span:first-child").all_inner_texts() for card in page.locator(".table-card").all()
    ]
    first = next(card for card in cards if set(card) & set(MEMBERS))
    one = next(name for name in first if name in MEMBERS)
    other = next((name for name in first if name in MEMBERS and name != one), "")
    if not other:
        other = next(name for card in cards if card is not first for name in card if name in MEMBERS)
        follow(page, "Change by hand")
        hand_seat(page, next(name for name in first if name != one)).click()
        shows_text(page, "Now choose who changes places with")
        take_picture(page, "by-hand")
        hand_seat(page, other).click()
        shows_text(page, "Undo the last exchange")
        follow(page, "Done: review and publish")
    press(page, "Publish the round")
    shows_text(page, "Round 3 is published")
    return one, other


def hand_seat(page: Page, name: str) -> Locator:
    return page.locator(".tables-grid .hand-person .grow", has_text=re.compile(rf"^\s*{name}\s*$")).first


def dispute(page: Page, others: Page, season: str) -> None:
    page.goto(season)
    take_picture(page, "a-player")
    page.locator(".next a, .next button").first.click()
    names = page.locator("[data-tap] .grow").all_inner_texts()
    for name in names:
        page.locator(f".tap:has(.grow:text-is('{name}'))").click()
    take_picture(page, "a-report")
    press(page, "Report this result")
    expect(page.locator("#state")).to_contain_text(f"Won by {names[0]}")
    others.goto(page.url)
    take_picture(others, "to-confirm")
    others.click("text=No, it was different")
    for name in reversed(names):
        others.locator(f".tap:has(.grow:text-is('{name}'))").click()
    press(others, "Report this result")
    expect(others.locator("#state")).to_contain_text("Disputed")
    take_picture(others, "disputed")


def decide(page: Page, season: str) -> None:
    page.goto(season)
    follow(page, "Decide")
    expect(page.locator(".version")).to_have_count(2)
    take_picture(page, "dispute")
    press(page, "This one counts")
    shows_text(page, "is settled.")


def end_the_season(page: Page, season: str) -> None:
    page.goto(season)
    take_picture(page, "last-round-over")
    press(page, "Finish the stage")
    expect(page.locator("tbody tr")).to_have_count(24)
    take_picture(page, "final-order")
    press(page, "Sign off and close the season")
    shows_text(page, "The season is closed.")
    expect(page.locator(".league-head")).not_to_contain_text(" to ")
    take_picture(page, "closed")


def look_back(page: Page, player: Page, season: str) -> None:
    follow(page, "Champions and the season in pictures")
    take_picture(page, "summary")
    follow(page, "Certificates to print")
    expect(page.locator(".certificate")).to_have_count(3)
    take_picture(page, "certificates")
    player.goto(season)
    take_picture(player, "a-player-at-the-end")
