"""The main pages in a language longer than any: everything is translated, and fits a phone."""

import mimetypes
import re
import zoneinfo
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Route, ViewportSize, sync_playwright

from accounts.models import Club, User
from deploy.harness import services
from leagues.models import Round
from tests import pseudo_language
from tests.leagues.pages.conftest import GAME

PHONE = ViewportSize(width=390, height=844)
SEASON_PAGES = ("season", "rounds", "entries", "settings", "log")
OWN_PAGES = ("games:new", "accounts:settings", "accounts:notice-choices", "accounts:notices")
SITE = "http://pseudo.invalid"
# Names that nobody translates; what the calendar and Babel say is Italian.
SAME_IN_ALL = {
    "english", "italiano", "polski",
    "gauntlet", "marvel", "splendor", "rising", "thanos", "api", "csv", "json", "markdown", "gmt", "utc", "ics",
    "lun", "mar", "mer", "gio", "ven", "sab", "dom", "gen", "feb", "apr", "mag", "giu", "lug", "ago", "set", "ott",
    "nov", "dic", "tra", "fra", "ora", "ore", "giorno", "giorni", "minuti", "minuto", "secondi", "secondo",
}  # fmt: skip
# What sticks out of the page, or is cut off or lies on its neighbour, as a reader would see it.
TOO_WIDE = """() => {
  const cuts = (element) => getComputedStyle(element).overflowX !== "visible";
  const inside = (element) => element.parentElement && (cuts(element.parentElement) || inside(element.parentElement));
  const shown = [...document.querySelectorAll("body *")].filter((one) => one.getClientRects().length);
  const out = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !inside(one));
  const cut = shown.filter((one) => one.matches("a, button, h1, h2, h3, label") && one.clientWidth > 1
    && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).textOverflow !== "ellipsis");
  const { scrollWidth } = document.documentElement;
  const page = scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`] : [];
  return [...page, ...[...out, ...cut].map((one) => one.outerHTML.slice(0, 160))];
}"""


def test_the_words_that_are_in_no_message_are_found() -> None:
    translated = pseudo_language.lengthen("Hello <b>%(name)s</b>, see {page}") % {"name": "Ada"}
    page = f'<p title="Hint">{translated} and <b>more</b></p><code>x_y</code><i lang="pl">Polski</i><p>Ada</p>'
    assert pseudo_language.untranslated(page, {"ada"}) == ["and", "more", "Hint"]
    assert "<b>Ada</b>" in translated
    assert "{page}" in translated


@pytest.mark.timeout(600)
def test_main_pages_are_translated_and_fit_a_phone(played: Round, club: Club, olga: User, client: Client) -> None:
    season = played.stage.division.season
    where = (season.league.slug, season.number)
    of_season = [reverse(f"leagues:{name}", args=where) for name in SEASON_PAGES]
    of_season.append(reverse("leagues:standings", args=[*where, played.stage_id]))
    table = reverse("leagues:table", args=[played.pairings.all()[0].key])
    for_all = ["/", "/clubs/", "/leagues/", "/play/", "/leaderboards/", f"/leaderboards/{GAME}/", "/accounts/login/"]
    own = ["/", club.get_absolute_url(), *of_season, table, *map(reverse, OWN_PAGES)]
    people = User.objects.values_list("handle", "display_name", "email")
    written = (club.name, club.city, season.league.name, season.name, played.stage.division.name)
    named = " ".join([*(" ".join(person) for person in people), *written, *zoneinfo.available_timezones()])
    known = {word.casefold() for word in re.findall(r"[^\W\d_]+", named)} | SAME_IN_ALL
    with pseudo_language.spoken() as language:
        pages = {f"visitor:{path}": _fetch(client, path, language) for path in for_all}
        User.objects.filter(pk=olga.pk).update(language=language)
        client.force_login(olga)
        pages |= {f"olga:{path}": _fetch(client, path, language) for path in own}
    assert {name: found for name, page in pages.items() if (found := pseudo_language.untranslated(page, known))} == {}
    # In a thread of its own: Django asks no database in one where Playwright has its loop.
    with ThreadPoolExecutor(1) as thread:
        cut = thread.submit(_what_is_too_wide, {**pages, "too wide": f"<h1>{'W' * 99}</h1>"}).result()
    assert cut.pop("too wide")
    assert cut == {}


def _what_is_too_wide(pages: dict[str, str]) -> dict[str, list[str]]:
    problems = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=services.chromium())
        window = browser.new_page(viewport=PHONE, service_workers="block")
        window.set_default_timeout(120_000)
        shown = {"html": ""}
        window.route("**/*", lambda route: _answer(route, shown["html"]))
        for name, html in pages.items():
            shown["html"] = html
            window.goto(f"{SITE}/", wait_until="load")
            window.evaluate("document.fonts.ready")
            if found := window.evaluate(TOO_WIDE):
                problems[name] = found
        browser.close()
    return problems


def _fetch(client: Client, path: str, language: str) -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200, (path, answer.status_code)
    page = answer.content.decode()
    assert pseudo_language.OPEN in page, path
    return page


def _answer(route: Route, html: str) -> None:
    """The page, and its static files; nothing else is there to be asked."""
    path = urlsplit(route.request.url).path
    if route.request.resource_type == "document":
        route.fulfill(body=html, content_type="text/html; charset=utf-8")
        return
    file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
    if isinstance(file, str):
        route.fulfill(body=Path(file).read_bytes(), content_type=mimetypes.guess_type(file)[0] or "text/plain")
    else:
        route.abort()
