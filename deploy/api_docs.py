"""The documentation pages of the API, made from its OpenAPI description. No scripts, nothing from other sites."""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.infra.rest.problems import PROBLEMS
from accounts.models import Scope
from deploy import openapi

SHAPES = "#/components/schemas/"

TAGS: dict[str, str | Promise] = {
    "me": _("Myself: settings, notices, this token"),
    "people": _("People"),
    "clubs": _("Clubs, members and invites"),
    "games": _("Games and their texts"),
    "tables": _("Tables: open, sit down, start"),
    "matches": _("Matches: watch, play, read the record"),
    "puzzles": _("Puzzles"),
    "talk": _("Talk"),
    "company": _("Company: follow, challenge, write, find a table"),
    "leagues": _("Leagues and formats"),
    "seasons": _("Seasons, divisions, stages"),
    "entrants": _("Entrants"),
    "rounds": _("Rounds"),
    "pairings": _("Tables of a round"),
    "results": _("Results"),
    "standings": _("Standings"),
    "meetings": _("Ladders and arenas"),
    "ratings": _("Ratings and leaderboards"),
    "calendar": _("Calendar"),
    "bots": _("Bots of your own"),
    "bot": _("Bot"),
    "webhooks": _("Webhooks"),
}


@dataclass(frozen=True)
class FieldDoc:
    """One field or parameter. `shape` is the name of the schema that it holds."""

    name: str
    kind: str
    shape: str
    required: bool
    words: str


@dataclass(frozen=True)
class OperationDoc:
    """One operation as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    words: str
    scope: str
    public: bool
    parameters: list[FieldDoc]
    body: list[FieldDoc]
    answer: str
    codes: list[str]
    example: str


@dataclass
class Chapter:
    tag: str
    title: str | Promise
    operations: list[OperationDoc] = field(default_factory=list)
    shapes: list[tuple[str, str, list[FieldDoc]]] = field(default_factory=list)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    problems = [{"code": code, "status": status, "title": title} for code, (status, title) in PROBLEMS.items()]
    context = {"chapters": chapters().values(), "problems": problems, "scopes": Scope, "host": _host(request)}
    return render(request, "api/index.html", context)


@require_safe
def chapter(request: HttpRequest, tag: str) -> HttpResponse:
    one = chapters().get(tag)
    if one is None:
        raise Http404
    return render(request, "api/chapter.html", {"chapter": one, "host": _host(request)})


def _host(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


@cache
def chapters() -> dict[str, Chapter]:
    by_tag: dict[str, Chapter] = {tag: Chapter(tag, title) for tag, title in TAGS.items()}
    for path, methods in openapi.document()["paths"].items():
        for method, known in methods.items():
            tag = known["tags"][0]
            by_tag.setdefault(tag, Chapter(tag, tag)).operations.append(_operation(method.upper(), path, known))
    for one in by_tag.values():
        one.shapes = _shapes_of(one)
    return {tag: one for tag, one in by_tag.items() if one.operations}


def _operation(method: str, path: str, known: dict[str, Any]) -> OperationDoc:
    security = known.get("security", [])
    scope = next((scopes[0] for each in security for name, scopes in each.items() if name == "token" and scopes), "")
    request_schema = known.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    responses = [known["responses"][code] for code in known["responses"] if code.startswith("2")]
    response_schema = responses[0].get("content", {}).get("application/json", {}).get("schema", {}) if responses else {}
    return OperationDoc(
        name=known["operationId"],
        method=method,
        path=path,
        summary=known.get("summary", ""),
        words=known.get("description", "").partition("Scope:")[0].strip(),
        scope=scope,
        public={} in security,
        parameters=[_parameter(each) for each in known.get("parameters", [])],
        body=_fields(request_schema),
        answer=_name(response_schema),
        codes=sorted(known["responses"]),
        example=_curl(method, path, request_schema),
    )


def _parameter(known: dict[str, Any]) -> FieldDoc:
    schema = known["schema"]
    words = f"{known.get('description', '')} {_choices(schema)}".strip()
    return FieldDoc(known["name"], _kind(schema), "", known.get("required", False), words)


def _fields(schema: dict[str, Any]) -> list[FieldDoc]:
    known = _resolved(schema)
    needed = known.get("required", [])
    return [
        FieldDoc(
            name,
            _kind(part),
            _inner(part),
            name in needed,
            f"{part.get('description', '')} {_choices(part)}".strip(),
        )
        for name, part in known.get("properties", {}).items()
    ]


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = _name(schema)
    return dict(openapi.document()["components"]["schemas"][name]) if name else schema


def _name(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).removeprefix(SHAPES)


def _inner(schema: dict[str, Any]) -> str:
    """The schema that a field holds: alone, in a list, or optional."""
    parts = [schema, schema.get("items", {}), *schema.get("oneOf", []), *schema.get("allOf", [])]
    return next((name for part in parts if isinstance(part, dict) and (name := _name(part))), "")


def _kind(schema: dict[str, Any]) -> str:
    types = schema.get("type", "")
    kind = " | ".join(types) if isinstance(types, list) else str(types)
    if kind == "array":
        inner = schema.get("items", {})
        return f"[{_name(inner) or _kind(inner)}]"
    return kind or _inner(schema) or "any"


def _choices(schema: dict[str, Any]) -> str:
    choices = ", ".join(f"`{choice}`" for choice in schema.get("enum", []) if choice != "")
    minimum, maximum = schema.get("minimum"), schema.get("maximum")
    if not choices and minimum is not None and maximum is not None and maximum < 2**31:
        choices = f"{minimum} – {maximum}"
    return choices


def _shapes_of(one: Chapter) -> list[tuple[str, str, list[FieldDoc]]]:
    """All schemas of the requests and responses of a chapter, and the schemas inside them."""
    waiting = [each.answer for each in one.operations] + [line.shape for each in one.operations for line in each.body]
    shapes: dict[str, tuple[str, str, list[FieldDoc]]] = {}
    while waiting:
        name = waiting.pop(0)
        if name and name not in shapes:
            known = openapi.document()["components"]["schemas"][name]
            fields = _fields({"$ref": SHAPES + name})
            shapes[name] = (name, known.get("description", ""), fields)
            waiting += [each.shape for each in fields]
    return sorted(shapes.values())


def _curl(method: str, path: str, schema: dict[str, Any]) -> str:
    """An example command with the required fields filled in. `HOST` is replaced by the address of the site."""
    where = path.replace("{", "$").replace("}", "").upper() if "{" in path else path
    where = "/".join(part if "$" in part else part.lower() for part in where.split("/"))
    words = ["curl", '-H "Authorization: Bearer $TOKEN"']
    if method != "GET":
        words.append(f"-X {method}")
    if schema:
        words.append("-H 'Content-Type: application/json'")
        words.append(f"-d '{json.dumps(_example(schema), ensure_ascii=False)}'")
    return " ".join([*words, f'"HOST{where}"'])


def _example(schema: dict[str, Any]) -> Any:
    """The smallest value that fits the schema."""
    known = _resolved(schema)
    if "example" in known:
        return known["example"]
    if "enum" in known:
        return next((choice for choice in known["enum"] if choice), known["enum"][0])
    if "default" in known:
        return known["default"]
    kinds = known.get("type", "string")
    match kinds[0] if isinstance(kinds, list) else kinds:
        case "object":
            parts = known.get("properties", {})
            wanted = known.get("required", []) or list(parts)[:1]
            return {name: _example(parts[name]) for name in wanted if name in parts}
        case "array":
            return [_example(known["items"])]
        case "integer" | "number":
            return known.get("minimum", 1)
        case "boolean":
            return True
        case _:
            return "2026-12-01T19:00:00Z" if known.get("format") == "date-time" else "…"
