import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from deploy import node_tools, plain_names
from deploy.bootstrap import ROOT

# Our own scripts and their tests; what others wrote is in folders named vendor.
SCRIPTS = ("deploy", "games", "leagues", "tests")


class Command(BaseCommand):
    help = "run every check: style, types, layers, migrations, catalogues, templates, scripts, schemas"
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        guards: dict[str, Callable[[], bool]] = {
            "style (ruff check)": lambda: tool("ruff", "check", "."),
            "layout (ruff format)": lambda: tool("ruff", "format", "--check", "."),
            "types (mypy)": lambda: tool("mypy", "."),
            "layers (import-linter)": lambda: tool("lint-imports"),
            "names (refused words)": self.names,
            "system (django check)": lambda: django("check", "--fail-level", "WARNING"),
            "migrations": lambda: django("makemigrations", "--check", "--dry-run"),
            "catalogues": self.catalogues,
            "templates (djhtml)": lambda: tool("djhtml", "--check", "--tabwidth", "2", "templates"),
            "scripts (eslint)": lambda: node("eslint", "--config", "deploy/lint/eslint.config.js", *SCRIPTS),
            "script types (tsc)": lambda: node("tsc", "--project", "deploy/lint"),
            "core types (tsc, strict)": lambda: node("tsc", "--project", "deploy/lint/tsconfig.core.json"),
            "script tests (node)": script_tests,
            "schema": lambda: django("schema", "--check"),
        }
        failed = [name for name, guard in guards.items() if not self.passes(name, guard)]
        if failed:
            self.stdout.write(self.style.ERROR(f"Failed: {', '.join(failed)}"))
            raise SystemExit(1)
        self.stdout.write(self.style.SUCCESS(f"All {len(guards)} checks passed."))

    def passes(self, name: str, guard: Callable[[], bool]) -> bool:
        began = time.perf_counter()
        passed = guard()
        verdict = "ok" if passed else self.style.ERROR("FAILED")
        self.stdout.write(f"{name:<26}{verdict}  {time.perf_counter() - began:.1f} s")
        self.stdout.flush()
        return passed

    def names(self) -> bool:
        refused = plain_names.refused_names(ROOT)
        for name in refused:
            self.stdout.write(f"{name}: a word that says too little, see deploy/plain_names.py")
        return not refused

    def catalogues(self) -> bool:
        from deploy import glossary, translations

        problems = translations.check() + glossary.check()
        for problem in problems:
            self.stdout.write(problem)
        return not problems


def tool(name: str, *arguments: str) -> bool:
    """Run a tool of our environment. Its output is shown only if it fails."""
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


def node(name: str, *arguments: str) -> bool:
    """Run a tool from npm."""
    return is_content(lambda: node_tools.tool(name, *arguments))


def script_tests() -> bool:
    return is_content(node_tools.test_scripts)


def is_content(check: Callable[[], subprocess.CompletedProcess[str]]) -> bool:
    try:
        done = check()
    except node_tools.CannotCheck as error:
        sys.stdout.write(f"{error}\n")
        return False
    if done.returncode:
        sys.stdout.write(done.stdout + done.stderr)
    return done.returncode == 0
