"""The curl walkthrough of the API, exactly as the documentation has it."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from accounts.demo import PASSWORD
from deploy.bootstrap import ROOT
from deploy.harness.servers import SiteServer

pytestmark = pytest.mark.timeout(180)

# curl options: fail on an error status, and print every status.
CURLRC = 'fail-with-body\nsilent\nshow-error\nwrite-out = "%{stderr}%{http_code} %{url_effective}\\n"\n'


def test_the_walk_with_curl_works_as_written(owner: BrowserContext, site: SiteServer, tmp_path: Path):
    walk = "\n".join(
        re.findall(r"^```sh\n(.*?)^```$", (ROOT / "docs" / "api.md").read_text(), re.DOTALL | re.MULTILINE)
    )
    mine = {"http://127.0.0.1:8000": site.webs[0], "gauntlet_...": made_on_the_page(owner)}
    for written, own in mine.items():
        assert walk.count(written) == 1
        walk = walk.replace(written, own)
    (tmp_path / ".curlrc").write_text(CURLRC)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", walk],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answers = re.findall(r"^(\d{3}) http", done.stderr, re.MULTILINE)
    assert len(answers) >= len(re.findall(r"\bcurl ", walk)) >= 10
    assert set(answers) <= {"200", "201"}
    assert re.search(r'"v":[1-9]', done.stdout), done.stdout


def made_on_the_page(owner: BrowserContext) -> str:
    """A token with the scopes that the text says, created on the settings page."""
    page = owner.new_page()
    page.goto("/settings/")
    page.get_by_role("link", name="API tokens").click()
    page.get_by_label("Name").fill("curl")
    for scope in ("read", "play"):
        page.check(f"input[name=scopes][value={scope}]")
    page.get_by_role("button", name="Make a token").click()
    page.locator("main").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    token = page.locator("#token").input_value()
    page.close()
    return token
