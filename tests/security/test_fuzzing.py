"""Invalid input in every field, operation and topic, on every route, with PostgreSQL: never a server error."""

import json
import re
from functools import cache
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import Client

from accounts.infra.input import Unreadable, parse_json
from accounts.infra.realtime import topics
from games import engine_match
from tests.accounts import test_access as of_clubs
from tests.accounts.conftest import invite
from tests.accounts.test_access import address as club_address
from tests.factories import logged_in
from tests.leagues.pages import test_routes as of_leagues
from tests.leagues.pages.conftest import drawn, league, players, published, running, season, stage
from tests.leagues.pages.test_routes import address as league_address
from tests.leagues.pages.test_routes import night
from tests.security.test_operations import Operations
from tests.security.test_routes import TABLE, Site

__all__ = [
    "club_address", "drawn", "invite", "league", "league_address", "night", "players", "published", "running", "season",
    "stage",
]  # fmt: skip

pytestmark = pytest.mark.django_db
NONSENSE = ["\0", "' OR 1=1; --%s{{ 7 }}", "9" * 30, "9" * 5000, "1e999"]
MARK = "a mark"
API_NONSENSE = [r'"\u0000"', r'"\ud800"', "9" * 5000, "9" * 17, "1e999", '"' + "9" * 5000 + '"', "-1", "null", "[[]]"]
LOOKED_FOR = re.compile(
    r"""(?:POST|GET|data)\.(?:get|getlist)\(\s*["']([\w-]+)["']|(?:POST\[|GET\[|written\(request, )["']([\w-]+)["']"""
)


@cache
def fields() -> set[str]:
    """Every field name that a view or a form reads, from the source."""
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


@pytest.fixture(autouse=True)
def _database(on_postgres: Any, clean_match_cache: None) -> None:
    """PostgreSQL refuses what SQLite stores: NUL, numbers that do not fit, broken text."""


def broken(client: Client, path: str, method: str) -> list[str]:
    client.raise_request_exception = False
    found = []
    for nonsense in NONSENSE:
        sent = dict.fromkeys(fields(), nonsense)
        cookies = SimpleCookie(client.cookies)
        engine_match.clear_cache()
        with transaction.atomic():
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
    site = Site()
    client = logged_in(site.people["staff"])
    rows = [row.split() for row in TABLE if row.startswith("POST")]
    wrong = {(name, method): broken(client, site.address(name), method.lower()) for method, name in rows}
    assert not {row: said for row, said in wrong.items() if said}


def spoilt(value: Any, nonsense: Any) -> Any:
    """The same body with nonsense in place of every text and number."""
    match value:
        case dict():
            return {key: spoilt(each, nonsense) for key, each in value.items()}
        case list():
            return [spoilt(each, nonsense) for each in value] or [nonsense]
        case bool():
            return value
        case _:
            return nonsense


def test_the_api():
    """Valid bodies, with every value replaced: an answer that a program can read, each time."""
    operations = Operations()
    client = logged_in(operations.people["organiser"])
    client.raise_request_exception = False
    wrong = {}
    for name, (method, path, body) in operations.known.items():
        for raw in API_NONSENSE:
            # Written by hand: a number of 5000 digits or half a surrogate pair is not what `json` would write.
            sent = json.dumps(spoilt(body, MARK)).replace(json.dumps(MARK), raw)
            engine_match.clear_cache()
            with transaction.atomic():
                if method == "get":
                    answer = client.get(path, {"limit": raw, "cursor": raw, "season": raw, "state": raw, "q": raw})
                else:
                    answer = getattr(client, method)(path, data=sent, content_type="application/json")
                transaction.set_rollback(True)
            if answer.status_code >= 500:
                wrong[name, raw[:20]] = f"{answer.status_code} {answer.exc_info and answer.exc_info[1]!r}"
    assert not wrong


def test_topics_and_messages():
    """Whatever a page sends is answered or refused: nothing closes the socket."""
    site = Site()
    people = [AnonymousUser(), site.people["member"], site.people["staff"]]
    texts = ["", "\0", "\ud800", "9" * 5000, "٣" * 20, "-1", "1e999", "x" * 3000, "' OR 1=1; --", "a.b.c"]
    match = f"match.{site.keys['playing']}"
    messages: list[dict[str, Any]] = [
        {kind: value} for kind in ("say", "remark", "move", "after", "here") for value in (*texts, 10**30, None, [], {})
    ]
    messages += [{"move": text, "ply": ply} for text in texts for ply in (0, -1, 10**30, "0", None)]
    wrong = []
    for visitor in people:
        for topic in [*(f"{name}.{text}" for name in topics._topics for text in texts), *texts, match]:
            for message in [None, *(messages if topic == match else [{"here": True}])]:
                with transaction.atomic():
                    try:
                        send(visitor, topic, message)
                    except topics.TopicDenied:
                        pass
                    except Exception as error:
                        wrong.append((topic[:30], str(message)[:60], repr(error)[:120]))
                    transaction.set_rollback(True)
    assert not wrong


def send(visitor: Any, topic: str, message: dict[str, Any] | None) -> None:
    """As a socket does: the input layer reads the JSON first. Without a message, listen."""
    try:
        read = parse_json(json.dumps({"to": topic, "message": message}))
    except Unreadable:
        return
    if message is None:
        topics.audience_for(visitor, read["to"])
    else:
        topics.receive(visitor, read["to"], read["message"])
