"""Tools from npm that check our scripts. Only `lint` and the tests use them: the site has no build step.

`deploy/lint/package-lock.json` says which; they are installed into a folder of their own when it changes.
"""

import re
import shutil
import subprocess
from pathlib import Path

from deploy.bootstrap import ROOT

CONFIG = ROOT / "deploy" / "lint"
FOLDER = ROOT / "var" / "lint"
STAMP = FOLDER / "installed"
SCRIPT_TESTS = "tests/games/scripts"
# From this version on Node sees by itself that a file is a module.
DETECTS_MODULES = (20, 19)


class CannotCheck(Exception):
    """The scripts cannot be checked here: Node.js or one of its packages is missing, or the tests are."""


def install() -> None:
    """Install what the lock says, unless it is there."""
    npm = find_program("npm")
    lock = (CONFIG / "package-lock.json").read_text(encoding="utf-8")
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == lock:
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(CONFIG / name, FOLDER / name)
    done = run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], FOLDER)
    if done.returncode:
        raise CannotCheck(
            f"npm could not install the packages of deploy/lint/package-lock.json:\n{done.stderr.strip()}"
        )
    STAMP.write_text(lock, encoding="utf-8")


def tool(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of our lock from the root of the project."""
    find_program("node")
    install()
    return run([str(FOLDER / "node_modules" / ".bin" / name), *arguments], ROOT)


def test_scripts() -> subprocess.CompletedProcess[str]:
    """Run the unit tests of the scripts; Node's own test runner needs no package."""
    node = find_program("node")
    files = [str(file.relative_to(ROOT)) for file in sorted((ROOT / SCRIPT_TESTS).glob("*.test.js"))]
    if not files:
        raise CannotCheck(f"there is no test in {SCRIPT_TESTS}")
    modules = [] if version(node) >= DETECTS_MODULES else ["--experimental-default-type=module"]
    return run([node, *modules, "--test", *files], ROOT)


def version(node: str) -> tuple[int, int]:
    found = re.match(r"v(\d+)\.(\d+)", run([node, "--version"], ROOT).stdout)
    if not found:
        raise CannotCheck(f"{node} --version does not say which version it is")
    return int(found[1]), int(found[2])


def find_program(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise CannotCheck(
            f"{name} is not on this machine: install Node.js 18.19 or later with npm "
            "(Debian and Ubuntu: sudo apt install nodejs npm) and start again"
        )
    return found


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
