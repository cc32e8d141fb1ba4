"""The first steps of a newcomer, on the site as `manage.py serve` starts it."""

from playwright.sync_api import Browser, Page, expect

from deploy.harness.servers import SiteServer

PASSWORD = "a-lantern-in-the-rain"


def sign_up(page: Page, handle: str) -> None:
    """Fill in the form of the open page. A site that sends no e-mail lets people in at once."""
    page.fill("[name=username]", handle)
    page.fill("[name=email]", f"{handle}@example.org")
    page.fill("[name=password1]", PASSWORD)
    page.click("main button")
    page.wait_for_url(lambda address: "/signup/" not in address)


def test_a_newcomer_finds_a_home(browser: Browser, demo_site: SiteServer):
    address = demo_site.webs[0]
    newcomer = browser.new_context(base_url=address, locale="en-GB", color_scheme="light", timezone_id="Europe/Rome")
    page = newcomer.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)

    page.goto("/")
    page.click("text=The Lantern Table")
    expect(page.locator("h1")).to_have_text("The Lantern Table")
    expect(page.locator("#members")).to_contain_text("Marta Zanin")

    page.goto("/")
    page.click("main a:text-is('Sign up')")
    sign_up(page, "nadia")
    expect(page.locator("h1")).to_contain_text("nadia")

    page.goto("/clubs/new/")
    expect(page.locator("[name=time_zone]")).to_have_value("Europe/Rome")
    page.fill("[name=name]", "Kettle and Dice")
    page.fill("[name=city]", "Bologna")
    page.check("[name=is_private][value=no]")
    page.click("main button")
    expect(page.locator("h1")).to_have_text("Kettle and Dice")
    page.click("text=Invite people")
    page.click("text=Make a link")
    link = page.locator("#invite-link").input_value()
    assert link.startswith(f"{address}/join/")

    friend = browser.new_context(base_url=address, locale="en-GB")
    guest = friend.new_page()
    guest.goto(link)
    expect(guest.locator("h1")).to_have_text("Join Kettle and Dice")
    guest.click("main a:text-is('Sign up')")
    sign_up(guest, "oskar")
    guest.click("text=Join the club")
    expect(guest.locator("h1")).to_have_text("Kettle and Dice")
    # The owner's page, still open, shows it.
    expect(page.locator("#members")).to_contain_text("oskar")
    expect(page.locator("#bell .dot-count")).to_have_text("1")

    page.goto("/")
    page.click("button[lang=it]")
    expect(page.locator("h1")).to_have_text("Ciao, nadia")
    page.click("button[lang=pl]")
    expect(page.locator("h1")).to_have_text("Cześć, nadia")
    page.click("button[value=dark]")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(19, 17, 25)"

    newcomer.close()
    friend.close()
    assert complaints == []


def test_a_step_that_cannot_be_undone_asks_first(browser: Browser, empty_site: SiteServer):
    context = browser.new_context(base_url=empty_site.webs[0], locale="en-GB")
    session = empty_site.sign_in("alice")
    context.add_cookies([{"name": "sessionid", "value": session, "url": empty_site.webs[0]}])
    empty_site.python(
        "from accounts import clubs; from accounts.models import User\n"
        "clubs.create_club(founder=User.objects.get(handle='alice'), name='Short Lived')"
    )
    page = context.new_page()
    page.goto("/clubs/short-lived/manage/")
    page.click("text=Close the club for good")
    expect(page.locator("#confirm")).to_contain_text("Close Short Lived for good?")
    page.click("#confirm >> text=Cancel")
    expect(page.locator("#confirm")).to_be_hidden()
    page.reload()
    page.click("text=Close the club for good")
    page.click("#confirm >> text=Yes, go ahead")
    expect(page.locator("main")).to_contain_text("Short Lived is closed.")
    context.close()
