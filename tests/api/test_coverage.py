"""Everything that a page shows or does is in the API: the table in `docs/api.md` names the operation."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from deploy import openapi
from tests.factories import logged_in

GUIDE = Path(settings.ROOT, "docs", "api.md")
# Log-in, sign-up, second factors and lists of one's sessions belong to django-allauth, and the administration to
# Django: for people only. The API is what the table names.
LEFT_OUT = ("account_", "mfa_", "usersessions_", "socialaccount_", "openid_connect_", "admin:", "api:")
VALUES = {"int": 1, "slug": "x", "str": "x", "handle": "x", "tablekey": "abcdefgh12", "path": "x"}


def routes(patterns: list, space: str = "") -> Iterator[tuple[str, dict]]:
    for one in patterns:
        if isinstance(one, URLResolver):
            inner = f"{space}{one.namespace}:" if one.namespace else space
            for name, converters in routes(one.url_patterns, inner):
                yield name, one.pattern.converters | converters
        elif isinstance(one, URLPattern) and one.name:
            yield f"{space}{one.name}", one.pattern.converters


def pages() -> dict[str, dict]:
    found = dict(routes(get_resolver().url_patterns))
    return {name: parts for name, parts in found.items() if not name.startswith(LEFT_OUT)}


def table() -> dict[str, str]:
    rows = re.findall(r"^\| `([\w:-]+)` \| (.+) \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == len(dict(rows)), "a page is listed twice"
    return dict(rows)


def operations() -> set[str]:
    return {known["operationId"] for methods in openapi.document()["paths"].values() for known in methods.values()}


def test_every_page_of_the_table_exists():
    assert table().keys() <= pages().keys()


def test_every_operation_of_the_table_exists():
    named = {name for cell in table().values() for name in re.findall(r"`(\w+)`", cell)}
    assert named <= operations()


def test_what_a_page_does_a_program_can(stella, db):
    """Each route that takes a form has its operation, or a reason why not."""
    client: Client = logged_in(stella)
    listed = table()
    missing = []
    for name, converters in pages().items():
        kwargs = {part: VALUES[_kind(converter)] for part, converter in converters.items()}
        if client.post(reverse(name, kwargs=kwargs)).status_code == 405:
            continue
        if not re.search(r"`\w+`|none: \w+", listed.get(name, "")):
            missing.append(name)
    assert not missing


def _kind(converter: object) -> str:
    return {"IntConverter": "int", "SlugConverter": "slug", "Handle": "handle", "TableKey": "tablekey"}.get(
        type(converter).__name__, "str"
    )


@pytest.mark.parametrize("tag", ["me", "matches", "ratings"])
def test_the_documentation_lists_each_operation(db, tag):
    page = Client().get(f"/api/docs/{tag}/")
    assert page.status_code == 200
    described = {known["operationId"] for methods in openapi.document()["paths"].values() for known in methods.values()
            if known["tags"] == [tag]}  # fmt: skip
    assert {name for name in described if f'id="{name}"' in page.text} == described


def test_the_documentation_explains_every_problem(db):
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    assert 'id="problem-stale"' in page.text
    assert "<script>" not in page.text
    assert len(page.content) < 150_000
    assert Client().get("/api/docs/nothing/").status_code == 404


def test_the_description_is_served(db):
    answer = Client().get("/api/v1/schema/")
    assert answer.json() == openapi.document()
    assert Client().get("/api/v1/schema/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
