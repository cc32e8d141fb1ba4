"""Nonsense in every field that any view looks for, on every route: an answer each time, and never a crash."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from games import referee
from tests.accounts import test_access as of_clubs
from tests.accounts.conftest import invite
from tests.accounts.test_access import address as club_address
from tests.leagues.pages import test_routes as of_leagues
from tests.leagues.pages.conftest import (
    alice,
    bob,
    charlie,
    club,
    drawn,
    league,
    logged_in,
    olga,
    players,
    published,
    running,
    season,
    stage,
    stella,
)  # fmt: skip
from tests.leagues.pages.test_routes import address as league_address
from tests.leagues.pages.test_routes import night
from tests.security.test_routes import TABLE, Site

__all__ = [
    "alice", "bob", "charlie", "club", "club_address", "drawn", "invite", "league", "league_address", "night", "olga",
    "players", "published", "running", "season", "stage", "stella",
]  # fmt: skip

pytestmark = pytest.mark.django_db
NONSENSE = ["\0", "' OR 1=1; --%s{{ 7 }}", "9" * 30]
LOOKED_FOR = re.compile(
    r"""(?:POST|GET|data)\.(?:get|getlist)\(\s*["']([\w-]+)["']|(?:POST\[|GET\[|written\(request, )["']([\w-]+)["']"""
)


@cache
def fields() -> set[str]:
    """Every name that a view or a form looks for, by the code."""
    found: set[str] = set()
    for app in ("accounts", "deploy", "games", "leagues"):
        for path in (settings.ROOT / app).rglob("*.py"):
            if {"views", "forms", "boards"} & set(path.parts) or path.stem in {
                "pages",
                "preferences",
                "views",
                "forms",
            }:
                text = path.read_text(encoding="utf-8")
                found |= {one or other for one, other in LOOKED_FOR.findall(text)}
                found |= set(re.findall(r"^    (\w+) = forms\.", text, re.MULTILINE))
    return found


@contextmanager
def as_postgresql_would() -> Iterator[None]:
    """SQLite keeps a NUL; PostgreSQL refuses to look for one, and so must whatever comes before it."""

    def refuse(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        for value in params or ():
            if isinstance(value, str) and "\0" in value:
                raise ValueError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


def broken(client: Client, path: str, method: str) -> list[str]:
    client.raise_request_exception = False
    found = []
    for nonsense in NONSENSE:
        sent = dict.fromkeys(fields(), nonsense)
        cookies = SimpleCookie(client.cookies)
        referee.forget()
        with transaction.atomic(), as_postgresql_would():
            answer = getattr(client, method)(path, sent)
            transaction.set_rollback(True)
        client.cookies = cookies
        if answer.status_code >= 500:
            found.append(f"{answer.status_code} for {nonsense!r}: {answer.exc_info and answer.exc_info[1]!r}")
    return found


def test_there_is_much_to_look_for():
    assert len(fields()) > 60
    assert fields() >= {"next", "line", "handle", "person", "answer", "slot"}


def test_clubs_and_accounts(alice, club_address):
    client = logged_in(alice)
    wrong = {
        (name, method): broken(client, club_address(name), method)
        for name, method, _ in of_clubs.ROUTES
        if method == "post"
    }
    assert not {row: said for row, said in wrong.items() if said}


def test_leagues(olga, league_address):
    client = logged_in(olga)
    wrong = {
        (name, method): broken(client, league_address(name), method)
        for name, method, _ in of_leagues.ROUTES
        if method == "post"
    }
    assert not {row: said for row, said in wrong.items() if said}


def test_games_and_the_rest():
    house = Site()
    client = logged_in(house.people["staff"])
    rows = [row.split() for row in TABLE if row.startswith("POST")]
    wrong = {(name, method): broken(client, house.address(name), method.lower()) for method, name in rows}
    assert not {row: said for row, said in wrong.items() if said}
