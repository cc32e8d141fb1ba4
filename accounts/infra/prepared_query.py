"""Queries that run for every message to a page: Django makes their SQL once a connection, not every time.

Making the SQL of a query with joins costs more than running it. What is prepared here is the same query with another
value each time; rows become the same objects that the queryset would give.
"""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

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


class _Compiled:
    """The SQL of a query for one connection, and how its rows become objects."""

    def __init__(self, queryset: Callable[[Any], "QuerySet[Any]"], placeholder: Any, shared: str) -> None:
        self.connection: Any = connections[DEFAULT_DB_ALIAS]
        self._compiler = queryset(placeholder).query.get_compiler(connection=self.connection)
        self._sql, params = self._compiler.as_sql()
        self._params = list(params)
        self._place = self._params.index(placeholder)
        select, info = self._compiler.select, self._compiler.klass_info
        self._model = info["model"]
        self._first, self._last = info["select_fields"][0], info["select_fields"][-1] + 1
        self._names = [column[0].target.attname for column in select[self._first : self._last]]
        related = get_related_populators(info, select, self.connection.alias)  # type: ignore[call-arg]
        self._shared, names = shared, [each["field"].name for each in info.get("related_klass_infos", [])]
        self._once = [populator for name, populator in zip(names, related, strict=True) if name == shared]
        self._related = [populator for populator in related if populator not in self._once]
        self._converters = self._compiler.get_converters([column[0] for column in select])

    def fetch(self, value: Any) -> list[Any]:
        params = [*self._params]
        params[self._place] = value
        with self.connection.cursor() as cursor:
            cursor.execute(self._sql, params)
            rows = cursor.fetchall()
        found: list[Any] = []
        for row in self._compiler.apply_converters(rows, self._converters) if self._converters else rows:
            made = self._model.from_db(self.connection.alias, self._names, row[self._first : self._last])
            for populator in self._related if found else [*self._once, *self._related]:
                populator.populate(row, made)
            if found and self._shared:
                setattr(made, self._shared, getattr(found[0], self._shared))
            found.append(made)
        return found
