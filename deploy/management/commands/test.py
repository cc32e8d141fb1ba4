import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from django.core.management.base import BaseCommand

from deploy.bootstrap import ROOT


class Command(BaseCommand):
    help = "run the tests: all of them, or those that the pytest arguments select"
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """All arguments after `test` are for pytest, --help too."""
        raise SystemExit(self.handle(argv[2:]))

    def handle(self, given: list[str], **options: Any) -> int:  # type: ignore[override]
        arguments = list(given)
        if not any(argument.startswith(("-n", "--numprocesses", "--pdb")) for argument in given):
            arguments += ["-n", "2", "--dist", "loadfile"]
        command = [sys.executable, "-m", "pytest", *arguments]
        # Byte code is kept outside the tree: the tree stays clean, and the many programs that tests start need not
        # compile every module again, which takes longer than everything else in their start.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        bytecode = ROOT / "var" / "bytecode"
        env["PYTHONPYCACHEPREFIX"] = str(bytecode)
        try:
            return subprocess.call(command, cwd=ROOT, env=env)
        finally:  # of copies that tests have made and thrown away
            shutil.rmtree(bytecode / tempfile.gettempdir().lstrip("/"), ignore_errors=True)
