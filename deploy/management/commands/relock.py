import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.bootstrap import LOCKS, ROOT

EXPORTS = {
    "run": ["--no-default-groups"],
    "dev": ["--only-group", "dev"],
    "bench": ["--only-group", "bench"],
}


class Command(BaseCommand):
    help = "make the lock files again after a change of dependencies in pyproject.toml"
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        beside = Path(sys.executable).with_name("uv")
        uv = shutil.which("uv") or (str(beside) if beside.exists() else None)
        if not uv:
            raise CommandError("relock needs uv: install it (python3 -m pip install uv) and start again")
        # uv.lock records where packages came from: it is made aside and only the exports are kept.
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "pyproject.toml", folder)
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
