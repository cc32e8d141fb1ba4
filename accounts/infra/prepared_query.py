"""Queries that run for every message to a page: Django makes their SQL once a connection, and PostgreSQL its plan.

Making the SQL of a query with joins costs more than running it. What is prepared here is the same query with another
value each time; rows become the same objects that the queryset would give.
"""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, NotSupportedError, connections
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState

from accounts.infra.db import prepared_cursor

M = TypeVar("M", bound=Model)


class PreparedQuery(Generic[M]):
    """A queryset with one value that changes: `PreparedQuery(lambda key: Seat.objects.filter(match__key=key))`.

    The SQL is made with the placeholder, which must be of the value's type and nowhere else in the query. `shared`
    names a relation that is the same in all rows of an answer: its object is made once.
    """

    def __init__(
        self, queryset: Callable[[Any], "QuerySet[M]"], placeholder: Any = "a value to replace", shared: str = ""
    ) -> None:
        self._queryset, self._placeholder, self._shared = queryset, placeholder, shared
        self._threads = threading.local()  # as connections are

    def fetch(self, value: Any) -> list[M]:
        compiled = getattr(self._threads, "compiled", None)
        if compiled is None or compiled.connection is not connections[DEFAULT_DB_ALIAS]:
            compiled = self._threads.compiled = _Compiled(self._queryset, self._placeholder, self._shared)
        found: list[M] = compiled.fetch(value)
        return found


class PreparedRows:
    """A `values_list` with values that change, by name: `PreparedRows(lambda due: ..., due=datetime(1970, 1, 1))`.

    The SQL is made with the placeholders given here. Each is of its value's type, and nowhere else in the query.
    """

    def __init__(self, queryset: Callable[..., "QuerySet[Any, Any]"], **placeholders: Any) -> None:
        self._queryset, self._placeholders = queryset, placeholders
        self._threads = threading.local()  # as connections are

    def fetch(self, **values: Any) -> list[list[Any]]:
        connection: Any = connections[DEFAULT_DB_ALIAS]
        if getattr(self._threads, "connection", None) is not connection:
            compiler = self._queryset(**self._placeholders).query.get_compiler(connection=connection)
            self._threads.sql, params = compiler.as_sql()
            names = {_adapted(connection, value): name for name, value in self._placeholders.items()}
            if missing := set(names).difference(params):
                raise ValueError(f"not in the query: {missing}")
            self._threads.params = [(names.get(param), param) for param in params]
            self._threads.converters = compiler.get_converters([column[0] for column in compiler.select])
            self._threads.compiler, self._threads.connection = compiler, connection
        params = [_adapted(connection, values[name]) if name else param for name, param in self._threads.params]
        rows = _rows(connection, self._threads.sql, params)
        return list(self._threads.compiler.apply_converters(rows, self._threads.converters))


def _rows(connection: Any, sql: str, params: list[Any]) -> list[tuple[Any, ...]]:
    """What the query answers. Where a migration has widened one of its columns meanwhile, it is prepared once more."""
    try:
        return _answer(connection, sql, params)
    except NotSupportedError:  # PostgreSQL: "cached plan must not change result type"
        if connection.in_atomic_block:
            raise  # its end forgets what was prepared
        with connection.cursor() as cursor:
            cursor.execute("DEALLOCATE ALL")
        return _answer(connection, sql, params)


def _answer(connection: Any, sql: str, params: list[Any]) -> list[tuple[Any, ...]]:
    with prepared_cursor(connection) as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def _adapted(connection: Any, value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


class _Compiled:
    """The SQL of a query for one connection, and how its rows become objects."""

    def __init__(self, queryset: Callable[[Any], "QuerySet[Any]"], placeholder: Any, shared: str) -> None:
        self.connection: Any = connections[DEFAULT_DB_ALIAS]
        compiler = queryset(placeholder).query.get_compiler(connection=self.connection)
        self._sql, params = compiler.as_sql()
        self._params = list(params)
        self._place = self._params.index(placeholder)
        info = compiler.klass_info
        self._made = _Columns(compiler, info)
        related = {each["field"].name: _Columns(compiler, each) for each in info.get("related_klass_infos", [])}
        self._shared = [(name, columns) for name, columns in related.items() if name == shared]
        self._related = [(name, columns) for name, columns in related.items() if name != shared]

    def fetch(self, value: Any) -> list[Any]:
        params = [*self._params]
        params[self._place] = value
        rows = _rows(self.connection, self._sql, params)
        if not rows:
            return []
        shared = {name: columns.read(rows[0]) for name, columns in self._shared}
        found = []
        for row in rows:
            made = self._made.read(row)
            made._state.fields_cache = shared | {name: columns.read(row) for name, columns in self._related}
            found.append(made)
        return found


class _Columns:
    """The columns of a row that make one object. Nothing but their values goes into it: no signals, no defaults."""

    def __init__(self, compiler: Any, info: dict[str, Any]) -> None:
        self._connection, self._model = compiler.connection, info["model"]
        self._first, self._last = info["select_fields"][0], info["select_fields"][-1] + 1
        expressions = [column[0] for column in compiler.select[self._first : self._last]]
        self._names = [expression.target.attname for expression in expressions]
        self._key = self._names.index(self._model._meta.pk.attname)
        self._converters = [
            (self._names[place], converter, expression)
            for place, (converters, expression) in compiler.get_converters(expressions).items()
            for converter in converters
        ]

    def read(self, row: tuple[Any, ...]) -> Any:
        """The object; None where a join has found none."""
        values = row[self._first : self._last]
        if values[self._key] is None:
            return None
        made = self._model.__new__(self._model)
        fields = made.__dict__
        fields.update(zip(self._names, values))
        for name, converter, expression in self._converters:
            fields[name] = converter(fields[name], expression, self._connection)
        state = made._state = ModelState()
        state.adding, state.db = False, self._connection.alias
        return made
