"""Writing rows on the path of every move: plain statements, whose text is made once and not from expressions each time.

Making the SQL of an update costs Django more than running it. These do what `filter(...).update(...)` and `bulk_create`
do, for values of columns alone: no expressions, no joins, no signals.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import CharField, ForeignKey, IntegerField, Model

from accounts.infra.db import prepared_cursor


def update_where(model: type[Model], where: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """Set these columns in the rows in which those have these values; how many rows there were."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    statement = _update_statement(model, _columns(where), tuple(values), connection.vendor)
    with prepared_cursor(connection) as cursor:
        cursor.execute(statement, _given(model, [*values.items(), *_compared(where)], connection))
        return int(cursor.rowcount)


def update_and_insert(
    model: type[Model],
    where: Mapping[str, Any],
    values: Mapping[str, Any],
    other: type[Model],
    names: Sequence[str],
    rows: Sequence[Sequence[Any]],
) -> bool:
    """Update the row in which those columns have these values, and insert rows of another model, one at least; False,
    with nothing written, if there is no such row.

    It needs no transaction around it. PostgreSQL takes it as one statement: one way there and back in place of four.
    The rows travel as one value, so that the statement is the same for any number of them.
    """
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        with transaction.atomic(savepoint=False):
            found = bool(update_where(model, where, values))
            if found:
                insert_rows(other, names, rows)
            return found
    statement = _update_and_insert_statement(model, _columns(where), tuple(values), other, tuple(names))
    given = _given(model, [*values.items(), *_compared(where)], connection)
    with prepared_cursor(connection) as cursor:
        cursor.execute(statement, [*given, json.dumps(rows, default=str)])
        return bool(cursor.rowcount)


def insert_rows(model: type[Model], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows with the values of these fields, as many at once as the database takes parameters."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    together = (connection.features.max_query_params or sys.maxsize) // len(names)
    with prepared_cursor(connection) as cursor:
        for at in range(0, len(rows), together):
            some = rows[at : at + together]
            statement = _insert_statement(model, tuple(names), len(some), connection.vendor)
            cursor.execute(statement, _given(model, _cells(names, some), connection))


def _cells(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[tuple[str, Any]]:
    return [cell for row in rows for cell in zip(names, row, strict=True)]


def _given(model: type[Model], cells: Sequence[tuple[str, Any]], connection: Any) -> list[Any]:
    """Values of columns as the database takes them."""
    return [
        value if _is_plain(model, name) else _field(model, name).get_db_prep_save(value, connection)
        for name, value in cells
    ]


@cache
def _is_plain(model: type[Model], name: str) -> bool:
    """Whether every database takes values of this column as they are: texts, whole numbers and keys."""
    return isinstance(_field(model, name), (CharField, IntegerField, ForeignKey))


def _field(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name)


def _columns(where: Mapping[str, Any]) -> tuple[tuple[str, bool], ...]:
    """Columns that are compared, and whether with nothing: SQL has another sign for that."""
    return tuple((name, value is None) for name, value in where.items())


def _compared(where: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in where.items() if value is not None]


@cache
def _update_statement(
    model: type[Model], where: tuple[tuple[str, bool], ...], values: tuple[str, ...], vendor: str
) -> str:
    sets = ", ".join(f"{_column(model, name)} = %s" for name in values)
    conditions = " AND ".join(f"{_column(model, name)} {'IS NULL' if empty else '= %s'}" for name, empty in where)
    return f"UPDATE {_quoted(model._meta.db_table)} SET {sets} WHERE {conditions}"  # noqa: S608 - names of the model


@cache
def _insert_statement(model: type[Model], names: tuple[str, ...], rows: int, vendor: str) -> str:
    columns = ", ".join(_column(model, name) for name in names)
    row = f"({', '.join(['%s'] * len(names))})"
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({columns}) VALUES {', '.join([row] * rows)}"  # noqa: S608


@cache
def _update_and_insert_statement(
    model: type[Model],
    where: tuple[tuple[str, bool], ...],
    values: tuple[str, ...],
    other: type[Model],
    names: tuple[str, ...],
) -> str:
    """For PostgreSQL. The rows are one JSON array of arrays."""
    connection = connections[DEFAULT_DB_ALIAS]
    update = _update_statement(model, where, values, connection.vendor)
    # Without the longest length of a text: a cast to it would cut the text, where the column refuses it.
    types = [str(_field(other, name).rel_db_type(connection)).partition("(")[0] for name in names]
    cells = ", ".join(f"(given ->> {place})::{type_}" for place, type_ in enumerate(types))
    into = f"INSERT INTO {_quoted(other._meta.db_table)} ({', '.join(_column(other, name) for name in names)})"
    rows = "jsonb_array_elements(%s::jsonb) AS given"
    return f"WITH found AS ({update} RETURNING 1) {into} SELECT {cells} FROM found, {rows}"  # noqa: S608


def _column(model: type[Model], name: str) -> str:
    return _quoted(str(_field(model, name).column))


def _quoted(name: str) -> str:
    quoted: str = connections[DEFAULT_DB_ALIAS].ops.quote_name(name)
    return quoted
