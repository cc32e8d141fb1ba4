"""Restores the whole site from a backup: everything, or nothing."""

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.apps.registry import Apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.color import no_style
from django.db import Error, connection, transaction

from deploy import preflight, releases
from deploy.backup import migration_state, rows
from deploy.backup.dump import FORMAT, MANIFEST

# Every migration creates these rows: with only them, a database still counts as unused.
OWN_RECORDS = {"contenttypes.ContentType", "auth.Permission"}
CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Restored:
    tables: int
    rows: int
    made_at: str


def restore(file: Path, *, replace: bool = False) -> Restored:
    """Check the whole backup before anything is changed, then restore all rows in one transaction."""
    preflight.check_database()
    preflight.check_tables()
    try:
        with ZipFile(file) as archive:
            manifest = read_manifest(archive)
            check_sums(archive, manifest["tables"])
            names = [(str(app), str(name)) for app, name in manifest["migrations"]]
            prepare(names, replace=replace)
            state = migration_state.apps_at(names)
            fill(archive, manifest["tables"], state)
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror or error}") from None
    except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError) as error:
        raise CommandError(
            f"{file} is not a backup of Gauntlet, or it is damaged ({error}); nothing was changed"
        ) from None
    if not migration_state.is_current(names):
        call_command("migrate", interactive=False, verbosity=0)
    preflight.check_tables()
    counts = [int(table["rows"]) for table in manifest["tables"].values()]
    return Restored(tables=len(counts), rows=sum(counts), made_at=str(manifest["made_at"]))


# -- checks before anything is changed


def read_manifest(archive: ZipFile) -> dict[str, Any]:
    try:
        manifest = json.loads(archive.read(MANIFEST))
        known = manifest["format"] == FORMAT
        names = [(app, name) for app, name in manifest["migrations"]]
        for table in manifest["tables"].values():
            _ = manifest["made_at"], int(table["rows"]), list(table["columns"]), table["sha256"]
    except (KeyError, ValueError, TypeError, AttributeError):
        raise BadZipFile("it has no readable manifest") from None
    unknown = [".".join(name) for name in migration_state.unknown(names)] if known else [f"format {manifest['format']}"]
    if unknown:
        raise CommandError(releases.refusal("backup", unknown))
    return dict(manifest)


def check_sums(archive: ZipFile, tables: dict[str, Any]) -> None:
    for label, table in tables.items():
        digest = hashlib.sha256()
        try:
            with archive.open(f"{label}.jsonl") as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
        except KeyError:
            raise BadZipFile(f"{label} is missing") from None
        if digest.hexdigest() != table["sha256"]:
            raise BadZipFile(f"{label} was changed after the backup")


def prepare(names: list[migration_state.Name], *, replace: bool) -> None:
    """Bring the database to the migrations of the backup. Refuse if rows would be lost without --replace."""
    if preflight.is_new_database():
        migration_state.build(names)
        return
    if migration_state.applied() != names:
        raise CommandError(
            "this backup and this database have different migrations: restore it into a new database, where it "
            "is migrated; nothing was changed"
        )
    if not replace and (used := first_used()):
        raise CommandError(
            f"this database is in use ({used} has rows): restore into an empty one, or delete its rows with "
            "--replace; nothing was changed"
        )


def first_used() -> str:
    from django.apps import apps

    models = (model for model in rows.tables(apps) if model._meta.label not in OWN_RECORDS)
    return next((model._meta.label for model in models if model._base_manager.exists()), "")


# -- all or nothing


def fill(archive: ZipFile, tables: dict[str, Any], state: Apps) -> None:
    try:
        with transaction.atomic():
            empty()
            models = {model._meta.label: model for model in rows.tables(state)}
            # A backup of an earlier version may hold tables that are left out now.
            if unlike := set(models) ^ (set(tables) - rows.LEFT_OUT):
                raise ValueError(f"other tables than its migrations: {', '.join(sorted(unlike))}")
            for label, model in models.items():
                with archive.open(f"{label}.jsonl") as lines:
                    count = rows.unpack(model, tables[label]["columns"], lines)
                if count != tables[label]["rows"]:
                    raise ValueError(f"{label} has {count} rows instead of {tables[label]['rows']}")
            connection.check_constraints()
            with connection.cursor() as cursor:
                for statement in connection.ops.sequence_reset_sql(no_style(), list(models.values())):
                    cursor.execute(statement)
    except (ValueError, TypeError, Error) as error:
        reason = str(error).strip().splitlines()[0]
        raise CommandError(f"the backup does not fit: {reason}; nothing was changed") from None


def empty() -> None:
    """Empty every table, sessions too: after a restore a user id may belong to another person."""
    tables = sorted(connection.introspection.django_table_names(only_existing=True, include_views=False))
    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), tables, reset_sequences=True):
            cursor.execute(statement)
