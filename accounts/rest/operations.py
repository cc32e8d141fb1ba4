"""An operation: what it takes and gives, which scope it asks for, and so how it is described."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import cleandoc
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from accounts.models import ApiToken, Scope
from accounts.rest.paging import MOST, USUAL, Pages
from accounts.rest.problems import MEDIA_TYPE, PROBLEMS, Problem
from accounts.rest.shapes import ProblemShape, page_of

Data = dict[str, Any]
Shape = type[Serializer]
Handler = Callable[..., Any]

PAGING = (
    OpenApiParameter("cursor", str, description="Where the page begins: taken from `next` or `previous`."),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
        description="How many at once.",
    ),
)


@dataclass(frozen=True)
class Operation:
    """What is known about a method of a view; the schema and the guards read it."""

    name: str
    takes: Shape | None
    query: Shape | None
    gives: Shape | None
    pages: tuple[str, ...]
    status: int
    scope: Scope
    public: bool


def operation(
    name: str,
    *,
    gives: Shape | None = None,
    takes: Shape | None = None,
    query: Shape | None = None,
    pages: str | tuple[str, ...] = (),
    scope: Scope = Scope.READ,
    status: int = 0,
    private: bool = False,
    tag: str = "",
    also: tuple[int, ...] = (),
) -> Callable[[Handler], Handler]:
    """Make a method of an `Api` view an operation.

    What comes in is checked by `takes` and `query` and handed on as the arguments of these names; what the method
    returns is written by `gives`. With `pages`, the order, the method returns a queryset. Reads are open to visitors,
    as the pages are, unless `private`; everything else needs a person, and a token of the scope.
    """

    def decorate(method: Handler) -> Handler:
        reads = method.__name__ == "get"
        known = Operation(
            name=name,
            takes=takes,
            query=query,
            gives=gives,
            pages=(pages,) if isinstance(pages, str) else pages,
            status=status or (200 if gives else 204),
            scope=scope,
            public=reads and not private,
        )

        @wraps(method)
        def handler(view: Any, request: Request, **where: Any) -> HttpResponseBase:
            admit(request, known)
            refuse_unknown_filters(request, known)
            if known.query:
                where["query"] = checked(known.query, request.query_params.dict(), request)
            if known.takes:
                where["data"] = checked(known.takes, request.data, request, partial=request.method == "PATCH")
            try:
                found = method(view, request, **where)
            except PermissionDenied:
                # A visitor might be somebody who may.
                if not request.user.is_authenticated:
                    raise NotAuthenticated from None
                raise
            return answer(known, found, request)

        handler.operation = known  # type: ignore[attr-defined]
        return extend_schema(**described(known, method, tag, also))(handler)

    return decorate


def admit(request: Request, known: Operation) -> None:
    if isinstance(request.auth, ApiToken) and known.scope not in request.auth.scopes:
        raise Problem("missing-scope", _("This needs a token with the scope “%(scope)s”.") % {"scope": known.scope})
    if not known.public and not request.user.is_authenticated:
        raise NotAuthenticated


def refuse_unknown_filters(request: Request, known: Operation) -> None:
    """A misspelt filter that is passed over answers with the whole list."""
    taken = {*(known.query().fields if known.query else ()), *(("cursor", "limit") if known.pages else ())}
    if taken and (unknown := sorted(set(request.query_params) - taken)):
        raise ValidationError({name: [_("There is no such filter.")] for name in unknown}, "unknown")


def checked(shape: Shape, given: Any, request: Request, partial: bool = False) -> Data:
    serializer = shape(data=given, context={"request": request}, partial=partial)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def answer(known: Operation, found: Any, request: Request) -> HttpResponseBase:
    if isinstance(found, HttpResponseBase):
        return found
    if known.gives is None:
        return Response(status=known.status)
    context = {"request": request}
    if not known.pages:
        return Response(known.gives(found, context=context).data, status=known.status)
    pages = Pages(known.pages)
    rows = known.gives(pages.page_of(found, request), many=True, context=context).data
    return Response({"next": pages.get_next_link(), "previous": pages.get_previous_link(), "results": rows})


def described(known: Operation, method: Handler, tag: str, also: tuple[int, ...]) -> dict[str, Any]:
    """The same facts in drf-spectacular's words."""
    words = cleandoc(method.__doc__ or known.name)
    summary, _gap, rest = words.partition("\n")
    gives = page_of(known.gives) if known.gives and known.pages else known.gives
    reads = method.__name__ == "get"
    # A list of all that can go wrong, so that a client need not guess. 404: most addresses name something.
    wrong = {401, 403, 404, 406, 429, *also}
    if known.takes or known.query or known.pages:
        wrong.add(400)
    if known.query:
        wrong.add(422)
    if known.takes:
        wrong |= {413, 415, 422}
    if not reads:
        wrong.add(409)
    problems = {(code, MEDIA_TYPE): OpenApiResponse(ProblemShape, _meaning(code)) for code in sorted(wrong)}
    done = OpenApiResponse(gives, "Done." if not reads else "As it stands.")
    unchanged = {304: OpenApiResponse(description="Not changed since the ETag that was sent.")} if reads else {}
    return {
        "operation_id": known.name,
        "summary": summary.rstrip("."),
        "description": f"{rest.strip()}\n\nScope: `{known.scope}`.".strip(),
        "tags": [tag] if tag else None,
        "request": known.takes,
        "parameters": [*([known.query] if known.query else []), *(PAGING if known.pages else ())],
        "responses": {known.status: done, **unchanged, **problems},
    }


def _meaning(status: int) -> str:
    return "; ".join(title for number, title in PROBLEMS.values() if number == status) + "."
