"""Database rows to JSON without loss: Django's own serialisers cut times to milliseconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Field, Model

BATCH = 500
EXACT = (bool, int, str)


def columns(model: type[Model]) -> list["Field[Any, Any]"]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def column_value(field: "Field[Any, Any]", row: Model) -> Any:
    value = getattr(row, field.attname)
    if value is None or isinstance(value, (*EXACT, float)) or isinstance(field, models.JSONField):
        return value
    return field.value_to_string(row)


@contextmanager
def consistent_read() -> Iterator[None]:
    """Read from one consistent snapshot of the database, without blocking writers."""
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    # Not `atomic`: our SQLite transactions begin as writers, and a long one would block the site.
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
