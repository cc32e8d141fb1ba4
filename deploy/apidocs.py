"""The documentation of the API, made from its description: no script, nothing from elsewhere."""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import Scope
from accounts.rest.problems import PROBLEMS
from deploy import openapi

SHAPES = "#/components/schemas/"

TAGS: dict[str, str | Promise] = {
    "me": _("Myself: settings, notices, this token"),
    "people": _("People"),
    "clubs": _("Clubs, members and invites"),
    "games": _("Games and their words"),
    "tables": _("Tables: open, sit down, start"),
    "matches": _("Matches: look, play, read the record"),
    "talk": _("Talk"),
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
class Line:
    """One field or parameter; `shape` names the shape that it holds."""

    name: str
    kind: str
    shape: str
    required: bool
    words: str


@dataclass(frozen=True)
class Told:
    """One operation as the page tells it."""

    name: str
    method: str
    path: str
    summary: str
    words: str
    scope: str
    public: bool
    parameters: list[Line]
    body: list[Line]
    answer: str
    codes: list[str]
    example: str


@dataclass
class Chapter:
    tag: str
    title: str | Promise
    operations: list[Told] = field(default_factory=list)
    shapes: list[tuple[str, str, list[Line]]] = field(default_factory=list)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    problems = [{"code": code, "status": status, "title": title} for code, (status, title) in PROBLEMS.items()]
    context = {"chapters": chapters().values(), "problems": problems, "scopes": Scope, "host": _host(request)}
    return render(request, "api/docs.html", context)


@require_safe
def chapter(request: HttpRequest, tag: str) -> HttpResponse:
    found = chapters().get(tag)
    if found is None:
        raise Http404
    return render(request, "api/chapter.html", {"chapter": found, "host": _host(request)})


def _host(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


@cache
def chapters() -> dict[str, Chapter]:
    found: dict[str, Chapter] = {tag: Chapter(tag, title) for tag, title in TAGS.items()}
    for path, methods in openapi.document()["paths"].items():
        for method, known in methods.items():
            tag = known["tags"][0]
            found.setdefault(tag, Chapter(tag, tag)).operations.append(_told(method.upper(), path, known))
    for one in found.values():
        one.shapes = _shapes_of(one)
    return {tag: one for tag, one in found.items() if one.operations}


def _told(method: str, path: str, known: dict[str, Any]) -> Told:
    security = known.get("security", [])
    scope = next((scopes[0] for each in security for name, scopes in each.items() if name == "token" and scopes), "")
    taken = known.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    answers = [known["responses"][code] for code in known["responses"] if code.startswith("2")]
    given = answers[0].get("content", {}).get("application/json", {}).get("schema", {}) if answers else {}
    return Told(
        name=known["operationId"],
        method=method,
        path=path,
        summary=known.get("summary", ""),
        words=known.get("description", "").partition("Scope:")[0].strip(),
        scope=scope,
        public={} in security,
        parameters=[_parameter(each) for each in known.get("parameters", [])],
        body=_lines(taken),
        answer=_name(given),
        codes=sorted(known["responses"]),
        example=_curl(method, path, taken),
    )


def _parameter(known: dict[str, Any]) -> Line:
    schema = known["schema"]
    words = f"{known.get('description', '')} {_choices(schema)}".strip()
    return Line(known["name"], _kind(schema), "", known.get("required", False), words)


def _lines(schema: dict[str, Any]) -> list[Line]:
    known = _resolved(schema)
    needed = known.get("required", [])
    return [
        Line(
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
    """The shape that a field holds, alone, in a list, or perhaps not at all."""
    parts = [schema, schema.get("items", {}), *schema.get("oneOf", []), *schema.get("allOf", [])]
    return next((name for part in parts if isinstance(part, dict) and (name := _name(part))), "")


def _kind(schema: dict[str, Any]) -> str:
    said = schema.get("type", "")
    kind = " | ".join(said) if isinstance(said, list) else str(said)
    if kind == "array":
        inner = schema.get("items", {})
        return f"[{_name(inner) or _kind(inner)}]"
    return kind or _inner(schema) or "any"


def _choices(schema: dict[str, Any]) -> str:
    told = ", ".join(f"`{choice}`" for choice in schema.get("enum", []) if choice != "")
    least, most = schema.get("minimum"), schema.get("maximum")
    if not told and least is not None and most is not None and most < 2**31:
        told = f"{least} – {most}"
    return told


def _shapes_of(one: Chapter) -> list[tuple[str, str, list[Line]]]:
    """All shapes that the chapter's operations take or give, and those inside them."""
    waiting = [told.answer for told in one.operations] + [line.shape for told in one.operations for line in told.body]
    found: dict[str, tuple[str, str, list[Line]]] = {}
    while waiting:
        name = waiting.pop(0)
        if name and name not in found:
            known = openapi.document()["components"]["schemas"][name]
            lines = _lines({"$ref": SHAPES + name})
            found[name] = (name, known.get("description", ""), lines)
            waiting += [line.shape for line in lines]
    return sorted(found.values())


def _curl(method: str, path: str, taken: dict[str, Any]) -> str:
    """What to type, with what must be given filled in; `HOST` becomes the site's own address."""
    where = path.replace("{", "$").replace("}", "").upper() if "{" in path else path
    where = "/".join(part if "$" in part else part.lower() for part in where.split("/"))
    words = ["curl", '-H "Authorization: Bearer $TOKEN"']
    if method != "GET":
        words.append(f"-X {method}")
    if taken:
        words.append("-H 'Content-Type: application/json'")
        words.append(f"-d '{json.dumps(_example(taken), ensure_ascii=False)}'")
    return " ".join([*words, f'"HOST{where}"'])


def _example(schema: dict[str, Any]) -> Any:
    """A value that fits, as small as it can be."""
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
