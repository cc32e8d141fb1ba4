"""What every new site begins with, made once a run: a migrated database, static files and, if wanted, the demo club.

Migrating takes longer than most tests. The site's own programs do it once for each kind of site; all others of the
run begin with copies.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from deploy.bootstrap import ROOT
from deploy.harness import services

MANAGE = [sys.executable, str(ROOT / "manage.py")]
PREPARE = "from deploy.management.commands.serve import Command; Command().prepare()"
SEED = "from deploy import demo; demo.seed()"


def clean_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GAUNTLET_", "COV_"))}
    for name in ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "DJANGO_SETTINGS_MODULE"):
        kept.pop(name, None)
    # Sites that tests start do not each compile the engine.
    return kept | {"GAUNTLET_BOOTSTRAP": "off", "GAUNTLET_COMPILE": "off", "PYTHONUNBUFFERED": "1"}


def clean_copy(target: Path) -> Path:
    """This tree as a fresh checkout would have it: nothing in it that was built, installed or run."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode:  # unpacked from an archive
        ignored = shutil.ignore_patterns(".*", "var", "build", "__pycache__", "*.so", "*.pyd", "*.mo", "accelerated")
        return Path(shutil.copytree(ROOT, target, ignore=ignored))
    for name in filter(None, found.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def folder(demo: str) -> Path:
    """A folder `var/` as `serve` prepares a new one."""
    made = services.folder() / f"prepared-{demo}"
    with services.locked(made.with_suffix(".lock")):
        if not made.exists():
            half = made.with_suffix(".half")
            if demo == "on":  # on top of the empty one: migrating takes as long as the demo club
                shutil.copytree(folder("off"), half, dirs_exist_ok=True)
            half.mkdir(mode=0o700, exist_ok=True)
            code = SEED if demo == "on" else PREPARE
            _manage({"GAUNTLET_VAR": str(half), "GAUNTLET_DEMO": demo}, "shell", "--no-imports", "-c", code)
            half.rename(made)
    return made


def create_database(name: str) -> None:
    """A migrated one on the run's PostgreSQL."""
    server, model = services.postgres(), services.model_database()
    with services.locked(services.folder() / "model.lock"), psycopg.connect(server, autocommit=True) as admin:
        if not admin.execute("SELECT FROM pg_database WHERE datname = %s", [model]).fetchall():
            admin.execute(f"CREATE DATABASE {model}_half")
            address = urlunsplit(urlsplit(server)._replace(path=f"/{model}_half"))
            var = str(services.folder() / "model")
            _manage({"GAUNTLET_VAR": var, "DATABASE_URL": address}, "migrate", "--verbosity", "0")
            admin.execute(f"ALTER DATABASE {model}_half RENAME TO {model}")
        admin.execute(f"CREATE DATABASE {name} TEMPLATE {model}")


def _manage(settings: dict[str, str], *arguments: str) -> None:
    env = clean_environment() | settings
    done = subprocess.run([*MANAGE, *arguments], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
