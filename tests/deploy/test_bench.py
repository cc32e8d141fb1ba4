"""`manage.py bench`: all its parts in one run, in sizes that only show that they work."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.bootstrap import ROOT
from deploy.harness.prepared_state import MANAGE, clean_environment
from deploy.management.commands.bench import SECTIONS

pytestmark = pytest.mark.timeout(900)


def bench(var: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = clean_environment() | {"GAUNTLET_VAR": str(var)} | settings
    # It starts its own servers, as outside a run of the suite.
    env.pop("SUITE_FOLDER", None)
    command = [*MANAGE, "bench", *arguments]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)


def test_without_an_argument_it_runs_to_its_end_and_says_nothing_but_its_rows(
    compiled_copy: Path, tmp_path: Path
) -> None:
    shutil.copytree(compiled_copy, tmp_path / "build" / "compiled")
    done = bench(tmp_path, "--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    *parts, end = done.stdout.strip().split("\n\n")
    assert end == "Every part runs; in these sizes the numbers mean nothing."
    assert [part.splitlines()[0] for part in parts] == list(SECTIONS)
    for part in parts:
        rows = part.splitlines()[2:]
        assert rows
        for row in rows:
            assert re.fullmatch(r"\S.{57,} +-?[\d,]+(\.\d+)?(e-\d+)? .*", row), row
    assert "left out" not in done.stdout


def test_a_part_that_fails_does_not_keep_the_others_from_being_measured(tmp_path: Path) -> None:
    """Without the compiler: the other parts are measured, and the end says what is missing."""
    done = bench(tmp_path, "--quick", "ratings", "formats", CC="/bin/false")
    assert done.returncode == 1
    assert "two-seat Swiss" in done.stdout
    assert done.stderr.splitlines()[-1] == "CommandError: 1 of 2 parts could not be measured: ratings"
