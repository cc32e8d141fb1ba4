"""Compiles the engine in the background, so that bots think faster without anybody asking for it.

`serve` and the worker start this module as a process of its own with the lowest priority. It compiles a copy of the
engine in the site's folder, also where the code itself is read-only. Bot processes are started from that copy as soon
as it is complete: a match under way goes on with the next move. An upgrade changes the sources, so it compiles anew.

Imports nothing of the site or the engine: it runs beside them.
"""

import importlib.util
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from deploy import bootstrap, compiled_build

STATUS = "status.json"
WORKING = ("installing", "compiling")
# How often a process looks whether the compiled copy is there.
LOOK_EVERY = 1.0


# -- in the site


def missing_tool() -> str:
    """What this machine lacks to compile, in words, or an empty string."""
    if os.name == "nt":
        return "a C compiler"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if not (shutil.which(compiler) or (not os.environ.get("CC") and shutil.which("cc"))):
        return "a C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python's headers"
    return ""


def is_needed(var: Path) -> bool:
    return not (compiled_build.is_installed() or compiled_build.has_mark(compiled_build.folder_in(var)))


@contextmanager
def running(var: Path, *, is_on: bool) -> Iterator[bool]:
    """Compile while the block runs, if that is wanted, possible and not done yet. Yields whether it has begun."""
    if not is_on or missing_tool() or not is_needed(var):
        yield False
        return
    compiler = subprocess.Popen(
        [sys.executable, "-m", "deploy.background_build", str(var)],
        cwd=bootstrap.ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the site, which stops it
    )
    try:
        yield True
    finally:
        with suppress(ProcessLookupError):
            os.killpg(compiler.pid, signal.SIGTERM)
        compiler.wait()


class Home:
    """Where bot processes are started: in the compiled copy once it is there, else next to the sources."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.found: Path | None = None
        self.look_at = 0.0

    def __call__(self) -> Path:
        if self.found is None and time.monotonic() >= self.look_at:
            self.look_at = time.monotonic() + LOOK_EVERY
            folder = compiled_build.folder_in(self.var)
            if compiled_build.has_mark(folder):
                self.found = folder
        return self.found or bootstrap.ROOT


def status(var: Path) -> dict[str, Any]:
    """What the last build for these sources said about itself; empty if there was none."""
    try:
        found = json.loads((compiled_build.folder_in(var).parent / STATUS).read_text())
    except (OSError, ValueError):
        return {}
    return dict(found) if found.get("sources") == compiled_build.fingerprint() else {}


def is_alive(build: dict[str, Any]) -> bool:
    """Whether the process that reported this is still there. It may be another user's, of the same site."""
    try:
        os.kill(int(build["pid"]), 0)
    except PermissionError:
        return True
    except (OSError, KeyError, ValueError):
        return False
    return True


# -- in its own process


def main(var: Path) -> None:
    os.nice(19)
    target = compiled_build.folder_in(var)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_one(target.with_suffix(".lock")) as is_first:
        if not is_first or compiled_build.has_mark(target):
            return
        try:
            report(var, "installing")
            python = python_with_compiler(target.parent / "compiler")
            report(var, "compiling")
            compiled_build.compile_into(target, python)
        except (compiled_build.BuildError, OSError, subprocess.SubprocessError) as error:
            report(var, "failed", reason=str(error).strip())
            raise SystemExit(1) from None
        report(var, "compiled")
        remove_old(target)


@contextmanager
def only_one(file: Path) -> Iterator[bool]:
    """Several workers may start at the same time: the first one compiles."""
    try:
        import fcntl
    except ImportError:  # Windows: nothing shares a folder there
        yield True
        return
    with file.open("w") as turn:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def report(var: Path, state: str, **more: str) -> None:
    file = compiled_build.folder_in(var).parent / STATUS
    draft = file.with_suffix(f".{os.getpid()}")
    found = {"state": state, "at": time.time(), "sources": compiled_build.fingerprint(), "pid": os.getpid(), **more}
    draft.write_text(json.dumps(found))
    draft.replace(file)


def python_with_compiler(folder: Path) -> Path:
    """A Python that has the packages for compiling: this one, or one in an environment made for it."""
    if all(importlib.util.find_spec(name) for name in ("mypyc", "setuptools")):
        return Path(sys.executable)
    python, stamp = folder / "bin" / "python", folder / "gauntlet-build.stamp"
    if stamp.is_file() and stamp.read_text() == bootstrap.fingerprint("build"):
        return python
    venv.create(folder, clear=True, with_pip=True)
    options = "--quiet --no-deps --require-hashes --only-binary=:all: --no-compile --no-input"
    lock = bootstrap.LOCKS / "build.txt"
    done = subprocess.run(
        [python, "-m", "pip", "install", *options.split(), "-r", lock], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise compiled_build.BuildError(
            f"the packages for compiling could not be installed: {done.stderr.strip()[-300:]}"
        )
    stamp.write_text(bootstrap.fingerprint("build"))
    return python


def remove_old(target: Path) -> None:
    """Keep the last one besides the new: a process of the former version may still run from it."""
    others = [folder for folder in target.parent.glob("compiled-*") if folder.is_dir() and folder != target]
    for folder in sorted(others, key=lambda one: one.stat().st_mtime)[:-1]:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
