"""Fixtures for every test: fast defaults inside this process, and whole sites outside it."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone, translation
from django.utils.crypto import RANDOM_STRING_CHARS
from playwright.sync_api import Browser, Page, expect, sync_playwright

from deploy import compiled_build, translations
from deploy.bootstrap import ROOT
from deploy.harness import services
from deploy.harness.servers import EmbeddedServer, ProductionServers, SiteServer, standing
from tests.cast import (
    alice,
    as_alice,
    as_bob,
    as_charlie,
    as_olga,
    bob,
    charlie,
    clean_match_cache,
    club,
    olga,
    sent_tasks,
    stella,
)
from tests.databases import any_database, on_postgres, postgres_database

__all__ = [
    "alice",
    "any_database",
    "as_alice",
    "as_bob",
    "as_charlie",
    "as_olga",
    "bob",
    "charlie",
    "clean_match_cache",
    "club",
    "olga",
    "on_postgres",
    "postgres_database",
    "sent_tasks",
    "stella",
]

SITES: dict[str, type[SiteServer]] = {"embedded": EmbeddedServer, "production": ProductionServers}
# Without the demo club, whose bots play and whose odds are computed as soon as the site opens.
EMPTY = {"GAUNTLET_DEMO": "off"}

# A busy machine must not fail a test. CI runs the same examples each time; a developer's machine tries others.
hypothesis.settings.register_profile(
    "ci",
    deadline=None,
    derandomize="REQUIRE_SERVICES" in os.environ,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def quick_settings() -> Iterator[None]:
    """No static files are collected for tests in this process, passwords use a fast hash, and bots do not wait."""
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
    translations.prepare_catalogues(settings.VAR)
    with override_settings(
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
        # As on a site that can send e-mail.
        SENDS_MAIL=True,
        ACCOUNT_EMAIL_VERIFICATION="mandatory",
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        BOT_PACE=0,
    ):
        yield


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """CI deals the same cards each time, as it tries the same examples; a developer's machine deals others."""
    if "REQUIRE_SERVICES" not in os.environ:
        return
    rng = random.Random(request.node.nodeid)

    def same_string(length: int, allowed_chars: str = RANDOM_STRING_CHARS) -> str:
        return "".join(rng.choices(allowed_chars, k=length))

    monkeypatch.setattr("games.fairness.new_secret", lambda: f"{rng.getrandbits(192):048x}")
    monkeypatch.setattr("games.models.match.get_random_string", same_string)
    monkeypatch.setattr("leagues.models.competition.get_random_string", same_string)


@pytest.fixture(autouse=True)
def own_language_and_zone() -> Iterator[None]:
    """A request leaves its reader's language and time zone in the thread: reset them for the next test."""
    yield
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(scope="session")
def compiled_copy() -> Path:
    """A folder with the compiled engine and ratings: the C compiler takes a minute, once for all tests."""
    services.c_compiler()
    folder = ROOT / "var" / "build" / "compiled"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with services.locked(folder.with_suffix(".lock")):
        compiled_build.compile_into(folder)
    return folder


@pytest.fixture(scope="module", params=list(SITES))
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """One site per module and kind, for tests that leave it running."""
    yield from standing(SITES[request.param](tmp_path_factory.mktemp(request.param), **EMPTY))


@pytest.fixture(params=list(SITES))
def disposable_site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SiteServer]:
    """A site for one test alone, which may break it."""
    yield from standing(SITES[request.param](tmp_path, **EMPTY))


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[SiteServer]:
    yield from standing(EmbeddedServer(tmp_path, **EMPTY))


@pytest.fixture
def production(tmp_path: Path) -> Iterator[SiteServer]:
    yield from standing(ProductionServers(tmp_path, **EMPTY))


# Files that take longest, longest first: begun at the end, one of them would keep a worker busy and the other waiting.
LONGEST = [
    "engine/test_builds.py",
    "deploy/test_guards.py",
    "deploy/test_bench.py",
    "faults/test_fault_drill.py",
    "faults/test_matches.py",
    "games/realtime/test_tables.py",
    "games/user_bots/test_stream.py",
    "accounts/infra/realtime/test_delivery.py",
    "faults/test_redis.py",
    "faults/test_shutdown.py",
    "deploy/test_serve.py",
    "deploy/test_health.py",
    "deploy/test_bootstrap.py",
    "browser/test_tables.py",
    "browser/test_stack.py",
    "browser/test_accelerated.py",
    "browser/test_league_evening.py",
    "browser/test_every_page.py",
    "browser/test_splendor_marvel_table.py",
]

# Random play, which tracing makes three times slower, and tests whose subject runs in other processes.
UNTRACED = {"engine", "formats", "browser", "faults"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: once a browser is open its event loop runs, and asynchronous tests cannot.

    With xdist this holds because of --no-loadscope-reorder: files are handed out in this order.
    """
    order = {ROOT / "tests" / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ("browser" in item.path.parts, order.get(item.path, len(order))))
    for item in items:
        if "SUITE_SITE" in os.environ:  # a site of several programs takes longer to open than a test may
            item.add_marker(pytest.mark.timeout(1200), append=False)
        if not UNTRACED.isdisjoint(item.path.parts):
            item.add_marker("no_cover")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)  # for a machine with much else to do
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=services.chromium())
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A separate window; an error in its console fails the test."""
    context = browser.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
