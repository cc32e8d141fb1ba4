from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from deploy import preflight, server, translations


class Command(BaseCommand):
    help = "run one web process of a larger site: pages and live sockets, no worker"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000; 0 takes a free one)")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        server.check_exposure(host)
        with server.open_port(host, port) as listener:
            preflight.check_database()
            preflight.check_tables()
            translations.prepare_catalogues(settings.VAR)
            preflight.check_static()
            preflight.lock_demo(self.stdout)
            self.stdout.write(f"Gauntlet's web process is open at {server.address(listener)}")
            self.stdout.flush()
            server.serve_until_stopped(listener)
