"""A new database that is created at once is the one that the migrations lead to."""

import os
import sqlite3
import subprocess
from pathlib import Path

from deploy.bootstrap import ROOT
from deploy.harness.prepared_state import MANAGE, clean_environment

OTHER = "CREATE TABLE of_another_program (id integer)"
"""With a table in it, a database is not new and is migrated step by step."""


def manage(var: Path, *arguments: str) -> str:
    env = clean_environment() | {"GAUNTLET_VAR": str(var), "GAUNTLET_DEMO": "off"}
    done = subprocess.run([*MANAGE, *arguments], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def contents(var: Path) -> dict[str, object]:
    """What a database has, apart from the order of columns and from the names that Django makes up for indexes."""
    with sqlite3.connect(var / "gauntlet.sqlite3") as database:

        def ask(statement: str) -> list[tuple]:
            return database.execute(statement).fetchall()

        found: dict[str, object] = {}
        for table, text in ask("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
            found[f"{table} columns"] = {row[1:] for row in ask(f"PRAGMA table_info({table})")}
            found[f"{table} references"] = {row[2:] for row in ask(f"PRAGMA foreign_key_list({table})")}
            found[f"{table} indexes"] = sorted(
                str((unique, kind, partial, [row[2:5] for row in ask(f"PRAGMA index_xinfo('{name}')")]))
                for _, name, unique, kind, partial in ask(f"PRAGMA index_list({table})")
            )
            found[f"{table} constraints"] = sorted(part for part in text.split('CONSTRAINT "')[1:])
        found["others"] = set(ask("SELECT type, name, sql FROM sqlite_master WHERE type NOT IN ('table', 'index')"))
        for rows in ("app, name FROM django_migrations", "app_label, model FROM django_content_type"):
            found[rows] = set(ask(f"SELECT {rows}"))
        permissions = "auth_permission p JOIN django_content_type t ON t.id = content_type_id"
        found["permissions"] = set(ask(f"SELECT p.name, codename, model FROM {permissions}"))
    return found


def test_created_at_once_and_migrated_are_the_same(tmp_path: Path) -> None:
    created, migrated = tmp_path / "created", tmp_path / "migrated"
    for var in (created, migrated):
        var.mkdir()
    with sqlite3.connect(migrated / "gauntlet.sqlite3") as database:
        database.execute(OTHER)
    assert "Applying" not in manage(created, "migrate")
    assert "Applying leagues.0001_initial" in manage(migrated, "migrate")
    with sqlite3.connect(migrated / "gauntlet.sqlite3") as database:
        database.execute("DROP TABLE of_another_program")
    ours, theirs = contents(created), contents(migrated)
    assert len(theirs) > 100
    assert [name for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)] == []


def test_a_database_with_tables_is_migrated(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "gauntlet.sqlite3") as database:
        database.execute(OTHER)
    asked = "from deploy import new_database; print(new_database.can_create_tables())"
    assert manage(tmp_path, "shell", "--no-imports", "-c", asked).split()[-1] == "False"
    os.remove(tmp_path / "gauntlet.sqlite3")
    assert manage(tmp_path, "shell", "--no-imports", "-c", asked).split()[-1] == "True"
