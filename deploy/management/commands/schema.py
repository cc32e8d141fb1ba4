from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import openapi
from deploy.bootstrap import ROOT
from games.schema import typescript


class Command(BaseCommand):
    help = "write the API's description to docs/openapi.json, and the types of the scripts to games/schema/types.d.ts"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if a file is not what the code says"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for warning in openapi.warnings():
            self.stderr.write(warning)
        for file, text in ((openapi.FILE, openapi.text()), (typescript.FILE, typescript.text())):
            if not options["check"]:
                file.write_text(text, encoding="utf-8")
            elif not file.exists() or file.read_text(encoding="utf-8") != text:
                name = file.relative_to(ROOT)
                raise CommandError(f"{name} is not what the code says: run python3 manage.py schema")
        self.stdout.write(f"{len(openapi.document()['paths'])} paths")
