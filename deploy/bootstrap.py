"""Creates the Python environment of the project and starts every command in it.

Imports nothing but the standard library: it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = ROOT / "deploy" / "locks"

# What a command needs on top of the run-time packages.
EXTRA_LOCKS = {
    "test": ["dev"],
    "lint": ["dev"],
    "accelerate": ["build"],
    "audit": ["dev"],
    "drill": ["dev"],
    "release": ["dev"],
    "stack": ["dev"],
    "bench": ["dev", "bench"],
}
# Peers to compare with: without them the bench leaves their rows out.
OPTIONAL = {"bench"}
# All packages have wheels for Python 3.11 up to this one.
NEWEST_PYTHON = (3, 14)


class CannotPrepare(SystemExit):
    """The environment cannot be made. The message says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(f"Gauntlet: {message}")


def main(argv: list[str]) -> None:
    command = argv[1] if len(argv) > 1 else "help"
    if os.environ.get("GAUNTLET_BOOTSTRAP", "on") != "off":
        python = prepare(["run", *EXTRA_LOCKS.get(command, [])], with_bytecode=command != "serve")
        if Path(sys.prefix).resolve() != VENV.resolve():
            restart(python, argv)
    from deploy import commands

    commands.run(argv)


def prepare(locks: list[str], *, with_bytecode: bool = True) -> Path:
    """Return the Python of the environment. Installs these locks if they are not installed yet.

    Packages are compiled to bytecode unless the user who installs them also runs them: then Python does so itself, for
    the few modules that are needed, and the first start is much shorter.
    """
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if all(is_installed(lock) for lock in locks) and python.exists():
        return python
    check_writable()
    with one_at_a_time():
        if all(is_installed(lock) for lock in locks) and python.exists():
            return python
        if not (python.exists() and is_complete()):
            make_environment()
        for lock in locks:
            if not is_installed(lock):
                install(python, lock, with_bytecode=with_bytecode)
    return python


def restart(python: Path, argv: list[str]) -> None:
    if os.name == "nt":  # execv there returns to the shell before the command has ended
        raise SystemExit(subprocess.call([str(python), *argv]))
    sys.stdout.flush()
    os.execv(python, [str(python), *argv])


def is_complete() -> bool:
    """Whether the environment was made completely, for this Python, and no install was interrupted."""
    base = stamp("base")
    return base.is_file() and base.read_text() == python_version() and not stamp("unfinished").exists()


def is_installed(lock: str) -> bool:
    try:
        return stamp(lock).read_text() == fingerprint(lock)
    except OSError:
        return False


def stamp(lock: str) -> Path:
    return VENV / f"gauntlet-{lock}.stamp"


def fingerprint(lock: str) -> str:
    return hashlib.sha256((LOCKS / f"{lock}.txt").read_bytes() + python_version().encode()).hexdigest()


def python_version() -> str:
    return f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"


def check_writable() -> None:
    try:
        VENV.mkdir(exist_ok=True)
        probe = VENV / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CannotPrepare(
            f"cannot write to {VENV} ({error.strerror}): make the folder {ROOT} writable for this user, "
            "or copy it to a place where you may write, and start again"
        ) from None


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two first starts at the same time must not install into the same environment."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    # On the folder that holds the environment: several checkouts may share one by a link.
    turn = os.open(VENV.resolve().parent, os.O_RDONLY)
    try:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield
    finally:
        os.close(turn)


def make_environment() -> None:
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        raise CannotPrepare(
            "this Python has no venv and pip; on Debian or Ubuntu run "
            f"'sudo apt install python3-venv' (or python{sys.version_info[0]}.{sys.version_info[1]}-venv), "
            "elsewhere install Python from python.org, and start again"
        ) from None
    print_line(f"Creating the Python environment in {VENV.name} (first start only) ...")
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotPrepare(
            f"could not make {VENV} ({error}): check free space and permissions and start again"
        ) from None
    stamp("base").write_text(python_version())


def install(python: Path, lock: str, *, with_bytecode: bool = True) -> None:
    """Install one lock file. Its stamp is written last, so that an interrupted install is repeated.

    A half-unpacked package can look complete, so a second file marks that pip is running.
    """
    stamp("unfinished").touch()
    file = LOCKS / f"{lock}.txt"
    total = sum(1 for line in file.read_text().splitlines() if "==" in line)
    # The locks name every package. Without --no-deps, pip looks for newer releases of packages that are asked for
    # with an extra, finds one day a release that no lock has a hash of, and gives up.
    options = "--no-deps --require-hashes --only-binary=:all: --no-input --disable-pip-version-check --progress-bar=off"
    if not with_bytecode:
        options += " --no-compile"
    print_line(f"Installing {lock} packages (up to {total}) ...")
    output, seen = [], 0
    with tempfile.TemporaryDirectory() as folder:
        pips, lines = start_pips([python, "-m", "pip", "install", *options.split()], file, Path(folder))
        for line in lines:
            output.append(line.rstrip())
            if line.startswith(("Collecting ", "Requirement already satisfied")):
                seen += 1
                progress(f"  {seen} of {total}: {line.split()[1].split('==')[0]}")
            elif line.startswith("Installing collected"):
                progress("  unpacking ...")
        failed = {pip.wait() for pip in pips} != {0}
    progress("")
    stamp("unfinished").unlink()
    if not failed:
        stamp(lock).write_text(fingerprint(lock))
        return
    reason = next((line for line in reversed(output) if line.startswith("ERROR")), "pip gave no reason")
    if lock in OPTIONAL:
        print_line(f"The {lock} packages could not be installed and are skipped: {reason}")
        return
    print_line("\n".join(output[-12:]))
    if sys.version_info[:2] > NEWEST_PYTHON:
        newest = "{}.{}".format(*NEWEST_PYTHON)
        raise CannotPrepare(
            f"could not install the {lock} packages ({reason}): some have no release for Python "
            f"{sys.version_info[0]}.{sys.version_info[1]} yet; start again with Python {newest}, "
            f"for example with python{newest} manage.py serve"
        )
    raise CannotPrepare(
        f"could not install the {lock} packages ({reason}): check the network connection and start again; "
        "what was downloaded is kept"
    )


def start_pips(command: list[Any], lock: Path, folder: Path) -> tuple[list[subprocess.Popen[bytes]], TextIO]:
    """Two processes that install half of a lock each, and the lines they print: pip itself uses one core only."""
    options, *packages = re.split(r"^(?=\w)", lock.read_text(), flags=re.MULTILINE)
    middle = (len(packages) + 1) // 2
    read, write = os.pipe()
    pips = []
    for number, half in enumerate((packages[:middle], packages[middle:])):
        if half or not number:
            share = folder / f"{number}.txt"
            share.write_text(options + "".join(half))
            pips.append(subprocess.Popen([*command, "-r", share], stdout=write, stderr=subprocess.STDOUT))
    os.close(write)
    return pips, os.fdopen(read, errors="replace")


def print_line(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<70}", end="\r" if not text else "", file=sys.stderr, flush=True)  # noqa: T201
