import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.bootstrap import LOCKS, ROOT

EXPORTS = {
    "run": ["--no-default-groups"],
    "build": ["--only-group", "build"],
    "dev": ["--only-group", "dev"],
    "bench": ["--only-group", "bench"],
}


class Command(BaseCommand):
    help = "update the lock files after a change of dependencies in pyproject.toml"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--keep", action="store_true", help="keep the versions of the present locks where they fit")

    def handle(self, *args: Any, keep: bool, **options: Any) -> None:
        installed = Path(sys.executable).with_name("uv")
        uv = shutil.which("uv") or (str(installed) if installed.exists() else None)
        if not uv:
            raise CommandError("relock needs uv: install it (python3 -m pip install uv) and start again")
        # uv.lock records where packages came from: it is made in a temporary folder and only the exports are kept.
        with tempfile.TemporaryDirectory() as folder:
            project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
            if keep:
                project = project.replace("[tool.uv]\n", f"[tool.uv]\nconstraint-dependencies = {present_versions()}\n")
            (Path(folder) / "pyproject.toml").write_text(project, encoding="utf-8")
            (Path(folder) / "README.md").touch()
            self.run(uv, folder, "lock")
            texts = {lock: self.export(uv, folder, options) for lock, options in EXPORTS.items()}
        for lock, text in texts.items():
            (LOCKS / f"{lock}.txt").write_text(text)
            self.stdout.write(f"deploy/locks/{lock}.txt: {text.count('==')} packages")

    def export(self, uv: str, folder: str, options: list[str]) -> str:
        form = ["--format", "requirements-txt", "--no-header", "--no-emit-project", "--frozen"]
        return self.run(uv, folder, "export", *form, *options)

    def run(self, uv: str, folder: str, *arguments: str) -> str:
        done = subprocess.run(
            [uv, *arguments], cwd=folder, capture_output=True, text=True, check=False, env={**os.environ}
        )
        if done.returncode:
            raise CommandError(f"uv {arguments[0]} failed: {done.stderr.strip().splitlines()[-1]}")
        return done.stdout


def present_versions() -> list[str]:
    """What the locks name now, as constraints: the markers and hashes of a new lock are made anew."""
    found = {
        line
        for lock in LOCKS.glob("*.txt")
        for line in re.findall(r"^([\w.-]+==[^\s;]+)", lock.read_text(), re.MULTILINE)
    }
    # Two versions of one package, for different Pythons, cannot both be kept.
    names = [line.partition("==")[0] for line in found]
    return sorted(line for line in found if names.count(line.partition("==")[0]) == 1)
