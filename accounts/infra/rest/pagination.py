"""Cursor pagination: an opaque cursor keeps its place while rows are added and removed."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ValidationError as ModelValidationError
from django.db import DataError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from accounts.infra.input import whole_number
from accounts.infra.rest.problems import Problem

DEFAULT_LIMIT, MAX_LIMIT = 50, 200


class Pages(CursorPagination):
    page_size = DEFAULT_LIMIT
    max_page_size = MAX_LIMIT
    page_size_query_param = "limit"

    def __init__(self, ordering: tuple[str, ...]) -> None:
        self.ordering = ordering

    def get_page_size(self, request: Request) -> int:
        given = request.query_params.get("limit")
        if given is None:
            return DEFAULT_LIMIT
        limit = whole_number(given, minimum=1, maximum=MAX_LIMIT)
        if limit is None:
            raise ValidationError({"limit": [_("A whole number from 1 to %(most)s.") % {"most": MAX_LIMIT}]})
        return limit

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise _unknown() from None
        # A truncated cursor may decode to an empty one, and a client would start from the first page for ever.
        if cursor is not None and self._written(cursor) != request.query_params[self.cursor_query_param]:
            raise _unknown()
        return cursor

    def _written(self, cursor: Cursor) -> str:
        return dict(parse_qsl(urlsplit(self.encode_cursor(cursor)).query)).get(self.cursor_query_param, "")

    def page_of(self, rows: QuerySet[Any], request: Request) -> list[Any]:
        try:
            return self.paginate_queryset(rows, request) or []
        except (ValueError, TypeError, ModelValidationError, DataError) as error:
            # Only we read cursors, but anyone can make one up.
            raise _unknown() from error


def _unknown() -> Problem:
    return Problem("not-found", _("There is no such page of this list: take “cursor” from “next” or “previous”."))
