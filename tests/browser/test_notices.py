"""Notifications in a real browser: preferences are saved, and the bell rings on an open page."""

import re
from datetime import datetime

from playwright.sync_api import BrowserContext, expect

from deploy.harness.servers import SiteServer

CLUB = "/clubs/the-lantern-table/"
KIND = "Somebody asks to join your club"


def test_choices_the_bell_and_the_digest(owner: BrowserContext, site: SiteServer) -> None:
    page = owner.new_page()
    frames: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))

    page.goto("/notices/")
    page.get_by_role("link", name="Choose what you get").click()
    page.get_by_label("Send me notices by e-mail").check()
    page.get_by_label("The digest comes").select_option(label="Once a week")
    page.get_by_label("On", exact=True).select_option(label="Friday")
    page.get_by_label("At", exact=True).select_option(label="07:00")
    page.get_by_label(f"E-mail: {KIND}").select_option(label="In the digest")
    page.get_by_label("Bell: A season is over").uncheck()
    frames.clear()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messages")).to_contain_text("Your choices are saved.")
    expect(page.get_by_label("The digest comes")).to_have_value("week")
    expect(page.get_by_label(f"E-mail: {KIND}")).to_have_value("digest")
    expect(page.get_by_label("Bell: A season is over")).not_to_be_checked()

    while '{"subscribed": "user"}' not in frames:
        page.wait_for_timeout(50)
    words = page.locator("#bell").inner_text()
    before = int(match[0]) if (match := re.search(r"\d+", words)) else 0
    site.post(f"{CLUB}ask/", session=site.sign_in("nella"))
    expect(page.locator("#bell")).to_contain_text(f"{before + 1} unread")

    page.locator("#bell").click()
    expect(page.locator(".notice-new").first).to_contain_text("nella asks to join The Lantern Table.")
    page.locator(".notice-new").first.click()
    page.wait_for_url(re.compile("the-lantern-table"))
    expect(page.locator("#bell")).not_to_contain_text(f"{before + 1} unread")

    # It is due on Friday at seven in her time zone; the mail queue schedules it soon after the bell rings.
    asked = "SELECT due_at FROM accounts_digest WHERE due_at IS NOT NULL"
    while not (planned := site.rows(asked)):
        page.wait_for_timeout(100)
    assert [datetime.fromisoformat(str(due)).isoweekday() for (due,) in planned] == [5]
