"""The same test on both kinds of database: the file that the suite runs on, and a real PostgreSQL."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from psycopg import conninfo, sql

from tests import furniture, services


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[dict[str, Any]]:
    """A migrated database of this worker's own, as Django's settings for it."""
    server = services.postgres()
    name = f"suite_{os.getpid()}"
    furniture.create_database(name)
    where = conninfo.conninfo_to_dict(server)
    settings = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": where.get("user", ""),
        "PASSWORD": where.get("password", ""),
        "HOST": where.get("host", ""),
        "PORT": str(where.get("port", "")),
    }
    settings = connections.configure_settings({"default": settings})["default"]
    yield settings
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(params=["sqlite", "postgresql"])
def any_database(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[str]:
    """Everything in the test, its threads included, uses the database of this kind; no transaction around it."""
    if request.param == "sqlite":
        yield request.param
        return
    request.getfixturevalue("on_postgres")
    assert connections["default"].vendor == request.param
    yield request.param


@pytest.fixture
def on_postgres(postgres_database: dict[str, Any], transactional_db: None) -> Iterator[dict[str, Any]]:
    """Everything in the test uses PostgreSQL; its settings, for other processes to connect by."""
    before = _use(postgres_database)
    try:
        yield postgres_database
        call_command("flush", verbosity=0, interactive=False)
    finally:
        connections["default"].close()
        _use(before)


def _use(settings: dict[str, Any]) -> dict[str, Any]:
    """Let the default connection be another one in all threads; returns what it was before."""
    before: dict[str, Any] = connections.settings["default"]
    kept = _kept.pop(id(settings), None)
    _kept[id(before)] = connections["default"]
    connections.settings["default"] = settings
    connections["default"] = kept or connections.create_connection("default")
    return before


# Connections put aside, by their settings: pytest-django has its own opinion about the one it made.
_kept: dict[int, Any] = {}


@contextmanager
def standing_on(settings: dict[str, Any]) -> Iterator[None]:
    """For a while, the default connection leads to another database."""
    before = _use(settings)
    try:
        yield
    finally:
        connections["default"].close()
        _use(before)
        _kept.pop(id(settings), None)
