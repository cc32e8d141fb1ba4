"""`manage.py accelerate` in a clean copy: the site starts, a match is played on compiled code, and it can be undone."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import environments
from tests.browser.test_splendor_marvel_table import Hand
from tests.furniture import clean_copy
from tests.houses import Embedded, House, children_of
from tests.matches import begin, check_whole, record

# It may be the first to need the compiled build, which takes the C compiler a minute or two.
pytestmark = pytest.mark.timeout(900)


class Checkout(Embedded):
    """A site in a clean copy of this tree, with its data in its own `var`.

    As in the image, it runs with the packages of the `run` lock alone: only the compiler needs more.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(clean_copy(root) / "var", GAUNTLET_DEMO="off")
        self.root = root
        self.commands = [str(environments.make(root / ".venv", ["run"])), str(root / "manage.py")]


@pytest.fixture
def checkout(tmp_path: Path, compiled_copy: Path) -> Iterator[House]:
    """Nothing is prepared but what mypyc made."""
    site = Checkout(tmp_path / "checkout")
    shutil.copytree(compiled_copy, site.root / "var" / "build" / "compiled")
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


def test_an_accelerated_site_plays_a_match_and_goes_back(checkout: House, browser: Browser) -> None:
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
    thinkers = [pid for pid in children_of(serve) if b"engine.thinker" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert thinkers
    for pid in (serve, *thinkers):
        assert {"gauntlet__mypyc", "engine.splendor_marvel.state"} <= libraries_in(pid, checkout.root)
    assert "leagues.ratings.fold" in libraries_in(serve, checkout.root)
    context.close()
    found = record(checkout, key)
    check_whole(found)
    assert found["fallbacks"] == 0, "a bot gave no move"
    assert checkout.close() == {"serve": 0}

    checkout.manage("accelerate", "--remove")
    assert not installed(checkout.root)
    checkout.manage("check")


def test_whatever_is_wrong_with_the_libraries_can_be_repaired_or_removed(checkout: House) -> None:
    """A file that is missing, one that is no library, and sources that have changed since."""
    checkout.manage("accelerate")
    whole = installed(checkout.root)
    [shared] = checkout.root.glob("*__mypyc*.so")
    fold = next(file for file in whole if file.name.startswith("fold."))
    for harm in (shared.unlink, lambda: fold.write_bytes(b"no library")):
        harm()
        assert checkout.manage("check", check=False).returncode != 0
        checkout.manage("accelerate")
        assert installed(checkout.root) == whole
    checkout.manage("check")
    with (checkout.root / "leagues" / "ratings" / "fold.py").open("a") as source:
        source.write("# a change\n")
    for command in ("check", "serve"):
        stopped = checkout.manage(command, check=False)
        assert stopped.returncode == 1
        assert stopped.stderr.startswith("Gauntlet: the compiled engine was made of other sources than those here: run")
        assert stopped.stderr.count("\n") == 1, stopped.stderr
    shared.unlink()
    checkout.manage("accelerate", "--remove")
    assert not installed(checkout.root)
    checkout.manage("check")
