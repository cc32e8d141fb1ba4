"""Writing rows on the path of every move: plain statements, whose text is made once and not from expressions each time.

Making the SQL of an update costs Django more than running it. These do what `filter(...).update(...)` and `bulk_create`
do, for values of columns alone: no expressions, no joins, no signals.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import CharField, ForeignKey, IntegerField, Model


def update_where(model: type[Model], where: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """Set these columns in the rows in which those have these values; how many rows there were."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    statement = _update_statement(model, tuple(where), tuple(values), connection.vendor)
    given = [*values.items(), *where.items()]
    parameters = [_prepared(model, name, value, connection) for name, value in given]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


def insert_rows(model: type[Model], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows with the values of these fields, as many at once as the database takes parameters."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    together = (connection.features.max_query_params or sys.maxsize) // len(names)
    with connection.cursor() as cursor:
        for at in range(0, len(rows), together):
            some = rows[at : at + together]
            given = [pair for row in some for pair in zip(names, row, strict=True)]
            parameters = [_prepared(model, name, value, connection) for name, value in given]
            cursor.execute(_insert_statement(model, tuple(names), len(some), connection.vendor), parameters)


def _prepared(model: type[Model], name: str, value: Any, connection: Any) -> Any:
    """A value as the database takes it."""
    return value if _is_plain(model, name) else _field(model, name).get_db_prep_save(value, connection)


@cache
def _is_plain(model: type[Model], name: str) -> bool:
    """Whether every database takes values of this column as they are: texts, whole numbers and keys."""
    return isinstance(_field(model, name), (CharField, IntegerField, ForeignKey))


def _field(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name)


@cache
def _update_statement(model: type[Model], where: tuple[str, ...], values: tuple[str, ...], vendor: str) -> str:
    sets = ", ".join(f"{_column(model, name)} = %s" for name in values)
    conditions = " AND ".join(f"{_column(model, name)} = %s" for name in where)
    return f"UPDATE {_quoted(model._meta.db_table)} SET {sets} WHERE {conditions}"  # noqa: S608 - names of the model


@cache
def _insert_statement(model: type[Model], names: tuple[str, ...], rows: int, vendor: str) -> str:
    columns = ", ".join(_column(model, name) for name in names)
    row = f"({', '.join(['%s'] * len(names))})"
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({columns}) VALUES {', '.join([row] * rows)}"  # noqa: S608


def _column(model: type[Model], name: str) -> str:
    return _quoted(str(_field(model, name).column))


def _quoted(name: str) -> str:
    quoted: str = connections[DEFAULT_DB_ALIAS].ops.quote_name(name)
    return quoted
