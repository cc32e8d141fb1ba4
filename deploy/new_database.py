"""Creates all tables of a new SQLite database at once.

Django's migrations render every model again after each step: with empty tables this takes most of a first start. Here
tables are created as the last migration leaves them, and every migration is recorded as applied.
"""

from django.conf import settings
from django.db import connection
from django.db.migrations import RunPython
from django.db.migrations.executor import MigrationExecutor

OWN_APPS = ("deploy", "accounts", "games", "leagues")


def can_create_tables() -> bool:
    """Whether the database is a new one of ours. Migrations of other packages may do more than create tables."""
    return connection.vendor == "sqlite" and not settings.EXTENSIONS and not connection.introspection.table_names()


def create_tables() -> None:
    """All or nothing. `migrate` has nothing left to change then, but must still run: it fills Django's own tables."""
    executor = MigrationExecutor(connection)
    plan = [migration for migration, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes())]
    state = executor.loader.project_state().apps
    with connection.schema_editor() as editor:
        for model in state.get_models():
            if model._meta.managed and not model._meta.proxy:
                editor.create_model(model)
        for migration in plan:
            # What no model says, such as triggers; what changes rows finds none.
            for operation in migration.operations if migration.app_label in OWN_APPS else []:
                if isinstance(operation, RunPython):
                    operation.code(state, editor)
    executor.recorder.ensure_schema()
    for migration in plan:
        executor.recorder.record_applied(migration.app_label, migration.name)
