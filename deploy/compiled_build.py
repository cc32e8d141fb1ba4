"""The compiled build: mypyc compiles the hot modules of the engine and of the rating update from the same sources.

Everything works without it, with the same moves and numbers. `manage.py accelerate` puts the libraries next to their
sources. Tests and benchmarks compile a copy elsewhere, so that both builds can be compared.

It imports nothing of the site or the engine: it must work where libraries that do not load are next to the sources.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# All that is copied to be compiled: the engine, and the ratings' arithmetic with what it reads.
COPIED = ("engine", "leagues/elo", "leagues/__init__.py")
MARKED = "Compiled by mypyc"
"""The docstring of every compiled module contains this."""

MARK = Path("engine", "accelerated")
"""Written last, next to the libraries: the fingerprint of the sources they were compiled from."""

SETUP = """
import os
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(["--strict", "--config-file=", *sys.argv[1:]], group_name="gauntlet", opt_level="3", debug_level="0")
if os.name == "posix":  # functions are not replaced at load time, so the compiler may inline them
    for module in modules:
        module.extra_compile_args.append("-fno-semantic-interposition")
setup(name="gauntlet-compiled", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""

LOAD = """
import importlib, json, sys
files = {name: importlib.import_module(name).__file__ for name in sys.argv[1:]}
print(json.dumps(files))
"""


class BuildError(Exception):
    """The compiler is missing or has failed, or the libraries do not load; the interpreted build still works."""


def modules() -> tuple[str, ...]:
    """The files that are compiled, relative to the root."""
    files = (file for folder in COPIED for file in (ROOT / folder).rglob("*.py"))
    return tuple(sorted(file.relative_to(ROOT).as_posix() for file in files if is_marked(file)))


def is_marked(file: Path) -> bool:
    text = file.read_text(encoding="utf-8")
    return text.startswith('"""') and MARKED in text[: text.find('"""', 3)]


def fingerprint() -> str:
    """Fingerprint of all that a compiled copy is made of: what is copied, the build script and the Python version.

    Bots run from the copy, so the modules and card files that are not compiled count too.
    """
    digest = hashlib.sha256((sys.version + SETUP).encode())
    for file in copied_files():
        digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


def copied_files() -> list[Path]:
    """All sources that a copy has, in order; nothing that was built from them."""
    folders = (ROOT / name for name in COPIED)
    files = (file for folder in folders for file in (folder.rglob("*") if folder.is_dir() else [folder]))
    return sorted(file for file in files if file.is_file() and not is_built(file))


def is_built(file: Path) -> bool:
    return "__pycache__" in file.parts or file.suffix in (".so", ".pyd") or file.name == MARK.name


def libraries(root: Path) -> Iterator[Path]:
    """Every compiled file under a root: one for each module, and the shared one that mypyc puts next to them."""
    for pattern in ("*.so", "*.pyd"):
        yield from root.glob(pattern)
        for package in ("engine", "leagues"):
            yield from (root / package).rglob(pattern)


def is_installed() -> bool:
    return any(True for _ in libraries(ROOT))


def is_stale() -> bool:
    """Whether there are libraries here that were compiled from other sources than those next to them."""
    return is_installed() and not has_mark(ROOT)


def has_mark(root: Path) -> bool:
    mark = root / MARK
    return mark.exists() and mark.read_text() == fingerprint()


def copy_into(folder: Path) -> None:
    """Make an interpreted copy in `folder`. It is run from that folder."""
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", MARK.name)
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copy2(source, target)


def folder_in(var: Path) -> Path:
    """Where a site keeps the compiled copy of these sources."""
    return var / "build" / f"compiled-{fingerprint()[:12]}"


def compile_into(folder: Path, python: Path | None = None) -> None:
    """Make a compiled copy in `folder`, unless the one there is up to date. `python` has the packages for it."""
    if has_mark(folder):
        return
    copy_into(folder)
    made = subprocess.run(
        [python or sys.executable, "-c", SETUP, *modules()], cwd=folder, capture_output=True, text=True
    )
    if made.returncode:
        raise BuildError(last_lines(made.stderr or made.stdout))
    expect_loaded(folder)
    (folder / MARK).write_text(fingerprint())


def install(folder: Path) -> None:
    """Copy the libraries of a compiled copy next to the sources here. If they do not load, remove them again."""
    compile_into(folder)
    remove()
    for library in libraries(folder):
        shutil.copy2(library, ROOT / library.relative_to(folder))
    try:
        expect_loaded(ROOT)
    except BuildError:
        remove()
        raise
    shutil.copy2(folder / MARK, ROOT / MARK)


def expect_loaded(root: Path) -> None:
    """Check in a new Python process under `root` that every compiled module is loaded from its library."""
    names = [file.removesuffix(".py").replace("/", ".") for file in modules()]
    loaded = subprocess.run([sys.executable, "-c", LOAD, *names], cwd=root, capture_output=True, text=True)
    if loaded.returncode:
        raise BuildError(last_lines(loaded.stderr))
    wrong = [name for name, file in json.loads(loaded.stdout).items() if not is_library_of(root, Path(file))]
    if wrong:
        raise BuildError(f"these modules were not loaded from their libraries: {', '.join(wrong)}")


def is_library_of(root: Path, file: Path) -> bool:
    return file.name.endswith(tuple(EXTENSION_SUFFIXES)) and file.resolve().is_relative_to(root.resolve())


def remove() -> None:
    """Go back to the interpreted build, even if the libraries are broken."""
    for file in (*libraries(ROOT), ROOT / MARK):
        file.unlink(missing_ok=True)


def last_lines(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-12:]) or "the compiler gave no reason"
