"""League pages as the second person, in the second season, at both places, with namesakes, and before the date."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.browser.conftest import follow, press, windows

pytestmark = pytest.mark.timeout(240)

# Olga runs a club of six; two of them are called Sam. Four leagues, each where a test begins.
SET_UP = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from accounts import clubs
from accounts.models import Membership, User
from leagues.core import consent
from leagues.entries import registration
from leagues.results import reporting
from leagues.rounds import closing as round_closing, draw
from leagues.seasons import closing, presets, rollover, setup
from leagues.models import Division, Pairing, Stage

def session(person):
    client = Client(); client.force_login(person); return client.cookies["sessionid"].value

olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Kettle and Dice")
called = {"alice": "Alice", "bob": "Bob", "sam": "Sam", "sam2": "Sam", "dora": "Dora", "emil": "Emil"}
people = {each: User.objects.create_user(each, f"{each}@club.test", display_name=called[each]) for each in called}
for person in people.values():
    Membership.objects.create(club=club, user=person, role="member")

def league(name):
    return setup.create_league(actor=olga, club=club, name=name, game="splendor-marvel")

def season(name, divisions, **terms):
    made = setup.add_season(actor=olga, league=league(name), name="Spring", **terms)
    for title, up, down, players in divisions:
        division = setup.add_division(actor=olga, season=made, name=title, up=up, down=down)
        setup.add_stage(actor=olga, division=division, format="round-robin")
    setup.open_registration(actor=olga, season=made)
    for title, up, down, players in divisions:
        division = Division.objects.get(season=made, name=title)
        for each in players:
            registration.add_person(actor=olga, division=division, person=people[each])
            consent.agree(made, people[each])
    return made

def played(made):
    # Whoever comes first in the list of the division wins; the tables by the handles of their players.
    tables = {}
    for stage in Stage.objects.filter(division__season=made):
        for round_ in draw.draw_all_rounds(actor=olga, stage=stage):
            draw.publish(actor=olga, round=round_)
            for pairing in round_.pairings.all():
                handles = [seat.entrant.user.handle for seat in pairing.seats.order_by("index")]
                ranks = [1 + sum(STRONG.index(other) < STRONG.index(each) for other in handles) for each in handles]
                places = [{"rank": rank, "score": None, "kind": "PLAYED"} for rank in ranks]
                reporting.enter_result(actor=olga, pairing=pairing, places=places)
                tables[" ".join(sorted(handles))] = pairing.get_absolute_url()
    return tables

def finished(made):
    for stage in Stage.objects.filter(division__season=made):
        round_closing.finish_stage(actor=olga, stage=stage)

one = [("Main event", 0, 0, ["alice", "bob"])]
both = draw.start(actor=olga, season=season("Both places", one, where="both"))
drawn = draw.draw_next_round(actor=olga, stage=Stage.objects.get(division__season=both))
round_ = draw.publish(actor=olga, round=drawn)
pairing = round_.pairings.get()

STRONG = ["alice", "sam", "bob", "dora", "sam2", "emil"]
levels = [("Gold", 0, 1, STRONG[:3]), ("Silver", 1, 0, STRONG[3:])]
sams = played(draw.start(actor=olga, season=season("Two Sams", levels, where="club")))

early = season("Before its day", one, where="club", starts_at=timezone.now() + timedelta(days=9))

last = draw.start(actor=olga, season=season("Once more", levels, where="club"))
played(last); finished(last); closing.close_season(actor=olga, season=last)

print(json.dumps({
    "sessions": {person.handle: session(person) for person in [olga, *people.values()]},
    "both": pairing.get_absolute_url(),
    "sams": sams,
    "early": early.get_absolute_url(),
    "last": last.get_absolute_url(),
}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path_factory.mktemp("second"), GAUNTLET_DEMO="off"))


@pytest.fixture(scope="module")
def made(site: SiteServer) -> dict:
    return json.loads(site.python(SET_UP).splitlines()[-1])


@pytest.fixture
def window(browser: Browser, site: SiteServer, made: dict) -> Iterator:
    yield from windows(browser, site.webs[0], made["sessions"])


def shows_text(page: Page, text: str) -> None:
    expect(page.locator("main")).to_contain_text(text)


def test_the_second_person_confirms_at_a_table_of_both_places(window, made: dict):
    organiser = window("olga")
    organiser.goto(made["both"])
    # Without bots a table begins at the club; it goes online and comes back.
    for way in ("Play it online", "Play it at the club"):
        press(organiser, way)
        shows_text(organiser, "The table has moved.")

    alice = window("alice", phone=True)
    alice.goto(made["both"])
    for at in (0, 1):
        alice.locator("[data-tap]").nth(at).click()
    press(alice, "Report this result")
    shows_text(alice, "Reported. Somebody else at the table has to confirm it.")
    expect(alice.get_by_role("button", name="Yes, that is right")).to_have_count(0)

    bob = window("bob", phone=True)
    bob.goto(made["both"])
    shows_text(bob, "Alice reported:")
    # No time was agreed and none is due: nothing is shown about it.
    expect(bob.locator("#when-title")).to_have_count(0)
    press(bob, "Yes, that is right")
    shows_text(bob, "Thank you: you have confirmed the result.")
    expect(bob.locator(".badge-ok").first).to_be_visible()


@pytest.mark.parametrize(
    ("table", "goes"),
    [("bob sam", {"Sam (@sam)", "Bob"}), ("dora sam2", {"Sam (@sam2)", "Dora"})],
    ids=["relegated", "promoted"],
)
def test_a_correction_among_two_people_of_one_name(window, made: dict, table: str, goes: set[str]):
    """One Sam leaves Gold, or the other leaves Silver: both are listed so that they can be distinguished."""
    page = window("olga")
    page.goto(f"{made['sams'][table]}correct/")
    ranks = page.locator("[data-rank]")
    before = [each.input_value() for each in ranks.all()]
    assert sorted(before) == ["1", "2"], "the form begins with the places that count"
    # In the right order: the former second comes first. Nobody loses a place.
    page.locator("[data-tap]").nth(before.index("2")).click()
    assert [each.input_value() for each in ranks.all()] == before[::-1]
    page.locator("[data-tap]").nth(before.index("1")).click()
    assert [each.input_value() for each in ranks.all()] == before[::-1]
    page.click("[data-clear]")
    assert [each.input_value() for each in ranks.all()] == before
    page.locator("[data-tap]").nth(before.index("2")).click()
    press(page, "See what would change")
    moves = page.locator(".preview h4", has_text="Promotion and relegation").locator("+ ul li > .grow")
    expect(moves).to_have_count(2)
    assert set(moves.all_inner_texts()) == goes
    page.fill("[name=why]", "Read upside down")
    press(page, "Correct the result")
    shows_text(page, "The result is corrected.")


def test_a_season_is_played_and_closed_before_its_day(window, made: dict):
    page = window("olga")
    page.goto(made["early"])
    press(page, "Start the season")
    shows_text(page, "The season has started.")
    press(page, "Draw round 1")
    press(page, "Publish")
    follow(page, "Enter all results")
    for at in (0, 1):
        page.locator("[data-rank]").nth(at).fill(str(at + 1))
    press(page, "Save all results")
    shows_text(page, "1 result is entered.")
    for step in ("Close round 1", "Finish the stage"):
        page.goto(made["early"])
        press(page, step)
    page.goto(made["early"])
    follow(page, "Close the season")
    press(page, "These standings are right")
    press(page, "Close the season")
    page.click("#confirm >> text=Yes, go ahead")
    shows_text(page, "The season is closed.")


def test_the_second_season_asks_before_it_starts_and_is_the_one_on_the_cards(window, made: dict):
    page = window("olga")
    page.goto(made["last"])
    follow(page, "Next season")
    page.fill("#season-name", "Autumn")
    press(page, "Go on like this")
    second = "/leagues/once-more/2/"
    expect(page.locator("h1")).to_have_text("Autumn")
    for handle in ("alice", "sam", "bob", "sam2"):
        player = window(handle, phone=True)
        player.goto(second)
        press(player, "I play again")
        shows_text(player, "Your answer is noted.")

    page.goto(second)
    shows_text(page, "2 people still have time to say whether they play again.")
    press(page, "Start the season")
    expect(page.locator("h2").first).to_have_text("2 people have not answered yet")
    assert set(page.locator("main .list .grow").all_inner_texts()) == {"Dora", "Emil"}
    follow(page, "Wait for their answers")
    expect(page.locator("#returning-all")).to_be_visible()
    page.goto(second)
    press(page, "Start the season")
    press(page, "Start now without them")
    shows_text(page, "The season has started.")

    for path in ("/leagues/", "/clubs/kettle-and-dice/"):
        page.goto(path)
        card = page.locator(".league-card", has_text="Once more")
        expect(card).to_contain_text("Autumn")
        expect(card).not_to_contain_text("Spring")
    card.get_by_role("link").first.click()
    follow(page, "Spring")
    expect(page.locator("h1")).to_have_text("Spring")
    follow(page, "Autumn")
    expect(page.locator("h1")).to_have_text("Autumn")
