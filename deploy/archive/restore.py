"""Sets a house up again from its file: everything, or nothing."""

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

from deploy import preflight
from deploy.archive import rows, schema
from deploy.archive.backup import FORMAT, MANIFEST

# Made by every migration for itself: they do not make a database a used one.
OWN_RECORDS = {"contenttypes.ContentType", "auth.Permission"}
PIECE = 1024 * 1024


@dataclass(frozen=True)
class Restored:
    tables: int
    rows: int
    made_at: str


def restore(file: Path, *, replace: bool = False) -> Restored:
    """Refuses what it cannot restore whole before it touches anything; the rows come in one transaction."""
    preflight.check_database()
    try:
        with ZipFile(file) as archive:
            manifest = read_manifest(archive)
            check_sums(archive, manifest["tables"])
            names = [(str(app), str(name)) for app, name in manifest["migrations"]]
            prepare(names, replace=replace)
            state = schema.apps_at(names)
            fill(archive, manifest["tables"], state)
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror or error}") from None
    except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError) as error:
        raise CommandError(f"{file} is no backup of ours, or a damaged one ({error}); nothing was changed") from None
    if not schema.is_of_today(names):
        call_command("migrate", interactive=False, verbosity=0)
    counts = [int(table["rows"]) for table in manifest["tables"].values()]
    return Restored(tables=len(counts), rows=sum(counts), made_at=str(manifest["made_at"]))


# -- what is asked before anything is touched


def read_manifest(archive: ZipFile) -> dict[str, Any]:
    try:
        manifest = json.loads(archive.read(MANIFEST))
        known = manifest["format"] == FORMAT
        names = [(app, name) for app, name in manifest["migrations"]]
        for table in manifest["tables"].values():
            _ = manifest["made_at"], int(table["rows"]), list(table["columns"]), table["sha256"]
    except (KeyError, ValueError, TypeError, AttributeError):
        raise BadZipFile("it has no manifest that we can read") from None
    if not known or (newer := schema.unknown(names)):
        what = f"{'.'.join(newer[0])}" if known else f"format {manifest['format']}"
        raise CommandError(
            f"this backup was made by a newer Gauntlet ({what}): restore it with that version; nothing was changed"
        )
    return dict(manifest)


def check_sums(archive: ZipFile, tables: dict[str, Any]) -> None:
    for label, table in tables.items():
        digest = hashlib.sha256()
        try:
            with archive.open(f"{label}.jsonl") as file:
                while piece := file.read(PIECE):
                    digest.update(piece)
        except KeyError:
            raise BadZipFile(f"{label} is missing") from None
        if digest.hexdigest() != table["sha256"]:
            raise BadZipFile(f"{label} is not as it was written")


def prepare(names: list[schema.Name], *, replace: bool) -> None:
    """A database at the archive's own migrations, with nothing in it that would be lost unasked."""
    if preflight.is_new_database():
        schema.build(names)
        return
    if schema.applied() != names:
        raise CommandError(
            "this backup and this database stand at different migrations: restore it into a new database, where it "
            "is brought up to date; nothing was changed"
        )
    if not replace and (used := first_used()):
        raise CommandError(
            f"this database is in use ({used} has rows): restore into an empty one, or lose what is in it with "
            "--replace; nothing was changed"
        )


def first_used() -> str:
    from django.apps import apps

    found = (model for model in rows.tables(apps) if model._meta.label not in OWN_RECORDS)
    return next((model._meta.label for model in found if model._base_manager.exists()), "")


# -- all or nothing


def fill(archive: ZipFile, tables: dict[str, Any], state: Apps) -> None:
    try:
        with transaction.atomic():
            empty()
            models = {model._meta.label: model for model in rows.tables(state)}
            if set(models) != set(tables):
                raise ValueError(f"other tables than its migrations: {', '.join(sorted(set(models) ^ set(tables)))}")
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
    """Every table of ours, sessions too: whoever was logged in may be somebody else now."""
    tables = sorted(connection.introspection.django_table_names(only_existing=True, include_views=False))
    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), tables, reset_sequences=True):
            cursor.execute(statement)
