"""Faces and company: a portrait is uploaded, a club has news, an arena leads to its table, a challenge is declined."""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import PATIENCE, press, windows

Open = Callable[..., Page]
expect.set_options(timeout=PATIENCE)

COMPANY = """
import json
from datetime import timedelta
from django.utils import timezone
from accounts import clubs
from accounts.models import Membership, User
from leagues.entries import registration
from leagues.rounds import draw
from leagues.seasons import presets, setup
ada, bruno = [User.objects.get(handle=one) for one in ("ada", "bruno")]
club = clubs.create_club(founder=ada, name="Kettle and Dice")
Membership.objects.create(club=club, user=bruno, role="member")
league = setup.create_league(actor=ada, club=club, name="Evenings", game="splendor-marvel")
made = {"club": club.get_absolute_url()}
for preset in ("arena-night", "ladder"):
    season = presets.set_up(actor=ada, league=league, preset=preset)
    ends = timezone.now() + timedelta(hours=2)
    setup.edit_season(actor=ada, season=season, ends_at=ends, check_in=False, where="online")
    for person in (ada, bruno):
        registration.register(person=person, season=season)
    draw.start(actor=ada, season=season)
    made[preset] = season.get_absolute_url()
print(json.dumps(made))
"""


@pytest.fixture
def open_for(browser: Browser, empty_site: SiteServer) -> Iterator[Open]:
    sessions = {handle: empty_site.sign_in(handle) for handle in ("ada", "bruno")}
    yield from windows(browser, empty_site.webs[0], sessions)


def photograph() -> bytes:
    """Larger than the site takes, so that the browser has to cut it first."""
    made = BytesIO()
    Image.effect_noise((2400, 1800), 90).convert("RGB").save(made, "PNG")
    assert len(made.getvalue()) > 2 * 1024 * 1024
    return made.getvalue()


def shown(page: Page, selector: str) -> None:
    """Wait until a picture is loaded and drawn; those further down load when one gets there."""
    page.locator(selector).first.scroll_into_view_if_needed()
    page.wait_for_function("(one) => document.querySelector(one).naturalWidth === 256", arg=selector)


def test_faces_news_arena_and_ladder(open_for: Open, empty_site: SiteServer) -> None:
    made = json.loads(empty_site.python(COMPANY))
    ada, bruno = open_for("ada"), open_for("bruno", phone=True)

    # A portrait, from a photograph that is too large as it is.
    bruno.goto("/settings/")
    field = bruno.locator("[name=picture]")
    field.set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": photograph()})
    expect(field).to_have_js_property("files.0.name", "picture.png")
    press(bruno, "Upload")
    expect(bruno.locator(".messages")).to_contain_text("This is your portrait now.")
    bruno.goto("/people/bruno/")
    shown(bruno, "main img.avatar")

    # The club's emblem, colour and news; the member's home has the news and the emblem.
    ada.goto(f"{made['club']}edit/")
    small = BytesIO()
    Image.new("RGB", (300, 300), (20, 120, 70)).save(small, "PNG")
    ada.locator("[name=picture]").set_input_files(
        {"name": "e.png", "mimeType": "image/png", "buffer": small.getvalue()}
    )
    press(ada, "Upload")
    shown(ada, "main img.crest")
    ada.get_by_label("Green").check()
    press(ada, "Save")
    expect(ada.locator(".page-head.in-time")).to_be_visible()
    ada.get_by_role("link", name="Write news").click()
    ada.get_by_label("Title").fill("A new hall")
    ada.locator("[name=text]").fill("We play **upstairs** from Thursday on.")
    press(ada, "Publish the news")
    bruno.goto("/")
    expect(bruno.locator("#club-news + article")).to_contain_text("We play upstairs")
    shown(bruno, "main img.crest")

    # An arena: who waits is taken to the table as soon as there is one.
    for page in (ada, bruno):
        page.goto(made["arena-night"])
        expect(page.locator("[data-countdown]")).to_have_text(re.compile(r"^1:\d\d:\d\d$"))
    press(ada, "I am ready to play")
    expect(ada.locator("main")).to_contain_text("Take a break")
    press(bruno, "I am ready to play")
    table = re.compile(r"/play/[\w-]+/$")
    bruno.wait_for_url(table)
    ada.wait_for_url(bruno.url, timeout=PATIENCE)

    # A ladder: the challenged one's home says who and until when, and the challenge is declined.
    ada.goto(made["ladder"])
    challenger, target = (ada, bruno) if ada.locator("[name=target]").count() else (bruno, ada)
    name = "ada" if challenger is ada else "bruno"
    challenger.goto(made["ladder"])
    press(challenger, "Challenge")
    target.goto("/")
    expect(target.locator("main")).to_contain_text(f"{name} challenges you: answer by")
    target.get_by_role("link", name="Answer the challenge").click()
    press(target, "Decline")
    press(target, "Yes, go ahead", within="#confirm")
    expect(target.locator(".messages")).to_contain_text("You have declined the challenge.")
    expect(challenger.locator("main")).to_contain_text("Nobody has challenged anybody yet.")
