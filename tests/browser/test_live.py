"""An open page lives: it shows what is announced, notices when the house closes, and comes back by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.houses import House, standing, visited_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from standing(visited_house(tmp_path))


@pytest.mark.timeout(180)
def test_a_page_hears_announcements_and_outlives_a_restart(page: Page, house: House) -> None:
    page.goto(house.webs[0])
    live = page.locator("html")
    expect(live).to_have_attribute("data-live", "online")
    announcement, offline = page.locator("[data-announcement]"), page.locator("[data-offline]")
    expect(announcement).to_be_hidden()
    expect(offline).to_be_hidden()

    house.manage("announce", "We close at <ten> tonight.")
    expect(announcement).to_have_text("We close at <ten> tonight.")
    expect(announcement).to_be_visible()

    house.close()
    expect(offline).to_be_visible()
    house.open()
    expect(offline).to_be_hidden()
    expect(live).to_have_attribute("data-live", "online")

    house.manage("announce", "Open again.")
    expect(announcement).to_have_text("Open again.")
    page.reload()
    expect(announcement).to_have_text("Open again.")
