"""The services of compose.yaml, started without containers, in front of a browser.

All browser tests visit them with `SUITE_HOUSE=stack python3 manage.py test tests/browser`; these two always do.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import test_newcomer, test_tables
from tests.browser.test_tables import screen
from tests.houses import House, Stacked

__all__ = ["screen"]

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    stack = Stacked(tmp_path_factory.mktemp("stacked"))
    try:
        stack.open()
        yield stack
    finally:
        stack.close()


def test_a_newcomer_finds_a_home(browser: Browser, house: House) -> None:
    test_newcomer.test_a_newcomer_finds_a_home(browser, house)


def test_a_person_and_two_bots_finish_a_match(house: House, screen: test_tables.Screens) -> None:
    test_tables.test_a_person_and_two_bots_finish_a_match(house, screen, "infinity-gauntlet")


def test_it_is_well_and_ends_cleanly(house: House) -> None:
    """The doctor finds every part; its last test, for it closes."""
    found = house.manage("doctor", check=False).stdout
    assert "fail" not in found, found
    assert house.close() == {"serve": 0}
