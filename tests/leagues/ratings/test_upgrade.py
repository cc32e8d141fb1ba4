"""An upgrade from the first method of rating: everything is rated again from its results."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.houses import ROOT, clean_environment


@pytest.mark.timeout(900)
def test_what_was_rated_before_is_rated_again(tmp_path: Path) -> None:
    env = clean_environment() | {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'before.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "GAUNTLET_VAR": str(tmp_path),
    }
    command = [sys.executable, "-m", "tests.leagues.ratings.upgrade"]
    said = subprocess.run(command, cwd=ROOT, env=env, text=True, capture_output=True)
    assert said.stdout.endswith("rated again\n"), said.stderr
