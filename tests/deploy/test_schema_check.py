"""The real tables are compared with the migrations: `serve`, `doctor`, `backup` and `restore` say what they find."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management.base import CommandError
from django.db import connection, connections

from deploy import doctor, preflight, schema_check
from deploy.backup.dump import backup
from deploy.backup.restore import restore
from deploy.bootstrap import ROOT
from deploy.harness import prepared_state, services
from deploy.harness.prepared_state import MANAGE, clean_environment
from tests.databases import standing_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def own_database(request: pytest.FixtureRequest, tmp_path: Path, postgres_database: dict[str, Any]) -> Iterator[str]:
    """A migrated database for this test alone, which changes its tables."""
    if request.param == "sqlite":
        shutil.copy(prepared_state.folder("off") / "gauntlet.sqlite3", tmp_path / "own.sqlite3")
        with standing_on(connections["default"].settings_dict | {"NAME": str(tmp_path / "own.sqlite3")}):
            yield request.param
        return
    name = f"drift_{os.getpid()}"
    prepared_state.create_database(name)
    try:
        with standing_on(postgres_database | {"NAME": name}):
            yield request.param
    finally:
        with psycopg.connect(services.postgres(), autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def differences() -> dict[str, bool]:
    return {one.says: one.is_harmless for one in schema_check.differences()}


def test_every_kind_of_difference_is_found(own_database: str, tmp_path: Path) -> None:
    assert differences() == {}
    assert doctor.schema() == "every migration is applied, and the tables are as they say"

    execute("CREATE TABLE leagues_past (id integer)", "CREATE TABLE of_another_program (id integer)")
    execute("ALTER TABLE deploy_pulse ADD COLUMN remark integer")
    assert differences() == {
        "the column deploy_pulse.remark is unknown": True,
        "the table leagues_past is unknown": True,
    }
    finding = doctor.check_part("schema", doctor.schema)
    assert (finding.verdict, "leagues_past is unknown" in finding.says) == (doctor.WARN, True)
    backup(tmp_path / "site.zip")  # what does no harm stops nothing

    on_table = " ON accounts_auditentry" if own_database == "postgresql" else ""
    execute(
        "ALTER TABLE deploy_pulse ADD COLUMN wanted integer NOT NULL DEFAULT 1",
        "DROP TABLE leagues_odds",
        "ALTER TABLE accounts_notice DROP COLUMN silent",
        "DROP INDEX delivery_due",
        f"DROP TRIGGER accounts_auditentry_append_only{on_table}",
    )
    wrong = {
        "the table leagues_odds is missing": False,
        "the column accounts_notice.silent is missing": False,
        "delivery_due of accounts_delivery is missing": False,
        "the trigger accounts_auditentry_append_only of accounts_auditentry is missing": False,
    }
    assert differences().items() >= wrong.items()
    assert differences()["the column deploy_pulse.wanted is unknown"], "it has a default, so rows can be written"
    finding = doctor.check_part("schema", doctor.schema)
    assert finding.verdict == doctor.FAIL
    assert "is missing" in finding.says
    assert "upgrading.md" in finding.advice
    with pytest.raises(CommandError, match=r"are not those of its migrations \(.* and 1 more\)"):
        preflight.check_tables()
    with pytest.raises(CommandError, match="are not those of its migrations"):
        backup(tmp_path / "more.zip")
    with pytest.raises(CommandError, match=r"are not those of its migrations .*nothing was changed"):
        restore(tmp_path / "site.zip", replace=True)


def test_a_column_that_nobody_fills_is_a_fault(own_database: str) -> None:
    execute("CREATE TABLE spare (id integer)")
    execute("DROP TABLE deploy_pulse", "CREATE TABLE deploy_pulse (name text, at text, wanted text NOT NULL)")
    assert differences()["the column deploy_pulse.wanted is unknown"] is False


def test_tables_without_their_migration_are_found(own_database: str) -> None:
    execute("DELETE FROM django_migrations WHERE app = 'deploy'")
    assert differences()["the table deploy_pulse is there, but its migration is not listed"] is False


def test_serve_refuses_and_changes_nothing(tmp_path: Path) -> None:
    """A database of long before the first release: the names of its migrations are those of today, its tables not."""
    shutil.copytree(prepared_state.folder("off"), tmp_path / "var")
    file = tmp_path / "var" / "gauntlet.sqlite3"
    with sqlite3.connect(file) as database:
        database.execute("ALTER TABLE accounts_user DROP COLUMN search")
        database.execute("DELETE FROM django_migrations WHERE app = 'account' AND name LIKE '0009%'")
        before = list(database.iterdump())
    done = subprocess.run(
        [*MANAGE, "serve", "--port", "0"],
        env=clean_environment() | {"GAUNTLET_VAR": str(tmp_path / "var")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1
    assert "(the column accounts_user.search is missing): it was made before release 0.1.0" in done.stderr
    assert "Traceback" not in done.stderr
    with sqlite3.connect(file) as database:
        assert list(database.iterdump()) == before
