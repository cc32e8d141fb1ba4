"""Every route of the site, from the URL resolver."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver


@dataclass(frozen=True)
class Route:
    """One address: `name` with its namespace, or the path where it has none."""

    name: str
    path: str
    parts: dict[str, Any]
    view: Callable[..., Any]


def routes() -> list[Route]:
    return list(_walk(get_resolver().url_patterns))


def _walk(
    patterns: list[Any], space: str = "", before: str = "", parts: dict[str, Any] | None = None
) -> Iterator[Route]:
    for one in patterns:
        path = f"{before}{one.pattern}"
        known = (parts or {}) | one.pattern.converters
        if isinstance(one, URLResolver):
            inner = f"{space}{one.namespace}:" if one.namespace else space
            yield from _walk(one.url_patterns, inner, path, known)
        elif isinstance(one, URLPattern):
            yield Route(f"{space}{one.name}" if one.name else path, path, known, one.callback)
