"""Builds the house's own Python environment and starts every command inside it.

Imports nothing but the standard library: it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = ROOT / "deploy" / "locks"

# What a command needs on top of the run-time packages.
EXTRA_LOCKS = {
    "test": ["dev"],
    "lint": ["dev"],
    "accelerate": ["dev"],
    "audit": ["dev"],
    "drill": ["dev"],
    "stack": ["dev"],
    "bench": ["dev", "bench"],
}
# Peers to measure beside: without them the bench runs on and leaves their rows out.
OPTIONAL = {"bench"}


class CannotPrepare(SystemExit):
    """The environment cannot be made; the message says what to do about it."""

    def __init__(self, message: str) -> None:
        super().__init__(f"Gauntlet: {message}")


def main(argv: list[str]) -> None:
    command = argv[1] if len(argv) > 1 else "help"
    if os.environ.get("GAUNTLET_BOOTSTRAP", "on") != "off":
        python = prepare(["run", *EXTRA_LOCKS.get(command, [])])
        if Path(sys.prefix).resolve() != VENV.resolve():
            restart(python, argv)
    from deploy import commands

    commands.run(argv)


def prepare(locks: list[str]) -> Path:
    """The environment's Python, with these locks installed; does nothing when they are."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if all(is_installed(lock) for lock in locks) and python.exists():
        return python
    with writable_house(), one_at_a_time():
        if not (python.exists() and is_sound()):
            make_environment()
        for lock in locks:
            if not is_installed(lock):
                install(python, lock)
    return python


def restart(python: Path, argv: list[str]) -> None:
    if os.name == "nt":  # execv there returns to the shell before the command has ended
        raise SystemExit(subprocess.call([str(python), *argv]))
    sys.stdout.flush()
    os.execv(python, [str(python), *argv])


def is_sound() -> bool:
    """Whether the environment was made whole, for this Python, and no install in it was cut off."""
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


@contextmanager
def writable_house() -> Iterator[None]:
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
    yield


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two first starts at once must not install over each other."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (ROOT / "deploy" / "bootstrap.py").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield


def make_environment() -> None:
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        raise CannotPrepare(
            "this Python has no venv and pip; on Debian or Ubuntu run "
            f"'sudo apt install python3-venv' (or python{sys.version_info[0]}.{sys.version_info[1]}-venv), "
            "elsewhere install Python from python.org, and start again"
        ) from None
    say(f"Making the house's own Python environment in {VENV.name} (first start only) ...")
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotPrepare(
            f"could not make {VENV} ({error}): check free space and permissions and start again"
        ) from None
    stamp("base").write_text(python_version())


def install(python: Path, lock: str) -> None:
    """Install one lock; its stamp comes last, so that an interrupted install is done again.

    A half-unpacked package can pass for a whole one, hence the mark while pip is at work.
    """
    stamp("unfinished").touch()
    file = LOCKS / f"{lock}.txt"
    total = sum(1 for line in file.read_text().splitlines() if "==" in line)
    options = "--require-hashes --only-binary=:all: --no-input --disable-pip-version-check --progress-bar=off"
    pip = subprocess.Popen(
        [python, "-m", "pip", "install", *options.split(), "-r", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert pip.stdout is not None
    output, seen = [], 0
    say(f"Installing {lock} packages (up to {total}) ...")
    for line in pip.stdout:
        output.append(line.rstrip())
        if line.startswith(("Collecting ", "Requirement already satisfied")):
            seen += 1
            progress(f"  {seen} of {total}: {line.split()[1].split('==')[0]}")
        elif line.startswith("Installing collected"):
            progress("  unpacking ...")
    progress("")
    failed = pip.wait()
    stamp("unfinished").unlink()
    if not failed:
        stamp(lock).write_text(fingerprint(lock))
        return
    reason = next((line for line in reversed(output) if line.startswith("ERROR")), "pip gave no reason")
    if lock in OPTIONAL:
        say(f"The {lock} packages could not be installed and are left out: {reason}")
        return
    say("\n".join(output[-12:]))
    raise CannotPrepare(
        f"could not install the {lock} packages ({reason}): check the network connection and start again; "
        "what was downloaded is kept"
    )


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<70}", end="\r" if not text else "", file=sys.stderr, flush=True)  # noqa: T201
