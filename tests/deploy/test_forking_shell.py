"""Code that tests run in a site: a process of its own for each piece, and its errors are told."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.bootstrap import ROOT
from deploy.harness.forking_shell import ForkingShell
from deploy.harness.prepared_state import MANAGE, clean_environment


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkingShell]:
    shell = ForkingShell(MANAGE, clean_environment() | {"GAUNTLET_VAR": str(tmp_path_factory.mktemp("var"))}, ROOT)
    yield shell
    shell.close()
    assert not shell.folder.exists()


def test_every_piece_has_a_process_of_its_own(shell: ForkingShell) -> None:
    code = "import os\nfrom accounts.models import User\nUser.touched = getattr(User, 'touched', 0) + 1\n"
    pieces = [shell.run(code + "print(os.getpid(), User.touched)").stdout.split() for _ in range(2)]
    assert len({pid for pid, _ in pieces} | {str(os.getpid()), str(shell.process.pid)}) == 4
    assert [touched for _, touched in pieces] == ["1", "1"]


def test_how_it_ended_is_told(shell: ForkingShell) -> None:
    failed = shell.run("print('so far'); 1 / 0")
    assert (failed.returncode, failed.stdout) == (1, "so far\n")
    assert "ZeroDivisionError" in failed.stderr
    assert shell.run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)").returncode == -9
    assert shell.run("import atexit; atexit.register(print, 'at the end')").stdout == "at the end\n"


def test_pieces_run_side_by_side(shell: ForkingShell, tmp_path: Path) -> None:
    """Each waits for the other."""
    code = (
        "import pathlib, time\n"
        "mine, other = map(pathlib.Path, {})\n"
        "mine.touch()\n"
        "while not other.exists():\n"
        "    time.sleep(0.01)\n"
    )
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(shell.run, [code.format([one, two]), code.format([two, one])]))
    assert [each.returncode for each in done] == [0, 0]
