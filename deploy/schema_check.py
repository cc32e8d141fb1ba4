"""Compares the tables that a database really has with those of its migrations.

The list of applied migrations is only what the database says about itself: tables may be missing although their
migration is listed, after a change by hand or with a database from before the first release.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from deploy.backup import migration_state

# Made by statements of a migration, not by a model.
TRIGGERS = {"accounts_auditentry": "accounts_auditentry_append_only"}
OWN_TABLE = MigrationRecorder.Migration._meta.db_table


@dataclass(frozen=True)
class Difference:
    says: str
    # Left over from something, and in nobody's way.
    is_harmless: bool = False


@dataclass(frozen=True)
class Column:
    name: str
    must_be_filled: bool


def differences() -> list[Difference]:
    """What this database has otherwise than its applied migrations say, the worst first."""
    state = migration_state.apps_at(migration_state.applied())
    return sorted(_compare(state, real_tables(), real_names()), key=lambda found: found.is_harmless)


def _compare(state: Apps, tables: dict[str, list[Column]], names: set[str]) -> Iterator[Difference]:
    wanted = models_by_table(state)
    for table, model in sorted(wanted.items()):
        if table not in tables:
            yield Difference(f"the table {table} is missing")
            continue
        fields = {str(field.column) for field in model._meta.local_concrete_fields}
        columns = {column.name: column for column in tables[table]}
        for name in sorted(fields - set(columns)):
            yield Difference(f"the column {table}.{name} is missing")
        for name in sorted(set(columns) - fields):
            yield Difference(f"the column {table}.{name} is unknown", is_harmless=not columns[name].must_be_filled)
        for named in (*model._meta.constraints, *model._meta.indexes):
            if named.name not in names:
                yield Difference(f"{named.name} of {table} is missing")
        if (trigger := TRIGGERS.get(table)) and trigger not in names:
            yield Difference(f"the trigger {trigger} of {table} is missing")
    yield from _left_over(set(tables) - set(wanted))


def _left_over(extra: set[str]) -> Iterator[Difference]:
    """Tables that begin like ours. Others may be those of another program in the same database."""
    later = models_by_table(apps)
    prefixes = tuple(f"{app.label}_" for app in apps.get_app_configs())
    for table in sorted(extra - {OWN_TABLE}):
        if table in later:
            yield Difference(f"the table {table} is there, but its migration is not listed")
        elif table.startswith(prefixes):
            yield Difference(f"the table {table} is unknown", is_harmless=True)


def models_by_table(state: Apps) -> dict[str, type[Model]]:
    models = state.get_models(include_auto_created=True)
    return {model._meta.db_table: model for model in models if model._meta.managed and not model._meta.proxy}


# -- the database itself, in few queries: a site asks at every start


def real_tables() -> dict[str, list[Column]]:
    tables: dict[str, list[Column]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS[connection.vendor])
        for table, name, must_be_filled in cursor.fetchall():
            tables.setdefault(table, []).append(Column(name, bool(must_be_filled)))
    return tables


def real_names() -> set[str]:
    """The names of all constraints, indexes and triggers. In SQLite those of constraints are in the text of tables."""
    names: set[str] = set()
    with connection.cursor() as cursor:
        cursor.execute(_NAMES[connection.vendor])
        for name, text in cursor.fetchall():
            names.add(name)
            names.update(part for part in (text or "").split('"')[1::2])
    return names


_COLUMNS = {
    "sqlite": """
        SELECT t.name, c.name, c."notnull" AND c.dflt_value IS NULL AND NOT c.pk
        FROM sqlite_master t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
    """,
    "postgresql": """
        SELECT c.table_name, c.column_name, c.is_nullable = 'NO' AND c.column_default IS NULL
            AND c.is_identity = 'NO' AND c.is_generated = 'NEVER'
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
    """,
}
_NAMES = {
    "sqlite": "SELECT name, CASE WHEN type = 'table' THEN sql END FROM sqlite_master",
    "postgresql": """
        SELECT conname, NULL FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
        UNION SELECT indexname, NULL FROM pg_indexes WHERE schemaname = current_schema()
        UNION SELECT tgname, NULL FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
            WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace
    """,
}
