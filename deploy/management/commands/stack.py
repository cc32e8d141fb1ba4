import signal
import time
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from deploy.stack import ROOT, Stack


class Command(BaseCommand):
    help = "run the services of deploy/compose.yaml as plain processes, without a container engine"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--env", type=Path, default=ROOT / "deploy" / ".env", help="variables (deploy/.env)")
        parser.add_argument("--folder", type=Path, default=settings.VAR / "stack", help="its data (var/stack)")
        parser.add_argument("--port", type=int, default=8000, help="port of the pages (8000; 0 takes a free one)")

    def handle(self, *args: Any, env: Path, folder: Path, port: int, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, leave)
        stack = Stack(env, folder.resolve(), port)
        with suppress(StopRequested), stack.opened():
            for name in ("web", "worker"):
                stack.wait_until_healthy(name)
            self.stdout.write(f"\nThe stack is open at {stack.address}\nStop it with Ctrl-C.\n")
            self.stdout.flush()
            while True:
                time.sleep(1)
                stack.look_after()
        self.stdout.write("The stack is closed.")


class StopRequested(BaseException):
    """Raised by a signal, also while the stack is still starting."""


def leave(*_: object) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # once is enough
    raise StopRequested
