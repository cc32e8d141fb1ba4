"""Entries of a log for the API: in words, a page at a time."""

from copy import copy
from typing import Any, Self

from django.db.models import QuerySet

from accounts import audit
from accounts.models import AuditEntry


class LogLines:
    """What a page is cut from; the people that all its entries mean are read with one query."""

    def __init__(self, rows: QuerySet[AuditEntry]) -> None:
        self.rows = rows.select_related("actor", "person")

    def order_by(self, *order: str) -> Self:
        return self._of(self.rows.order_by(*order))

    def filter(self, **where: Any) -> Self:
        return self._of(self.rows.filter(**where))

    def __getitem__(self, part: slice) -> list[Any]:
        entries: list[Any] = list(self.rows[part])
        for entry, line in zip(entries, audit.render_entries(entries)):
            entry.words = line.words
        return entries

    def _of(self, rows: QuerySet[AuditEntry]) -> Self:
        lines = copy(self)
        lines.rows = rows
        return lines
