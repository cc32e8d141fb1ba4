"""The guards guard: layers, locks and commands."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.bootstrap import LOCKS
from tests.houses import ROOT, clean_environment


def test_the_layers_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_every_guard_can_fail(tmp_path: Path) -> None:
    """A copy of the house with one fault for each guard: all of them bark."""
    copy = tmp_path / "house"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "var", "build", "tests", "__pycache__", "*.so"))
    faults = {
        "deploy/urls.py": "\nimport os\n",
        "deploy/health.py": "\nx = {  'a':1 }\n",
        "deploy/announcements.py": "\nwrong: int = 'a word'\n",
        "accounts/text.py": "\nimport deploy.env\n",
        "deploy/models.py": "\n\nclass Forgotten(models.Model):\n    pass\n",
        "deploy/pages.py": "\nfrom django.utils.translation import gettext\n\nnew = gettext('Nobody has it.')\n",
    }
    for name, fault in faults.items():
        with (copy / name).open("a") as file:
            file.write(fault)
    done = subprocess.run(
        [sys.executable, "manage.py", "lint"],
        cwd=copy,
        env=clean_environment() | {"GAUNTLET_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    for guard in ("style", "layout", "types", "layers", "migrations", "catalogues"):
        assert re.search(rf"^{guard}.*FAILED", done.stdout, re.MULTILINE), f"{guard}: {done.stdout}"


@pytest.mark.parametrize("lock", ["run", "dev", "bench"])
def test_a_lock_holds_exact_versions_and_hashes_and_no_address(lock: str) -> None:
    text = (LOCKS / f"{lock}.txt").read_text()
    assert not re.search(r"https?:|://|--(extra-)?index-url|--find-links|--trusted-host| @ ", text)
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==[\w.+]+( ; [^\\]+)? \\\n", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry


def test_help_lists_our_own_commands_first() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "help"], cwd=ROOT, env=clean_environment(), capture_output=True, text=True
    )
    ours, djangos = done.stdout.split("Django's commands:")
    for command in ("serve", "test", "lint", "announce", "relock", "web", "messages"):
        assert re.search(rf"^  {command} +\w", ours, re.MULTILINE), command
    assert "migrate" in djangos
    assert "migrate" not in ours


def test_no_file_holds_more_than_one_subject() -> None:
    """A file is as long as its subject needs; one of more than 700 lines has two."""
    listed = subprocess.run(["git", "ls-files", "*.py", "*.js"], cwd=ROOT, capture_output=True, text=True).stdout
    files = [ROOT / name for name in listed.split() if "migrations" not in name and "vendor" not in name]
    assert files or not (ROOT / ".git").exists()
    too_long = {str(file.relative_to(ROOT)): n for file in files if (n := len(file.read_text().splitlines())) > 700}
    assert not too_long
