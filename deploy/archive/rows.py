"""Every table of the house as lines of JSON, and back."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.apps.registry import Apps
from django.db import connection
from django.db.models import Field, Model
from django.db.models.sql import InsertQuery

from accounts.rows import BATCH, columns, packed

# Whoever is logged in is no part of a club's history.
LEFT_OUT = {"sessions.Session"}


def tables(apps: Apps) -> list[type[Model]]:
    """Every table of ours, those between two many-sided tables included, in an order of their own."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    kept = [model for model in found if not model._meta.proxy and model._meta.label not in LEFT_OUT]
    return sorted(kept, key=lambda model: model._meta.label_lower)


def pack(model: type[Model]) -> Iterator[bytes]:
    """One line a row, read as they come: a table may be larger than the memory."""
    fields = columns(model)
    for row in model._base_manager.order_by("pk").iterator(chunk_size=BATCH):
        values = [packed(field, row) for field in fields]
        yield json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def unpack(model: type[Model], names: list[str], lines: Iterable[bytes]) -> int:
    """Insert what `pack` wrote; how many rows. Raw, so that no field stamps its own time over the old one."""
    named = {field.attname: field for field in columns(model)}
    if set(names) != set(named):
        raise ValueError(f"the columns of {model._meta.label} are not those of its migrations")
    fields = [named[name] for name in names]
    at_once = connection.ops.bulk_batch_size(names, [None] * BATCH)
    held: list[Model] = []
    count = 0
    for line in lines:
        values = [field.to_python(value) for field, value in zip(fields, json.loads(line), strict=True)]
        held.append(model(**dict(zip(names, values, strict=True))))
        count += 1
        if len(held) >= max(1, min(BATCH, at_once)):
            _insert(model, fields, held)
            held = []
    _insert(model, fields, held)
    return count


def _insert(model: type[Model], fields: list["Field[Any, Any]"], rows: list[Model]) -> None:
    if rows:
        query = InsertQuery(model)
        query.insert_values(fields, rows, raw=True)
        query.get_compiler(connection=connection).execute_sql()
