"""Which migrations a database or a backup has."""

from django.apps import apps
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

Name = tuple[str, str]


def applied() -> list[Name]:
    """The applied migrations of our apps, in the same order for all databases."""
    loader = MigrationExecutor(connection).loader
    return sorted(name for name in loader.applied_migrations if name in loader.disk_migrations)


def unknown(names: list[Name]) -> list[Name]:
    return [name for name in names if name not in MigrationExecutor(connection).loader.disk_migrations]


def is_current(names: list[Name]) -> bool:
    return set(names) == set(MigrationExecutor(connection).loader.disk_migrations)


def build(names: list[Name]) -> None:
    """Bring an empty database to exactly these migrations."""
    executor = MigrationExecutor(connection)
    executor.migrate(_last(executor, names))


def apps_at(names: list[Name]) -> Apps:
    """The models as they were at these migrations."""
    if is_current(names):
        return apps
    executor = MigrationExecutor(connection)
    return executor.loader.project_state(_last(executor, names)).apps


def _last(executor: MigrationExecutor, names: list[Name]) -> list[Name]:
    """The last migration of each app in the list."""
    nodes, listed = executor.loader.graph.node_map, set(names)

    def is_last(name: Name) -> bool:
        return not any(child.key in listed and child.key[0] == name[0] for child in nodes[name].children)

    return [name for name in names if is_last(name)]
