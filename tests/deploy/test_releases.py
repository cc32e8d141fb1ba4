"""Releases: their migrations are frozen, and what they stored is read by every later version."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from accounts.models import AuditEntry
from deploy import preflight, release_files, releases
from deploy.backup.restore import restore
from deploy.harness import services
from tests.databases import standing_on

STORED = sorted(folder for folder in release_files.FOLDER.iterdir() if folder.is_dir())


def test_this_version_is_stored_or_newer_than_those_that_are() -> None:
    """A version without stored files is one that is being made."""
    names = [folder.name for folder in STORED]
    assert releases.FIRST in names
    assert release_files.current_version() >= max(names)


@pytest.mark.parametrize("release", STORED, ids=lambda folder: folder.name)
def test_released_migrations_never_change(release: Path) -> None:
    """Databases have them applied: a change is a new migration."""
    now = release_files.migration_hashes()
    changed = [name for name, digest in release_files.read_hashes(release).items() if now.get(name) != digest]
    assert not changed, f"released in {release.name}: restore these files, and add a new migration instead"


def test_no_migration_is_named_like_one_of_before_the_first_release() -> None:
    """Else a database of those days would pass for one of today."""
    today = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    assert not today & releases.BEFORE_FIRST


@pytest.fixture(params=STORED, ids=lambda folder: folder.name)
def release(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Path]:
    """At the moment the files were made: standings of running seasons and leaderboards depend on the time."""
    made_at = datetime.fromisoformat(read_contents(request.param)["made_at"])
    with time_machine.travel(made_at, tick=True):
        yield request.param
    cache.clear()


def read_contents(release: Path) -> dict[str, Any]:
    return dict(json.loads((release / release_files.CONTENTS).read_text()))


def check_contents(release: Path) -> None:
    """Everything that was there is there: row by row in number, and on every page and in every answer by its facts."""
    stored = read_contents(release)
    rows = release_files.row_counts()
    # Migrations and signals may add to these.
    growing = {"auth.Permission", "contenttypes.ContentType"}
    assert {label: rows.get(label) for label in stored["rows"] if label not in growing} == {
        label: count for label, count in stored["rows"].items() if label not in growing
    }
    assert len(stored["pages"]) > 20
    reader = release_files.Reader()
    for path, names in stored["pages"].items():
        assert set(names) <= set(reader.page_facts(path)), path
    assert any("/transcript/" in path for path in stored["api"])
    assert any("/standings/" in path for path in stored["api"])
    for path, facts in stored["api"].items():
        cache.clear()  # it counts requests
        gone = set(facts) - set(reader.api_facts(path))
        assert not gone, f"{path}: {sorted(gone)[:5]}"
    assert AuditEntry.objects.exists()
    assert preflight.check_tables() == []


def test_its_database_is_upgraded_to_now(release: Path, tmp_path: Path) -> None:
    file = tmp_path / "released.sqlite3"
    release_files.unpack_database(release, file)
    with standing_on(connections["default"].settings_dict | {"NAME": str(file)}):
        preflight.check_database()
        preflight.check_tables()
        call_command("migrate", interactive=False, verbosity=0)
        check_contents(release)


def test_its_backup_is_restored_on_postgresql(release: Path, postgres_database: dict[str, Any]) -> None:
    name = f"{postgres_database['NAME']}_restored"
    with psycopg.connect(services.postgres(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            with standing_on(postgres_database | {"NAME": name}):
                restore(release / release_files.BACKUP)
                check_contents(release)
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
