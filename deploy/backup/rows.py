"""Writes every table as lines of JSON, and reads them back."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.apps.registry import Apps
from django.db import connection
from django.db.models import Field, Model
from django.db.models.sql import InsertQuery

from accounts.infra.row_json import BATCH, column_value, columns

# Who is logged in is not part of a backup, nor are the devices that get alerts while they are.
LEFT_OUT = {"sessions.Session", "usersessions.UserSession", "accounts.PushDevice", "accounts.PushAlert"}


def tables(apps: Apps) -> list[type[Model]]:
    """Every table, those of many-to-many relations too, sorted by name."""
    managed = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    kept = [model for model in managed if not model._meta.proxy and model._meta.label not in LEFT_OUT]
    return sorted(kept, key=lambda model: model._meta.label_lower)


def pack(model: type[Model]) -> Iterator[bytes]:
    """One line for each row, read in batches: a table may be larger than the memory."""
    fields = columns(model)
    for row in model._base_manager.order_by("pk").iterator(chunk_size=BATCH):
        values = [column_value(field, row) for field in fields]
        yield json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def unpack(model: type[Model], names: list[str], lines: Iterable[bytes]) -> int:
    """Insert what `pack` wrote and return the number of rows. Raw, so that no field sets the current time."""
    named = {field.attname: field for field in columns(model)}
    if set(names) != set(named):
        raise ValueError(f"the columns of {model._meta.label} are not those of its migrations")
    fields = [named[name] for name in names]
    batch_size = connection.ops.bulk_batch_size(names, [None] * BATCH)
    batch: list[Model] = []
    count = 0
    for line in lines:
        values = [field.to_python(value) for field, value in zip(fields, json.loads(line), strict=True)]
        batch.append(model(**dict(zip(names, values, strict=True))))
        count += 1
        if len(batch) >= max(1, min(BATCH, batch_size)):
            _insert(model, fields, batch)
            batch = []
    _insert(model, fields, batch)
    return count


def _insert(model: type[Model], fields: list["Field[Any, Any]"], rows: list[Model]) -> None:
    if rows:
        query = InsertQuery(model)
        query.insert_values(fields, rows, raw=True)
        query.get_compiler(connection=connection).execute_sql()
