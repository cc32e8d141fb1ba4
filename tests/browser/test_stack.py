"""The services of compose.yaml, started without containers, in front of a browser.

All browser tests visit them with `SUITE_SITE=stack python3 manage.py test tests/browser`; these two always do.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from deploy.harness.servers import SiteServer, StackServers
from tests.browser import test_newcomer, test_tables
from tests.browser.test_tables import screen

__all__ = ["screen"]

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    stack = StackServers(tmp_path_factory.mktemp("stacked"))
    try:
        stack.open()
        yield stack
    finally:
        stack.close()


def test_a_newcomer_finds_a_home(browser: Browser, site: SiteServer) -> None:
    test_newcomer.test_a_newcomer_finds_a_home(browser, site)


def test_a_person_and_two_bots_finish_a_match(site: SiteServer, screen: test_tables.Screens) -> None:
    test_tables.test_a_person_and_two_bots_finish_a_match(site, screen, "infinity-gauntlet")


def test_it_is_well_and_ends_cleanly(site: SiteServer) -> None:
    """The doctor checks every part. This test is the last one, because it stops the site."""
    report = site.manage("doctor", check=False).stdout
    assert "fail" not in report, report
    assert site.close() == {"serve": 0}
