"""Two worker processes on PostgreSQL record results, corrections and voids in random order: exact numbers."""

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Event
from time import sleep
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection, transaction

from deploy.bootstrap import ROOT
from deploy.harness.prepared_state import clean_environment
from leagues.models import RatedResult, RatingChange, Refold
from leagues.ratings import ledger, pending
from tests.leagues.ratings.test_pending import apply_all, check_exact, crowd, record_game

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
        outputs = [worker.communicate()[0] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
    assert [worker.returncode for worker in workers] == [0] * WORKERS, outputs
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


def test_a_correction_of_several_results_and_an_update_do_not_block_each_other(on_postgres: dict[str, Any]) -> None:
    """The correction holds the second result and wants the first; the update of the pool wants both."""
    people = crowd(2)
    for number in (1, 2, 3):
        record_game(number, *people)
    (pool_id,) = pending.pools_with_pending_results()
    first_is_void = Event()

    def void_both() -> None:
        with transaction.atomic():
            ledger.void(source="match:2")
            first_is_void.set()
            sleep(1)  # meanwhile the update has locked the pool and reached the results
            ledger.void(source="match:1")
        connection.close()

    def update() -> None:
        first_is_void.wait(30)
        pending.apply_pending_results(pool_id=pool_id)
        connection.close()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(void_both), pool.submit(update)]:
            done.result(60)
    apply_all()
    check_exact()


def test_a_result_voided_while_later_ones_are_applied_is_taken_back_by_the_next_update(
    on_postgres: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update starts at the second result; the first one is voided after it has chosen where to start."""
    people = crowd(2)
    record_game(1, *people)
    apply_all()
    record_game(2, *people)
    (pool_id,) = pending.pools_with_pending_results()
    place = pending.place

    def void_the_first() -> None:
        ledger.void(source="match:1")
        connection.close()

    def place_while_another_voids(owed: Sequence[RatedResult]) -> datetime | None:
        since = place(owed)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(void_the_first).result(60)
        return since

    with monkeypatch.context() as patch:
        patch.setattr(pending, "place", place_while_another_voids)
        pending.apply_pending_results(pool_id=pool_id)
    assert pending.pools_with_pending_results() == [pool_id]
    apply_all()
    check_exact()
