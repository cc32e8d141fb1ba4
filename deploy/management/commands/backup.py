from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "write all data of the site to one file, while it is running"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it, for example thursday.zip; it must not exist")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        from deploy.backup.dump import backup

        made = backup(file)
        self.stdout.write(
            f"{file} has {made.rows:,} rows of {made.tables} tables in {made.size / 1024**2:.1f} MB. It contains "
            "everybody's e-mail addresses and the secrets of running matches: keep it where only you can read it."
        )
