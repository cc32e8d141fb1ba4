"""`manage.py accelerate` in a clean copy: the site starts, a match is played on compiled code, and it can be undone."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from deploy import compiled_build
from deploy.harness import environments
from deploy.harness.match_client import begin, check_whole, record
from deploy.harness.prepared_state import clean_copy
from deploy.harness.servers import EmbeddedServer, SiteServer, children_of
from tests.browser.test_splendor_marvel_table import Hand

# It may be the first to need the compiled build, which takes the C compiler a minute or two.
pytestmark = pytest.mark.timeout(900)


class Checkout(EmbeddedServer):
    """A site in a clean copy of this tree, with its data in its own `var`.

    As in the image, it runs with the packages of the `run` lock alone: only the compiler needs more.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(clean_copy(root) / "var", GAUNTLET_DEMO="off")
        self.root = root
        self.commands = [str(environments.make(root / ".venv", ["run"])), str(root / "manage.py")]


@pytest.fixture
def checkout(tmp_path: Path, compiled_copy: Path) -> Iterator[SiteServer]:
    """A copy in which only mypyc's output is prepared."""
    site = Checkout(tmp_path / "checkout")
    shutil.copytree(compiled_copy, compiled_build.folder_in(site.root / "var"))
    yield site
    site.close()


def libraries_in(pid: int, root: Path) -> set[str]:
    """Our libraries that a running process has loaded.

    All compiled code lies in the shared one. A module's own library is opened only where interpreted code imports it.
    """
    mapped = re.findall(rf"{re.escape(str(root))}/(\S+)\.(?:so|pyd)$", Path(f"/proc/{pid}/maps").read_text(), re.M)
    return {name.split(".")[0].replace("/", ".") for name in mapped}


def installed(root: Path) -> set[Path]:
    return {file for file in root.rglob("*.so") if file.relative_to(root).parts[0] not in ("var", ".venv")}


@pytest.mark.slow
def test_an_accelerated_site_plays_a_match_and_goes_back(checkout: SiteServer, browser: Browser) -> None:
    checkout.manage("accelerate")
    checkout.manage("check")
    checkout.open()
    session = checkout.sign_in("hanna")
    key = begin(checkout, session, bots=1, level="rookie", option_points="10")
    context = browser.new_context(base_url=checkout.webs[0], locale="en-GB", reduced_motion="reduce")
    context.add_cookies([{"name": "sessionid", "value": session, "url": checkout.webs[0]}])
    mine = Hand(context.new_page())
    mine.sit(key)
    mine.play_to_the_end()
    assert mine.complaints == []

    serve = checkout.programs["serve"].process.pid
    bots = [pid for pid in children_of(serve) if b"engine.bot_process" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert bots
    for pid in (serve, *bots):
        libraries = libraries_in(pid, checkout.root)
        assert "gauntlet__mypyc" in libraries
        assert [name for name in libraries if name.startswith("engine.")]
    assert "leagues.elo.update" in libraries_in(serve, checkout.root)
    context.close()
    played = record(checkout, key)
    check_whole(played)
    assert played["fallbacks"] == 0, "a bot gave no move"
    assert checkout.close() == {"serve": 0}

    checkout.manage("accelerate", "--remove")
    assert not installed(checkout.root)
    checkout.manage("check")


def test_whatever_is_wrong_with_the_libraries_can_be_repaired_or_removed(checkout: SiteServer) -> None:
    """A missing file, a file that is no library, and sources changed since."""
    checkout.manage("accelerate")
    whole = installed(checkout.root)
    [shared] = checkout.root.glob("*__mypyc*.so")
    update = next(file for file in whole if file.name.startswith("update."))
    for harm in (shared.unlink, lambda: update.write_bytes(b"no library")):
        harm()
        assert checkout.manage("check", check=False).returncode != 0
        checkout.manage("accelerate")
        assert installed(checkout.root) == whole
    checkout.manage("check")
    with (checkout.root / "leagues" / "elo" / "update.py").open("a") as source:
        source.write("# a change\n")
    for command in ("check", "serve"):
        stopped = checkout.manage(command, check=False)
        assert stopped.returncode == 1
        assert stopped.stderr.startswith("Gauntlet: the compiled engine does not match the sources: run")
        assert stopped.stderr.count("\n") == 1, stopped.stderr
    shared.unlink()
    checkout.manage("accelerate", "--remove")
    assert not installed(checkout.root)
    checkout.manage("check")
