"""Two worker processes on PostgreSQL, told of results, corrections and voids in random order: exact to a digit."""

import os
import subprocess
import sys
from typing import Any
from urllib.parse import quote

import pytest

from leagues.models import RatedResult, RatingChange, Refold
from tests.houses import ROOT, clean_environment
from tests.leagues.ratings.test_settling import check_exact, crowd

WORKERS = 2


@pytest.mark.parametrize(
    ("count", "people"),
    [
        pytest.param(2_000, 30, marks=pytest.mark.timeout(600)),
        pytest.param(100_000, 400, marks=[pytest.mark.slow, pytest.mark.timeout(7200)]),
    ],
)
def test_refold_and_increments_agree(on_postgres: dict[str, Any], count: int, people: int) -> None:
    crowd(people)
    workers = [start(on_postgres, str(part), str(WORKERS), "7", str(count)) for part in range(WORKERS)]
    try:
        said = [worker.communicate()[0] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
    assert [worker.returncode for worker in workers] == [0] * WORKERS, said
    assert RatedResult.objects.filter(version=1).count() == count
    assert RatedResult.objects.filter(void=True).exists()
    assert Refold.objects.exists()
    assert RatingChange.objects.exclude(superseded_by=None).exists()
    check_exact()


def start(database: dict[str, Any], *arguments: str) -> "subprocess.Popen[str]":
    who = ":".join(quote(database[part], safe="") for part in ("USER", "PASSWORD") if database[part])
    where = f"?host={quote(database['HOST'], safe='')}" + (f"&port={database['PORT']}" if database["PORT"] else "")
    env = clean_environment() | {
        "DATABASE_URL": f"postgres://{who}@/{database['NAME']}{where}",
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "GAUNTLET_VAR": os.environ["GAUNTLET_VAR"],
        "GAUNTLET_ROLE": "worker",
    }
    command = [sys.executable, "-m", "tests.leagues.ratings.worker", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
