from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "restore the site from a backup, on SQLite or PostgreSQL, whichever it was made on"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what manage.py backup wrote")
        parser.add_argument("--replace", action="store_true", help="delete what is in the database now")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        from deploy import preflight
        from deploy.backup.restore import restore

        preflight.check_folder(settings.VAR)
        with ExitStack() as stack:
            if not settings.REDIS:
                stack.enter_context(preflight.exclusive_use_of(settings.VAR))
            restored = restore(file, replace=replace)
        self.stdout.write(
            f"Restored {restored.rows:,} rows of {restored.tables} tables, as they were at {restored.made_at}. "
            "Everyone has to log in again."
        )
