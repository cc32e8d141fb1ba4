"""What must be right before the house opens; each failure is one line that says what to do."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files import locks
from django.core.management.base import CommandError, OutputWrapper
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CommandError(
            f"cannot write to {folder} ({error.strerror}): make it writable for this user, or set GAUNTLET_VAR to a "
            "folder of your own"
        ) from None


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder for as long as the house is open: two worker threads on one database would play against it.

    The operating system lets go of the lock when the program ends, however it ends.
    """
    with (folder / "serve.lock").open("a") as file:
        if not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
            raise CommandError(
                f"another Gauntlet is open on {folder}: stop it first, or give this one a folder of its own with "
                "GAUNTLET_VAR"
            )
        yield


def check_database() -> None:
    """The database answers, and no newer Gauntlet has changed it."""
    try:
        newer = unknown_migrations()
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise CommandError(f"the database named by DATABASE_URL cannot be used: {reason}") from None
    if newer:
        raise CommandError(
            f"this database was changed by a newer Gauntlet ({newer[0]}): run that version, or restore a backup "
            "made with this one; nothing was changed"
        )


def unknown_migrations() -> list[str]:
    # Past the pool, which would keep trying for as long as its patience lasts and log every attempt.
    direct = connection.copy()
    direct.settings_dict["OPTIONS"] = {
        name: value for name, value in direct.settings_dict["OPTIONS"].items() if name != "pool"
    }
    try:
        loader = MigrationLoader(direct)
    finally:
        direct.close()
    return sorted(
        f"{app}.{name}"
        for app, name in set(loader.applied_migrations) - set(loader.disk_migrations)
        if app in loader.migrated_apps and not is_squashed(loader, app, name)
    )


def is_squashed(loader: MigrationLoader, app: str, name: str) -> bool:
    return any((app, name) in migration.replaces for migration in loader.disk_migrations.values())


def is_new_database() -> bool:
    return not connection.introspection.table_names()


def check_schema() -> None:
    """For processes that do not migrate by themselves: the schema is the one this code was written for."""
    check_database()
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("the database is older than the code: run 'python3 manage.py migrate'")


def check_static() -> None:
    """For processes that do not collect by themselves: without the list of files every page would fail."""
    if not (settings.DEBUG or manifest().exists()):
        raise CommandError("static files are not collected: run 'python3 manage.py collectstatic --no-input'")


def manifest() -> Path:
    return Path(settings.STATIC_ROOT) / "staticfiles.json"


def static_is_fresh() -> bool:
    """Whether the collected files are as young as what they were collected from."""
    if settings.DEBUG:
        return True
    if not manifest().exists():
        return False
    made = manifest().stat().st_mtime
    return all(
        os.path.getmtime(storage.path(path)) <= made
        for finder in finders.get_finders()
        for path, storage in finder.list([])
    )


def lock_demo(out: OutputWrapper) -> None:
    """A house without the demo may stand on a database that had it: its passwords are known to everybody."""
    from accounts import demo

    if not settings.DEMO and (locked := demo.lock()):
        out.write(f"The demo's {len(locked)} logins no longer work here: their password is public.")
