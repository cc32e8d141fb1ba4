import os
from argparse import ArgumentParser
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from deploy import preflight, server


class Command(BaseCommand):
    help = "open the house: site, live sockets, worker and beat in one program"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000; 0 takes a free one)")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        server.check_reach(host)
        with ExitStack() as held:
            listener = held.enter_context(server.open_port(host, port))
            preflight.check_folder(settings.VAR)
            held.enter_context(preflight.alone_in(settings.VAR))
            preflight.check_database()
            logins = self.prepare()
            if not settings.PUBLIC_HOSTS and "GAUNTLET_SITE_URL" not in os.environ:
                settings.SITE_URL = server.address(listener)
            from deploy import embedded

            with embedded.helpers():
                self.stdout.write(f"\nGauntlet is open at {' and '.join(server.addresses(listener))}\n")
                for login in logins:
                    self.stdout.write(f"  {login.role:<12}{login.handle:<16}{login.password}")
                self.stdout.write("Stop it with Ctrl-C.\n")
                self.stdout.flush()
                server.serve_until_told(listener)
        self.stdout.write("Gauntlet is closed. See you at the table.")

    def prepare(self) -> list[Any]:
        """Bring database, catalogues and static files up to date; the demo club's logins if it is there."""
        from deploy import messages

        new = preflight.is_new_database()
        call_command("migrate", interactive=False, verbosity=0)
        messages.compile_catalogues()
        if not preflight.static_is_fresh():
            call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        if not settings.DEMO:
            preflight.lock_demo(self.stdout)
            return []
        from deploy import demo

        if not new:
            return demo.logins()
        self.stdout.write("A new database: setting up the demo club ...")
        return demo.seed()
