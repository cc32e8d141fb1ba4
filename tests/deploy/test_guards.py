"""The checks of `manage.py lint` find faults: layers, locks and commands."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import node_tools, plain_names
from deploy.bootstrap import LOCKS, ROOT
from deploy.harness.prepared_state import clean_environment
from tests.conftest import LONGEST

LONGEST_TEMPLATE_LINE = 200


def test_the_layers_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_names_are_read_word_by_word() -> None:
    refused = ["told", "_told", "line_told", "found", "found_club", "OpenHouse", "problem_heard", "Told"]
    allowed = ["household", "find_club", "not_found", "test_people_are_told", "HouseBot", "storey", "foundation"]
    assert [name for name in refused + allowed if plain_names.is_refused(name)] == refused
    assert plain_names.refused_names(ROOT) == []


def test_every_guard_can_fail(tmp_path: Path) -> None:
    """A copy of the project with one fault for each check: all of them report it."""
    copy = tmp_path / "project"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "var", "build", "tests", "__pycache__", "*.so"))
    shutil.copytree(ROOT / node_tools.SCRIPT_TESTS, copy / node_tools.SCRIPT_TESTS)
    node_tools.install()
    if (ROOT / ".mypy_cache").exists():  # what the last lint knows of the modules without a fault: a minute less
        shutil.copytree(ROOT / ".mypy_cache", copy / ".mypy_cache")
    (copy / "var").mkdir()
    (copy / "var" / "lint").symlink_to(node_tools.FOLDER)
    faults = {
        "deploy/urls.py": "\nimport os\n",
        "deploy/health.py": "\nx = {  'a':1 }\n",
        "deploy/announcements.py": "\nwrong: int = 'a word'\n",
        "accounts/infra/text.py": "\nimport deploy.env\n",
        "deploy/env.py": "\n\ndef line_told() -> None:\n    pass\n",
        "deploy/models.py": "\n\nclass Forgotten(models.Model):\n    pass\n",
        "deploy/pages.py": "\nfrom django.utils.translation import gettext\n\nnew = gettext('Nobody has it.')\n",
        "templates/404.html": "\n      <p>far in</p>\n",
        "games/static/games/core/seats.js": "\nconst forgotten = 1;\n",
        "games/static/games/thanos-rising/dock.js": "\nexport const f = (/** @type {Table} */ t) => t.view.no;\n",
        "games/static/games/core/stage.js": "\nexport const g = (any) => any;\n",
        "games/static/games/core/frame-queue.js": '\nFrameQueue.prototype.accept = () => "gap";\n',
        "games/schema/types.d.ts": "\n// by hand\n",
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
    guards = ("style", "layout", "types", "layers", "migrations", "catalogues", "templates", "scripts", "script types")
    for guard in (*guards, "core types", "script tests", "schema"):
        assert re.search(rf"^{guard} *(\(.*\))? *FAILED", done.stdout, re.MULTILINE), f"{guard}: {done.stdout}"


def test_the_npm_lock_holds_hashes_and_no_address_of_a_registry() -> None:
    packages = json.loads((node_tools.CONFIG / "package-lock.json").read_text())["packages"]
    own = packages.pop("")
    assert all(re.fullmatch(r"[\d.]+", version) for version in own["devDependencies"].values())
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_what_to_do_without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(node_tools.CannotCheck, match="apt install nodejs npm"):
        node_tools.tool("tsc")


def test_the_unit_tests_of_the_scripts_pass() -> None:
    done = node_tools.test_scripts()
    assert done.returncode == 0, done.stdout


def test_no_template_has_a_very_long_line() -> None:
    long = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in sorted((ROOT / "templates").rglob("*.*"))
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if len(line) > LONGEST_TEMPLATE_LINE
    ]
    assert not long


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
    """A file may be long, but one of more than 700 lines has two subjects."""
    listed = subprocess.run(["git", "ls-files", "*.py", "*.js"], cwd=ROOT, capture_output=True, text=True).stdout
    files = [ROOT / name for name in listed.split() if "migrations" not in name and "vendor" not in name]
    assert files or not (ROOT / ".git").exists()
    too_long = {str(file.relative_to(ROOT)): n for file in files if (n := len(file.read_text().splitlines())) > 700}
    assert not too_long


def test_the_files_that_are_begun_first_exist() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []
