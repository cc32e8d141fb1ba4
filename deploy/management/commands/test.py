import os
import subprocess
import sys
from typing import Any

from django.core.management.base import BaseCommand

from deploy.bootstrap import ROOT


class Command(BaseCommand):
    help = "prove it all: the whole suite, or what the pytest arguments select"
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Everything after `test` belongs to pytest, --help included."""
        raise SystemExit(self.handle(argv[2:]))

    def handle(self, given: list[str], **options: Any) -> int:  # type: ignore[override]
        arguments = list(given) or ["--cov", "--cov-report=term"]
        if not any(argument.startswith(("-n", "--numprocesses", "--pdb")) for argument in given):
            arguments += ["-n", "2", "--dist", "loadfile"]
        command = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.call(command, cwd=ROOT, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
