"""API clients of the cast, each with its own token."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import api_tokens
from accounts.models import Scope, User

API = "/api/v1"


class Program:
    """A client that speaks JSON and shows a token."""

    def __init__(self, person: User | None = None, *scopes: str) -> None:
        self.headers = {}
        if person is not None:
            wanted = scopes or tuple(Scope.values)
            new = api_tokens.issue(person=person, name="test", scopes=wanted, lasting=timedelta(days=1))
            self.token, self.secret = new.token, new.secret
            self.headers["Authorization"] = f"Bearer {new.secret}"

    @classmethod
    def showing(cls, secret: str) -> "Program":
        """A client with this token."""
        program = cls()
        program.headers["Authorization"] = f"Bearer {secret}"
        return program

    def get(self, path: str, **headers: str) -> Any:
        return Client().get(API + path, headers=self.headers | headers)

    def post(self, path: str, data: Any = None) -> Any:
        return Client().post(API + path, data={} if data is None else data, content_type=JSON, headers=self.headers)

    def patch(self, path: str, data: Any) -> Any:
        return Client().patch(API + path, data=data, content_type=JSON, headers=self.headers)

    def put(self, path: str, data: Any) -> Any:
        return Client().put(API + path, data=data, content_type=JSON, headers=self.headers)

    def delete(self, path: str) -> Any:
        return Client().delete(API + path, headers=self.headers)


JSON = "application/json"


@pytest.fixture(autouse=True)
def fresh_counts(clean_match_cache: None, sent_tasks: list[int]) -> None:
    cache.clear()


@pytest.fixture
def visitor(db) -> Program:
    return Program()


@pytest.fixture
def as_alice(alice) -> Program:
    return Program(alice)


@pytest.fixture
def as_bob(bob) -> Program:
    return Program(bob)


@pytest.fixture
def as_charlie(charlie) -> Program:
    return Program(charlie)


@pytest.fixture
def as_olga(olga) -> Program:
    return Program(olga)
