from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy import compiled_build


class Command(BaseCommand):
    help = "Compile the engine and the rating update in place (needs a C compiler). All works without it, only slower."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="go back to the interpreted engine")

    def handle(self, *args: object, remove: bool, **options: object) -> None:
        if remove:
            compiled_build.remove()
            self.stdout.write("The engine is interpreted again.")
            return
        self.stdout.write("Compiling the engine; this takes about a minute ...")
        self.stdout.flush()
        try:
            compiled_build.install(compiled_build.folder_in(settings.VAR))
        except compiled_build.BuildError as error:
            raise CommandError(f"The engine could not be compiled and stays interpreted:\n{error}") from error
        self.stdout.write("The engine is compiled. Run it again after changing the engine's source.")
