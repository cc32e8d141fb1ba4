"""The compiled rating fold: mypyc makes C of it beside its source, as `engine.build` does for the rules.

Everything works without it, to the same numbers.
"""

import hashlib
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from engine import build

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("leagues", "ratings")
FOLD = PACKAGE / "fold.py"
LIBRARY = FOLD.with_suffix(EXTENSION_SUFFIXES[0])
MARK = PACKAGE / build.MARK
# The fold and all that it reads, which is no more than numbers.
SOURCES = (Path("leagues", "__init__.py"), *(PACKAGE / f"{name}.py" for name in ("__init__", "kinds", "curve", "fold")))


def fingerprint() -> str:
    """What the compiled fold depends on: its source, how it is compiled and the Python it is for."""
    return hashlib.sha256((sys.version + build.SETUP).encode() + (ROOT / FOLD).read_bytes()).hexdigest()


def is_stale() -> bool:
    """Whether a compiled fold lies here that was made of another source than the one beside it."""
    mark = ROOT / MARK
    return (ROOT / LIBRARY).exists() and (not mark.exists() or mark.read_text() != fingerprint())


def copy_into(folder: Path) -> Path:
    """An interpreted copy in `folder`, which is the folder to run it from."""
    shutil.rmtree(folder, ignore_errors=True)
    for source in SOURCES:
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / source, folder / source)
    return folder


def compile_into(folder: Path) -> Path:
    """A compiled copy in `folder`; made anew only when the source changed."""
    mark = folder / MARK
    if mark.exists() and mark.read_text() == fingerprint():
        return folder
    copy_into(folder)
    made = subprocess.run(
        [sys.executable, "-c", build.SETUP.format(group=None), str(FOLD)], cwd=folder, capture_output=True, text=True
    )
    if made.returncode or not (folder / LIBRARY).exists():
        said = (made.stderr or made.stdout).strip().splitlines()
        raise build.BuildError("\n".join(said[-12:]) or "the compiler gave no reason")
    mark.write_text(fingerprint())
    return folder


def install(folder: Path) -> None:
    """Put the compiled fold beside its source here."""
    compile_into(folder)
    remove()
    shutil.copy2(folder / LIBRARY, ROOT / LIBRARY)
    shutil.copy2(folder / MARK, ROOT / MARK)


def remove() -> None:
    """Back to the interpreted fold."""
    (ROOT / LIBRARY).unlink(missing_ok=True)
    (ROOT / MARK).unlink(missing_ok=True)
