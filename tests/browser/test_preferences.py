"""Languages and themes: switched from any page, with and without scripts, remembered in cookie and profile."""

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from deploy.harness.servers import SiteServer
from tests.browser.conftest import log_in

DARK, LIGHT = "rgb(19, 17, 25)", "rgb(246, 244, 239)"


def paper(page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@pytest.mark.parametrize(("locale", "heading"), [("it-IT", "Campionati"), ("pl-PL", "Ligi"), ("de-DE", "Leagues")])
def test_a_visitor_is_greeted_in_the_browsers_language(browser: Browser, site: SiteServer, locale: str, heading: str):
    context = browser.new_context(base_url=site.webs[0], locale=locale)
    page = context.new_page()
    page.goto("/leagues/")
    expect(page.locator("h1")).to_have_text(heading)
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_visitor_switches_language_and_stays_on_the_page(browser: Browser, site: SiteServer, scripts: bool):
    context = browser.new_context(base_url=site.webs[0], locale="en-GB", java_script_enabled=scripts)
    page = context.new_page()
    page.goto("/clubs/?q=lantern")
    page.click("button[lang=pl]")
    expect(page.locator("h1")).to_have_text("Kluby")
    assert page.url.endswith("/clubs/?q=lantern")
    expect(page.locator("button[lang=pl]")).to_have_attribute("aria-pressed", "true")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_visitor_switches_to_dark_and_it_stays(browser: Browser, site: SiteServer, scripts: bool):
    context = browser.new_context(base_url=site.webs[0], color_scheme="light", java_script_enabled=scripts)
    page = context.new_page()
    page.goto("/clubs/")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    if scripts:
        page.evaluate("window.sameDocument = true")
    page.click("button[name=theme][value=dark]")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("button[value=dark]")).to_have_attribute("aria-pressed", "true")
    if scripts:
        assert page.evaluate("window.sameDocument"), "with scripts the page is not loaded again"
        assert paper(page) == DARK
    # The server sends the theme with the page, so the first paint is right.
    assert 'data-theme="dark"' in context.request.get("/").text()
    page.goto("/play/")
    page.click("button[value=auto]")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    context.close()


def test_the_device_decides_when_nobody_chose(browser: Browser, site: SiteServer):
    context = browser.new_context(base_url=site.webs[0])
    page = context.new_page()
    page.goto("/")
    page.emulate_media(color_scheme="dark")
    assert paper(page) == DARK
    page.emulate_media(color_scheme="light")
    assert paper(page) == LIGHT
    context.close()


def test_a_members_choices_follow_to_another_device(browser: Browser, site: SiteServer):
    one = browser.new_context(base_url=site.webs[0], locale="en-GB")
    page = one.new_page()
    log_in(page, site.webs[0], "ettore")
    expect(page.locator("html")).to_have_attribute("lang", "it")
    page.click("button[lang=pl]")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    page.click("button[value=dark]")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    other = browser.new_context(base_url=site.webs[0], locale="en-GB")
    page = other.new_page()
    log_in(page, site.webs[0], "ettore")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.click("details.menu summary")
    page.click(".menu-sheet button")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    one.close()
    other.close()


@pytest.mark.parametrize(("path", "field"), [("/theme/", "theme"), ("/language/", "language")])
def test_an_unknown_choice_is_refused(visitor: BrowserContext, site: SiteServer, path: str, field: str):
    page = visitor.new_page()
    page.goto("/")
    token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    answer = visitor.request.post(path, form={field: "klingon", "csrfmiddlewaretoken": token})
    assert answer.status == 400
    assert "We could not read that request" in answer.text()


def test_a_switch_never_leads_to_another_site(visitor: BrowserContext, site: SiteServer):
    page = visitor.new_page()
    page.goto("/")
    token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    for path, choice in (("/theme/", {"theme": "dark"}), ("/language/", {"language": "it"})):
        form: dict[str, str | float | bool] = {**choice, "csrfmiddlewaretoken": token, "next": "https://evil.example/"}
        answer = visitor.request.post(path, form=form, max_redirects=0)
        assert answer.status == 302
        assert "evil" not in answer.headers["location"]
