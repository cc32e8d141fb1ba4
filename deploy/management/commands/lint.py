import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from deploy.bootstrap import ROOT


class Command(BaseCommand):
    help = "run every guard: style, types, layers, migrations, catalogues"
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        guards: dict[str, Callable[[], bool]] = {
            "style (ruff check)": lambda: tool("ruff", "check", "."),
            "layout (ruff format)": lambda: tool("ruff", "format", "--check", "."),
            "types (mypy)": lambda: tool("mypy", "."),
            "layers (import-linter)": lambda: tool("lint-imports"),
            "system (django check)": lambda: django("check", "--fail-level", "WARNING"),
            "migrations": lambda: django("makemigrations", "--check", "--dry-run"),
            "catalogues": self.catalogues,
        }
        failed = [name for name, guard in guards.items() if not self.passes(name, guard)]
        if failed:
            self.stdout.write(self.style.ERROR(f"Failed: {', '.join(failed)}"))
            raise SystemExit(1)
        self.stdout.write(self.style.SUCCESS(f"All {len(guards)} guards are content."))

    def passes(self, name: str, guard: Callable[[], bool]) -> bool:
        began = time.perf_counter()
        passed = guard()
        verdict = "ok" if passed else self.style.ERROR("FAILED")
        self.stdout.write(f"{name:<26}{verdict}  {time.perf_counter() - began:.1f} s")
        self.stdout.flush()
        return passed

    def catalogues(self) -> bool:
        from deploy import messages

        problems = messages.check()
        for problem in problems:
            self.stdout.write(problem)
        return not problems


def tool(name: str, *arguments: str) -> bool:
    """Run a tool of our environment; it speaks only when it has something to complain about."""
    program = Path(sys.executable).with_name(name)
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stdout.write(done.stdout + done.stderr)
    return done.returncode == 0


def django(*arguments: str) -> bool:
    try:
        call_command(*arguments, verbosity=1)
    except (SystemExit, Exception) as error:
        sys.stdout.write(f"{error}\n")
        return False
    return True
