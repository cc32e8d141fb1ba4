from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "put everything the site knows into one file, while it stays open"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it, for example thursday.zip; it must not exist")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        from deploy.archive.backup import backup

        made = backup(file)
        self.stdout.write(
            f"{file} holds {made.rows:,} rows of {made.tables} tables in {made.size / 1024**2:.1f} MB. It has "
            "everybody's addresses and the secrets of running matches: keep it where only you can read it."
        )
