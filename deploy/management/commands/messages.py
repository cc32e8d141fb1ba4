from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import translations


class Command(BaseCommand):
    help = "update the Italian and Polish catalogues from the sources"
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--check", action="store_true", help="change nothing; fail on any string not translated")
        only.add_argument("--compile", action="store_true", help="only write the binary catalogues, as a build does")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["compile"]:
            translations.compile_catalogues()
            return
        if not options["check"]:
            translations.update_catalogues()
            translations.compile_catalogues()
        problems = translations.check()
        for problem in problems:
            self.stdout.write(problem)
        if problems and options["check"]:
            raise CommandError(f"{len(problems)} strings are not ready in every language")
        self.stdout.write(f"{len(problems)} to translate" if problems else "Every string is translated")
