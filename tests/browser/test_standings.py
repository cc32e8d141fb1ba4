"""The standings of the demo's leagues for a visitor, on a desktop and on a phone."""

import re

import pytest
from playwright.sync_api import BrowserContext


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_every_line_says_truly_why_it_stands_there(visitor: BrowserContext, width: int, height: int) -> None:
    page = visitor.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/leagues/")
    seasons = sorted(set(re.findall(r'href="(/leagues/[a-z0-9-]+/1/)"', page.content())))
    assert len(seasons) >= 4
    level = 0
    for season in seasons:
        page.goto(f"{season}standings/")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        for button in page.locator("[data-open-all]").all():
            button.click()
        for table in page.locator(".standings-table").all():
            lines = table.locator("tbody tr").all()
            points = [line.locator("td strong").all_inner_texts() for line in lines]
            for at, line in enumerate(lines):
                why = line.locator(".why")
                assert why.is_visible()
                if re.match("Level on points|Level in everything", why.inner_text()):
                    level += 1
                    assert points[at] in points[max(0, at - 1) : at] + points[at + 1 : at + 2]
    assert level
    page.goto(f"{seasons[0]}standings/")
    rules = page.locator(".ranking-rules")
    if rules.count():
        rules.locator("summary").click()
        assert "1 March 2026" in rules.inner_text()
