"""Every page in a real browser: accessible, no requests to other sites, small, and usable on a phone."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Response, ViewportSize

from deploy.harness.servers import SiteServer

CLUB = "/clubs/the-lantern-table/"
PUBLIC = [
    "/",
    "/play/",
    "/rules/",
    "/puzzles/",
    "/leagues/",
    "/leaderboards/",
    "/leaderboards/infinity-gauntlet/?bots=yes&around=tomek",
    "/leaderboards/between/tomek/hana/",
    "/leaderboards/changes/1/",
    "/clubs/",
    "/clubs/?q=nowhere",
    CLUB,
    "/people/tomek/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/confirm-email/",
    "/api/docs/tables/",
    "/join/no-such-invite/",
    "/no-such-page/",
]
OWN = [
    "/",
    "/play/",
    CLUB,
    f"{CLUB}manage/",
    f"{CLUB}edit/",
    f"{CLUB}log/",
    "/leagues/",
    "/leagues/clubs/the-lantern-table/nights/",
    "/leagues/clubs/the-lantern-table/announcements/",
    "/clubs/new/",
    "/people/marta/",
    "/settings/",
    "/settings/delete/",
    "/settings/notices/",
    "/calendar/",
    "/notices/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
]
LARGEST_PAGE = 180_000
PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 800}
LIGHTS: list[tuple[Literal["light", "dark"], ViewportSize]] = [
    ("light", DESK),
    ("dark", DESK),
    ("dark", PHONE),
    ("light", PHONE),
]
EVERYTHING = {"resultTypes": ["violations"]}
COLOURS = EVERYTHING | {"runOnly": ["color-contrast"]}
"""All that the night changes about a page."""


class Watched:
    """A page with all its requests and console errors."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.responses: list[Response] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        self.page.on("response", lambda answer: self.responses.append(answer))

    def open(self, path: str) -> int:
        answer = self.page.goto(path, wait_until="load")
        assert answer is not None
        if answer.status != 200:  # the browser itself reports an error page as an error
            self.complaints = [line for line in self.complaints if "the server responded with" not in line]
        return answer.status

    def weight(self) -> int:
        counted = {"document", "stylesheet", "script"}
        return sum(len(answer.body()) for answer in self.responses if answer.request.resource_type in counted)


def is_fit(watched: Watched, path: str, address: str) -> None:
    page = watched.page
    page.set_viewport_size(DESK)
    watched.open(path)
    assert page.title().endswith("Gauntlet")
    assert page.locator("h1").count() == 1
    elsewhere = [answer.url for answer in watched.responses if not answer.url.startswith(f"{address}/")]
    assert not elsewhere
    assert watched.weight() < LARGEST_PAGE
    for scheme, size in LIGHTS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(size)
        axe = Axe().run(page, options=EVERYTHING if scheme == "light" else COLOURS)
        assert axe.violations_count == 0, f"{scheme} {size['width']}: {axe.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert not watched.complaints


@pytest.mark.parametrize("path", PUBLIC)
def test_a_visitor_can_use_every_page(visitor: BrowserContext, site: SiteServer, path: str):
    is_fit(Watched(visitor), path, site.webs[0])


@pytest.mark.parametrize("path", OWN)
def test_an_owner_can_use_every_page(owner: BrowserContext, site: SiteServer, path: str):
    is_fit(Watched(owner), path, site.webs[0])


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_no_language_is_too_long_for_a_small_phone(visitor: BrowserContext, site: SiteServer, language: str):
    visitor.add_cookies([{"name": "django_language", "value": language, "url": site.webs[0]}])
    page = visitor.new_page()
    page.set_viewport_size(PHONE)
    for path in PUBLIC:
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == language
        fits_phones(page, path)


def test_no_language_is_too_long_for_who_is_logged_in(owner: BrowserContext):
    page = owner.new_page()
    page.set_viewport_size(PHONE)
    page.goto("/")
    for language in ("it", "pl", "en"):  # English last: restores the language that the other tests expect
        page.click(f"button[lang={language}]")
        page.locator(f"html[lang={language}]").wait_for()
        for path in ("/", "/play/"):
            page.goto(path)
            fits_phones(page, path)


def test_the_tab_of_a_page_is_in_sight_on_a_phone(owner: BrowserContext):
    page = owner.new_page()
    page.set_viewport_size(PHONE)
    page.goto("/leagues/thursday-at-the-lantern/1/log/")
    edge = page.locator(".tabs [aria-current]").evaluate("tab => tab.getBoundingClientRect().right")
    assert edge <= PHONE["width"]
    assert page.locator(".tabs").evaluate("bar => bar.scrollLeft") > 0


def fits_phones(page: Page, path: str) -> None:
    """At every phone width: what wraps on the smallest may be side by side, and too wide, on the next."""
    for width in (PHONE["width"], 390, 430):
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path} at {width}"


@pytest.mark.parametrize("path", ["/", CLUB])
def test_pages_work_with_the_keyboard_alone(visitor: BrowserContext, path: str):
    page = visitor.new_page()
    page.goto(path)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_the_menu_opens_and_closes_with_the_keyboard(owner: BrowserContext):
    page = owner.new_page()
    page.goto("/")
    page.focus("details.menu summary")
    page.keyboard.press("Enter")
    page.locator(".menu-sheet").wait_for(state="visible")
    page.keyboard.press("Escape")
    page.locator(".menu-sheet").wait_for(state="hidden")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_the_error_page_needs_no_database(browser, tmp_path):
    """The fallback page works when everything behind it has failed."""
    from deploy.harness.servers import browsed_site

    site = browsed_site(tmp_path, GAUNTLET_DEMO="off")
    try:
        site.prepare()
        site.open()
        context = browser.new_context(base_url=site.webs[0], locale="pl-PL")
        context.add_cookies([{"name": "theme", "value": "dark", "url": site.webs[0]}])
        page = context.new_page()
        site.python(
            "from django.db import connection; connection.cursor().execute('ALTER TABLE accounts_club RENAME TO gone')"
        )
        answer = page.goto("/")
        assert answer is not None
        assert answer.status == 500
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.locator("html").get_attribute("lang") == "pl"
        assert page.locator("h1").inner_text() == "Coś się u nas zepsuło"
        assert Axe().run(page).violations_count == 0
        context.close()
    finally:
        site.close()
