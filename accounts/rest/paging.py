"""Lists come in pages: an opaque cursor holds its place while rows come and go."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ValidationError as ModelValidationError
from django.db import DataError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from accounts.rest.problems import Problem

USUAL, MOST = 50, 200


class Pages(CursorPagination):
    page_size = USUAL
    max_page_size = MOST
    page_size_query_param = "limit"

    def __init__(self, ordering: tuple[str, ...]) -> None:
        self.ordering = ordering

    def get_page_size(self, request: Request) -> int:
        given = request.query_params.get("limit")
        if given is None:
            return USUAL
        if not (given.isascii() and given.isdigit() and len(given) < 6 and 1 <= int(given) <= MOST):
            raise ValidationError({"limit": [_("A whole number from 1 to %(most)s.") % {"most": MOST}]})
        return int(given)

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise _unknown() from None
        # Half a cursor can be read as none at all, and whoever follows it would begin again without end.
        if cursor is not None and self._written(cursor) != request.query_params[self.cursor_query_param]:
            raise _unknown()
        return cursor

    def _written(self, cursor: Cursor) -> str:
        return dict(parse_qsl(urlsplit(self.encode_cursor(cursor)).query)).get(self.cursor_query_param, "")

    def page_of(self, rows: QuerySet[Any], request: Request) -> list[Any]:
        try:
            return self.paginate_queryset(rows, request) or []
        except (ValueError, TypeError, ModelValidationError, DataError) as error:
            # A cursor is read by us alone, but anybody can write one.
            raise _unknown() from error


def _unknown() -> Problem:
    return Problem("not-found", _("There is no such page of this list: take “cursor” from “next” or “previous”."))
