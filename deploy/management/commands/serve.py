import os
from argparse import ArgumentParser
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from deploy import preflight, server

COMPILES = (
    "The engine is being compiled in the background, so that bots see further; it takes a few minutes "
    "('python3 manage.py doctor' shows how it goes, GAUNTLET_COMPILE=off turns it off)."
)


class Command(BaseCommand):
    help = "run the whole site in one program: pages, live sockets, worker and beat"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000; 0 takes a free one)")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        server.check_exposure(host)
        with ExitStack() as stack:
            listener = stack.enter_context(server.open_port(host, port))
            preflight.check_folder(settings.VAR)
            stack.enter_context(preflight.exclusive_use_of(settings.VAR))
            preflight.check_database()
            logins = self.prepare()
            if not settings.PUBLIC_HOSTS and "GAUNTLET_SITE_URL" not in os.environ:
                settings.SITE_URL = server.address(listener)
            from deploy import background_build, embedded_worker

            with embedded_worker.helpers(), background_build.running(settings.VAR, is_on=settings.COMPILE) as compiles:
                self.stdout.write(f"\nGauntlet is open at {' and '.join(server.addresses(listener))}\n")
                for login in logins:
                    self.stdout.write(f"  {login.role:<12}{login.handle:<16}{login.password}")
                if compiles:
                    self.stdout.write(COMPILES)
                self.stdout.write("Stop it with Ctrl-C.\n")
                self.stdout.flush()
                server.serve_until_stopped(listener)
        self.stdout.write("Gauntlet is closed. See you at the table.")

    def prepare(self) -> list[Any]:
        """Bring database, catalogues and static files up to date. Returns the logins of the demo club, if it is on."""
        from deploy import translations

        preflight.check_tables()
        call_command("migrate", interactive=False, verbosity=0)
        for left_over in preflight.check_tables():
            self.stdout.write(f"In the database {left_over}; 'python3 manage.py doctor' says more.")
        translations.prepare_catalogues(settings.VAR)
        if not preflight.static_is_fresh():
            call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        if not settings.DEMO:
            preflight.lock_demo(self.stdout)
            return []
        from deploy import demo

        if not demo.is_wanted():
            return demo.logins()
        self.stdout.write("A new database: setting up the demo club ...")
        return demo.seed()
