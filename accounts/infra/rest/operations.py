"""API operations: input, output, scope, and the schema made from them."""

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

from accounts.infra.rest.pagination import DEFAULT_LIMIT, MAX_LIMIT, Pages
from accounts.infra.rest.problems import MEDIA_TYPE, PROBLEMS, Problem
from accounts.infra.rest.serializers import ProblemSerializer, page_of
from accounts.infra.scopes import Scope

Data = dict[str, Any]
SerializerClass = type[Serializer[Any]]
Handler = Callable[..., Any]

PAGING = (
    OpenApiParameter("cursor", str, description="Where the page begins: taken from `next` or `previous`."),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
        description="How many at once.",
    ),
)


@dataclass(frozen=True)
class Operation:
    """The description of a view method; the schema and the checks read it."""

    name: str
    takes: SerializerClass | None
    query: SerializerClass | None
    gives: SerializerClass | None
    pages: tuple[str, ...]
    status: int
    scope: Scope
    public: bool


def operation(
    name: str,
    *,
    gives: SerializerClass | None = None,
    takes: SerializerClass | None = None,
    query: SerializerClass | None = None,
    pages: str | tuple[str, ...] = (),
    scope: Scope = Scope.READ,
    status: int = 0,
    private: bool = False,
    tag: str = "",
    also: tuple[int, ...] = (),
) -> Callable[[Handler], Handler]:
    """Make a method of an `Api` view an operation.

    `takes` and `query` check the input, which is passed as the arguments `data` and `query`; `gives` serializes what
    the method returns. With `pages`, the ordering, the method returns a queryset. Reads are open to visitors, as the
    pages are, unless `private`; everything else needs a user, and a token with the scope.
    """

    def decorate(method: Handler) -> Handler:
        reads = method.__name__ == "get"
        spec = Operation(
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
            admit(request, spec)
            refuse_unknown_filters(request, spec)
            if spec.query:
                where["query"] = checked(spec.query, request.query_params.dict(), request)
            if spec.takes:
                where["data"] = checked(spec.takes, request.data, request, partial=request.method == "PATCH")
            try:
                result = method(view, request, **where)
            except PermissionDenied:
                # A visitor may be allowed after logging in.
                if not request.user.is_authenticated:
                    raise NotAuthenticated from None
                raise
            return answer(spec, result, request)

        handler.operation = spec  # type: ignore[attr-defined]
        return extend_schema(**described(spec, method, tag, also))(handler)

    return decorate


def admit(request: Request, spec: Operation) -> None:
    token: Any = request.auth
    # Only tokens have scopes; a session may do all that its user may.
    if token is not None and spec.scope not in token.scopes:
        raise Problem("missing-scope", _("This needs a token with the scope “%(scope)s”.") % {"scope": spec.scope})
    if not spec.public and not request.user.is_authenticated:
        raise NotAuthenticated


def refuse_unknown_filters(request: Request, spec: Operation) -> None:
    """Ignoring a misspelt filter would return the whole list."""
    taken = {*(spec.query().fields if spec.query else ()), *(("cursor", "limit") if spec.pages else ())}
    if taken and (unknown := sorted(set(request.query_params) - taken)):
        raise ValidationError({name: [_("There is no such filter.")] for name in unknown}, "unknown")


def checked(serializer_class: SerializerClass, given: Any, request: Request, partial: bool = False) -> Data:
    serializer = serializer_class(data=given, context={"request": request}, partial=partial)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def answer(spec: Operation, result: Any, request: Request) -> HttpResponseBase:
    if isinstance(result, HttpResponseBase):
        return result
    if spec.gives is None:
        return Response(status=spec.status)
    context = {"request": request}
    if not spec.pages:
        return Response(spec.gives(result, context=context).data, status=spec.status)
    pages = Pages(spec.pages)
    rows = spec.gives(pages.page_of(result, request), many=True, context=context).data
    return Response({"next": pages.get_next_link(), "previous": pages.get_previous_link(), "results": rows})


def described(spec: Operation, method: Handler, tag: str, also: tuple[int, ...]) -> dict[str, Any]:
    """The operation as arguments of drf-spectacular's `extend_schema`."""
    doc = cleandoc(method.__doc__ or spec.name)
    summary, _gap, rest = doc.partition("\n")
    gives = page_of(spec.gives) if spec.gives and spec.pages else spec.gives
    reads = method.__name__ == "get"
    # All possible errors, so that a client need not guess.
    wrong = {401, 403, 404, 406, 429, *also}
    if spec.takes or spec.query or spec.pages:
        wrong.add(400)
    if spec.query:
        wrong.add(422)
    if spec.takes:
        wrong |= {413, 415, 422}
    if not reads:
        wrong.add(409)
    problems = {(code, MEDIA_TYPE): OpenApiResponse(ProblemSerializer, _meaning(code)) for code in sorted(wrong)}
    done = OpenApiResponse(gives, "Done." if not reads else "As it stands.")
    unchanged = {304: OpenApiResponse(description="Not changed since the ETag that was sent.")} if reads else {}
    return {
        "operation_id": spec.name,
        "summary": summary.rstrip("."),
        "description": f"{rest.strip()}\n\nScope: `{spec.scope}`.".strip(),
        "tags": [tag] if tag else None,
        "request": spec.takes,
        "parameters": [*([spec.query] if spec.query else []), *(PAGING if spec.pages else ())],
        "responses": {spec.status: done, **unchanged, **problems},
    }


def _meaning(status: int) -> str:
    return "; ".join(title for number, title in PROBLEMS.values() if number == status) + "."
