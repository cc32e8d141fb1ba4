"""Checks before a program starts. Each failure is one line that says what to do."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files import locks
from django.core.management.base import CommandError, OutputWrapper
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from deploy import releases, schema_check


def check_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CommandError(
            f"cannot write to {folder} ({error.strerror}): make it writable for this user, or set GAUNTLET_VAR to a "
            "folder of your own"
        ) from None


def protect_database_file(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Keep an SQLite file to its owner: it has addresses and the hashes of passwords. Called for each connection."""
    if connection.vendor != "sqlite":
        return
    file = str(connection.settings_dict["NAME"])
    for part in (file, f"{file}-wal", f"{file}-shm"):
        with suppress(OSError):  # not there yet, in memory, or somebody else's
            if os.stat(part).st_mode & 0o077:
                os.chmod(part, 0o600)


def least_free_space() -> tuple[int, str]:
    """Free bytes where the site writes, and where that is: its folder or that of an SQLite database."""
    places = {settings.VAR}
    if connection.vendor == "sqlite":
        places.add(Path(str(connection.settings_dict["NAME"])).parent)
    return min((shutil.disk_usage(place).free, str(place)) for place in places)


@contextmanager
def exclusive_use_of(folder: Path) -> Iterator[None]:
    """Lock the folder while the server runs: two embedded workers on one database would disturb each other.

    The operating system releases the lock when the program ends, even if it crashes.
    """
    with (folder / "serve.lock").open("a") as file:
        if not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
            raise CommandError(
                f"another Gauntlet is running on {folder}: stop it first, or give this one its own folder with "
                "GAUNTLET_VAR"
            )
        yield


def check_database() -> None:
    """Check that the database answers and has no migrations of other versions."""
    try:
        unknown = unknown_migrations()
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise CommandError(f"the database named by DATABASE_URL cannot be used: {reason}") from None
    if unknown:
        raise CommandError(releases.refusal("database", unknown))


def unknown_migrations() -> list[str]:
    # Without the pool, which would retry until its timeout and log every attempt.
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
    """For processes that do not migrate: check that the database has the schema of this code."""
    check_database()
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("the database is older than the code: run 'python3 manage.py migrate'")


def check_tables() -> list[str]:
    """Check that the real tables are those of the applied migrations. Returns what is left over and does no harm."""
    found = schema_check.differences()
    wrong = [one.says for one in found if not one.is_harmless]
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        raise CommandError(
            f"the tables of this database are not those of its migrations ({'; '.join(wrong[:3])}{more}): it was made "
            f"before release {releases.FIRST}, or changed by something else than its migrations; restore a backup into "
            "a new database, or begin a new one (docs/upgrading.md); nothing was changed"
        )
    return [one.says for one in found]


def check_static() -> None:
    """For processes that do not collect static files: without the manifest every page would fail."""
    if not (settings.DEBUG or manifest().exists()):
        raise CommandError("static files are not collected: run 'python3 manage.py collectstatic --no-input'")


def manifest() -> Path:
    return Path(settings.STATIC_ROOT) / "staticfiles.json"


def static_is_fresh() -> bool:
    """Whether the collected files are at least as new as their sources."""
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
    """Lock the demo logins if the demo is off: the database may still have them, and their passwords are public."""
    from accounts import demo

    if not settings.DEMO and (locked := demo.lock()):
        out.write(f"The demo's {len(locked)} logins no longer work here: their password is public.")
