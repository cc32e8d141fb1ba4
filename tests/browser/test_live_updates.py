"""An open page shows announcements, notices when the site stops, and reconnects automatically."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from deploy.harness.servers import SiteServer, browsed_site, standing


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path, GAUNTLET_DEMO="off"))


@pytest.mark.timeout(180)
def test_a_page_hears_announcements_and_outlives_a_restart(page: Page, site: SiteServer) -> None:
    page.goto(site.webs[0])
    live = page.locator("html")
    expect(live).to_have_attribute("data-live", "online")
    announcement, offline = page.locator("[data-announcement]"), page.locator("[data-offline]")
    expect(announcement).to_be_hidden()
    expect(offline).to_be_hidden()

    site.manage("announce", "We close at <ten> tonight.")
    expect(announcement).to_have_text("We close at <ten> tonight.")
    expect(announcement).to_be_visible()

    site.close()
    expect(offline).to_be_visible()
    site.open()
    expect(offline).to_be_hidden()
    expect(live).to_have_attribute("data-live", "online")

    site.manage("announce", "Open again.")
    expect(announcement).to_have_text("Open again.")
    page.reload()
    expect(announcement).to_have_text("Open again.")
