"""Fixtures for every test: fast defaults inside this process, and whole houses outside it."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

from deploy import compiled, messages
from tests import services
from tests.databases import any_database, on_postgres, postgres_database
from tests.houses import ROOT, Embedded, House, Production, standing

__all__ = ["any_database", "on_postgres", "postgres_database"]

HOUSES: dict[str, type[House]] = {"embedded": Embedded, "production": Production}
# Without the demo club, whose many passwords take a while.
EMPTY = {"GAUNTLET_DEMO": "off"}

# A busy machine is no finding. Where a change is let in or not, the same cases are tried each time; at a desk, others.
hypothesis.settings.register_profile(
    "house",
    deadline=None,
    derandomize="REQUIRE_SERVICES" in os.environ,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def quick_settings() -> Iterator[None]:
    """Nothing is collected for tests inside this process, and their passwords protect nobody."""
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
    messages.compile_catalogues()
    with override_settings(
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ):
        yield


@pytest.fixture(scope="session")
def compiled_copy() -> Path:
    """A folder with the compiled engine and rating fold: a minute for the C compiler, once for all tests."""
    services.c_compiler()
    folder = ROOT / "var" / "build" / "compiled"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with services.locked(folder.with_suffix(".lock")):
        compiled.compile_into(folder)
    return folder


@pytest.fixture(scope="module", params=list(HOUSES))
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house a module and kind: for tests that leave it standing."""
    yield from standing(HOUSES[request.param](tmp_path_factory.mktemp(request.param), **EMPTY))


@pytest.fixture(params=list(HOUSES))
def own_house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """A house for one test alone, which may break it."""
    yield from standing(HOUSES[request.param](tmp_path, **EMPTY))


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[House]:
    """The house as everybody first sees it, demo club included."""
    yield from standing(Embedded(tmp_path))


@pytest.fixture
def production(tmp_path: Path) -> Iterator[House]:
    yield from standing(Production(tmp_path, **EMPTY))


# Random play, where tracing trebles the time, and tests whose subject runs in other processes.
UNTRACED = {"engine", "formats", "browser", "faults"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: once a browser is open its event loop runs, and asynchronous tests cannot.

    With xdist this holds because of --no-loadscope-reorder: files are handed out in this order.
    """
    items.sort(key=lambda item: "browser" in item.path.parts)
    for item in items:
        if "SUITE_HOUSE" in os.environ:  # a house of several programs takes longer to open than a test may
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
    """A window of its own; an error in its console fails the test."""
    context = browser.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
