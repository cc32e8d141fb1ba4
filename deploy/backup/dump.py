"""Writes the whole site to one file, while it is running."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.apps import apps
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import Model

from accounts.infra.row_json import columns, consistent_read
from deploy import preflight
from deploy.backup import migration_state, rows

FORMAT = 1
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class BackupSummary:
    tables: int
    rows: int
    size: int


def backup(file: Path) -> BackupSummary:
    """Write everything as it was at one moment, to a file that only its owner can read. On failure there is no file."""
    preflight.check_schema()
    preflight.check_tables()
    if file.exists():
        raise CommandError(f"{file} already exists: choose another name; nothing was changed")
    draft = file.with_name(f"{file.name}.part")
    try:
        with private(draft) as raw:
            with ZipFile(raw, "w", ZIP_DEFLATED) as archive, consistent_read():
                manifest = write(archive)
            raw.flush()
            os.fsync(raw.fileno())
        os.link(draft, file)  # does not replace a file that was created meanwhile
    except OSError as error:
        raise CommandError(f"cannot write {file}: {error.strerror or error}; nothing was changed") from None
    finally:
        draft.unlink(missing_ok=True)
    counts = [int(table["rows"]) for table in manifest["tables"].values()]
    return BackupSummary(tables=len(counts), rows=sum(counts), size=file.stat().st_size)


@contextmanager
def private(file: Path) -> Iterator[IO[bytes]]:
    with open(os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as raw:
        os.fchmod(raw.fileno(), 0o600)
        yield raw


def write(archive: ZipFile) -> dict[str, Any]:
    manifest = {
        "format": FORMAT,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "database": connection.vendor,
        "migrations": migration_state.applied(),
        "tables": {model._meta.label: add(archive, model) for model in rows.tables(apps)},
    }
    archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return manifest


def add(archive: ZipFile, model: type[Model]) -> dict[str, Any]:
    count, digest = 0, hashlib.sha256()
    with archive.open(f"{model._meta.label}.jsonl", "w", force_zip64=True) as file:
        for line in rows.pack(model):
            file.write(line)
            digest.update(line)
            count += 1
    return {"columns": [field.attname for field in columns(model)], "rows": count, "sha256": digest.hexdigest()}
