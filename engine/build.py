"""The compiled build: mypyc makes C of the fast side, from the same source and beside it.

Everything works without it. `manage.py accelerate` builds it in place; the tests and the benchmarks build a copy
elsewhere, so that both builds can be compared whatever this folder holds.
"""

import hashlib
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent

MARKED = "Compiled by mypyc"
"""Said in the docstring of every module of the fast side: all that a simulation or a search touches."""


def is_marked(file: Path) -> bool:
    text = file.read_text(encoding="utf-8")
    return text.startswith('"""') and MARKED in text[: text.find('"""', 3)]


FAST = tuple(sorted(file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.py") if is_marked(file)))

GROUP = "engine"
"""mypyc puts what the modules share into one library called engine__mypyc, beside the package."""

MARK = "accelerated"
"""Written last, beside the libraries: the fingerprint of the sources they were made of."""

SETUP = """
import os
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(["--strict", "--config-file=", *sys.argv[1:]], group_name={group!r}, opt_level="3", debug_level="0")
if os.name == "posix":  # nobody replaces our functions at load time: the compiler may inline what it sees
    for module in modules:
        module.extra_compile_args.append("-fno-semantic-interposition")
setup(name="engine-fast", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""


class BuildError(Exception):
    """The compiler is missing or said no; the interpreted engine still stands."""


def fingerprint(package: Path | None = None) -> str:
    """What the compiled build depends on: the sources, how they are compiled and the Python it is for."""
    digest = hashlib.sha256((sys.version + SETUP).encode())
    for file in FAST:
        digest.update(((package or PACKAGE) / file).read_bytes())
    return digest.hexdigest()


def libraries(package: Path | None = None) -> list[Path]:
    """The compiled files of a package."""
    package, suffix = package or PACKAGE, EXTENSION_SUFFIXES[0]
    own = [(package / file).with_suffix(suffix) for file in FAST]
    return [file for file in (*own, package.parent / f"{GROUP}__mypyc{suffix}") if file.exists()]


def name() -> str:
    """Which build runs here: "compiled" or "interpreted"."""
    import engine.state

    return "interpreted" if str(engine.state.__file__).endswith(".py") else "compiled"


def is_stale() -> bool:
    """Whether compiled files lie here that were made of other sources than those beside them."""
    mark = PACKAGE / MARK
    return bool(libraries()) and (not mark.exists() or mark.read_text() != fingerprint())


def copy_into(folder: Path) -> Path:
    """An interpreted copy of the package in `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", MARK)
    return Path(shutil.copytree(PACKAGE, folder / "engine", ignore=ignored))


def compile_into(folder: Path) -> Path:
    """A compiled copy of the package in `folder`; made anew only when the sources changed."""
    package = folder / "engine"
    mark = package / MARK
    if mark.exists() and mark.read_text() == fingerprint():
        return package
    copy_into(folder)
    made = subprocess.run(
        [sys.executable, "-c", SETUP.format(group=GROUP), *(f"engine/{file}" for file in FAST)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if made.returncode or len(libraries(package)) != len(FAST) + 1:
        said = (made.stderr or made.stdout).strip().splitlines()
        raise BuildError("\n".join(said[-12:]) or "the compiler gave no reason")
    mark.write_text(fingerprint())
    return package


def install(folder: Path) -> None:
    """Put a compiled copy's libraries beside the sources here."""
    package = compile_into(folder)
    remove()
    for library in libraries(package):
        shutil.copy2(library, PACKAGE.parent / library.relative_to(folder))
    (PACKAGE / MARK).write_text(fingerprint())


def remove() -> None:
    """Back to the interpreted build."""
    for file in (*libraries(), PACKAGE / MARK):
        file.unlink(missing_ok=True)
