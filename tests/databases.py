"""The same test on both databases: the SQLite file of the suite, and a real PostgreSQL."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from psycopg import conninfo, sql

from deploy.harness import prepared_state, services


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[dict[str, Any]]:
    """A migrated database of this worker's own, as Django's settings for it."""
    server = services.postgres()
    name = f"suite_{os.getpid()}"
    prepared_state.create_database(name)
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
    """Everything in the test, its threads included, uses this kind of database, without an outer transaction."""
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
    """Switch the default connection in all threads; returns its former settings."""
    before: dict[str, Any] = connections.settings["default"]
    kept = _kept.pop(id(settings), None)
    _kept[id(before)] = connections["default"]
    connections.settings["default"] = settings
    connections["default"] = kept or connections.create_connection("default")
    return before


# Connections put aside, by their settings: pytest-django handles the one it made itself.
_kept: dict[int, Any] = {}


@contextmanager
def standing_on(settings: dict[str, Any]) -> Iterator[None]:
    """Use another database as the default connection for a while."""
    before = _use(settings)
    try:
        yield
    finally:
        connections["default"].close()
        _use(before)
        _kept.pop(id(settings), None)
