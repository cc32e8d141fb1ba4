"""Errors as problem details (RFC 9457): one format for all errors, without internal details."""

import re
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from accounts.infra.errors import Refused
from accounts.infra.text import shorten

MEDIA_TYPE = "application/problem+json"
DOCUMENTED_AT = "/api/docs/#problem-"

# For each code its status, and a title that is always the same.
PROBLEMS: dict[str, tuple[int, str]] = {
    "malformed": (400, "The request cannot be read"),
    "invalid": (400, "Some values are not valid"),
    "unauthenticated": (401, "A valid token is needed"),
    "forbidden": (403, "Not allowed"),
    "missing-scope": (403, "The token has not the scope for this"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "Method not allowed"),
    "not-acceptable": (406, "Only JSON can be answered"),
    "refused": (409, "Not possible now"),
    "stale": (409, "The match is at another ply"),
    "too-large": (413, "The request is too large"),
    "unsupported-media-type": (415, "Only JSON is read"),
    "illegal-move": (422, "The rules do not allow this move"),
    "unprocessable": (422, "Some values are not possible"),
    "throttled": (429, "Too many requests"),
    "internal": (500, "Something went wrong here"),
}


# Errors that the schema rules out; all others are about what the values mean.
MISSHAPEN = frozenset(
    {
        "required", "null", "invalid", "invalid_choice", "unknown", "not_a_list", "not_a_dict", "empty",
        "min_value", "max_value", "min_length", "max_length", "max_string_length", "date", "datetime",
    }
)  # fmt: skip


class Problem(exceptions.APIException):
    """An error by its code; `more` are further members of the response."""

    def __init__(self, code: str, detail: str = "", **more: Any) -> None:
        self.status_code, title = PROBLEMS[code]
        super().__init__(detail or title, code)
        self.code, self.more = code, more


def body(code: str, detail: str, **more: Any) -> dict[str, Any]:
    number, title = PROBLEMS[code]
    return {"type": DOCUMENTED_AT + code, "title": title, "status": number, "detail": detail, "code": code, **more}


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: the response to an error of a view; None for a bug of ours."""
    problem = problem_of(error)
    if problem is None:
        return None
    headers = {}
    if auth := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = auth
    if "retry_after" in problem.more:
        headers["Retry-After"] = str(problem.more["retry_after"])
    answer = body(problem.code, str(problem.detail), **problem.more)
    return Response(answer, status=problem.status_code, headers=headers, content_type=MEDIA_TYPE)


def problem_of(error: Exception) -> Problem | None:
    match error:
        case Problem():
            return error
        case Refused():
            return Problem("refused", error.message)
        case Http404() | exceptions.NotFound():
            return Problem("not-found", _("There is nothing here for you."))
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return Problem("unauthenticated", str(error.detail))
        case PermissionDenied() | exceptions.PermissionDenied():
            return Problem("forbidden", str(error) or _("You are not allowed to do this."))
        case ValidationError():
            return Problem("unprocessable", _("Some values are not valid."), errors=_of_model(error))
        case exceptions.ValidationError():
            code = "invalid" if _codes(error.get_codes()) & MISSHAPEN else "unprocessable"
            return Problem(code, _("Some values are not valid."), errors=_flat(error.detail))
        case BadRequest():
            return Problem("unprocessable", _("Some values are not valid."), errors={"": [str(error)]})
        case exceptions.Throttled():
            wait = int(getattr(error, "wait", None) or 1)
            return Problem("throttled", _("Try again in %(wait)s seconds.") % {"wait": wait}, retry_after=wait)
        case exceptions.APIException():
            return Problem(_CODES.get(error.status_code, "malformed"), str(error.detail))
        case _:
            return None


_CODES = {405: "method-not-allowed", 406: "not-acceptable", 415: "unsupported-media-type"}


def _codes(codes: Any) -> set[str]:
    if isinstance(codes, dict | list):
        return set().union(*(_codes(inner) for inner in (codes.values() if isinstance(codes, dict) else codes)))
    return {str(codes)}


def _of_model(error: ValidationError) -> dict[str, list[str]]:
    if hasattr(error, "error_dict"):
        return {_field(name): [_cut(text) for text in texts] for name, texts in error.message_dict.items()}
    return {"": [_cut(text) for text in error.messages]}


def _flat(detail: Any, path: str = "") -> dict[str, list[str]]:
    """DRF nests errors like the data; a flat `seats.0.rank` is easier to read and to describe."""
    if isinstance(detail, dict):
        errors: dict[str, list[str]] = {}
        for name, inner in detail.items():
            errors |= _flat(inner, f"{path}.{_field(str(name))}".strip("."))
        return errors
    if isinstance(detail, list) and any(isinstance(one, dict | list) for one in detail):
        return {k: v for place, inner in enumerate(detail) if inner for k, v in _flat(inner, f"{path}.{place}").items()}
    return {path: [_cut(text) for text in (detail if isinstance(detail, list) else [detail])]}


def _field(name: str) -> str:
    return "" if name in ("__all__", "non_field_errors") else shorten(name)


def _cut(message: object) -> str:
    """A message of the framework with what it quotes of the sender's own cut."""
    return re.sub(r'"([^"]*)"', lambda found: f'"{shorten(found[1])}"', str(message))


def plain(code: str, detail: str = "") -> HttpResponse:
    """A problem response outside of a view, or after a crash: it does not use the database."""
    number, title = PROBLEMS[code]
    return JsonResponse(body(code, detail or title), status=number, content_type=MEDIA_TYPE)
