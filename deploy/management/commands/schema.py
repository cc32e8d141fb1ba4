from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import openapi


class Command(BaseCommand):
    help = "write the API's description to docs/openapi.json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if the file is not the code's")

    def handle(self, *args: Any, **options: Any) -> None:
        for warning in openapi.warnings():
            self.stderr.write(warning)
        if options["check"]:
            if not openapi.FILE.exists() or openapi.FILE.read_text(encoding="utf-8") != openapi.text():
                raise CommandError("docs/openapi.json is not what the code says: run python3 manage.py schema")
        else:
            openapi.FILE.write_text(openapi.text(), encoding="utf-8")
        self.stdout.write(f"{len(openapi.document()['paths'])} paths")
