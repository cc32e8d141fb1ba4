"""Python environments with the packages of some lock files and nothing else, as a fresh checkout would install them.

Packages are linked from the environment that runs the tests, where all locks are installed: no network, no waiting.
"""

import venv
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from deploy.bootstrap import LOCKS, OPTIONAL


def make(folder: Path, locks: list[str]) -> Path:
    """An environment in `folder`; its Python."""
    venv.create(folder, symlinks=True, with_pip=False)
    [packages] = folder.glob("lib/python*/site-packages")
    for lock in locks:
        for package in named_in(lock):
            link(package, packages, folder / "bin")
    return folder / "bin" / "python"


def named_in(lock: str) -> list[Distribution]:
    """What a lock installs on this machine; packages of an optional lock may be missing here."""
    lines = [line.removesuffix("\\").strip() for line in (LOCKS / f"{lock}.txt").read_text().splitlines()]
    wanted = [Requirement(line) for line in lines if line[:1].isalnum()]
    found = []
    for package in wanted:
        if package.marker and not package.marker.evaluate():
            continue
        try:
            found.append(distribution(package.name))
        except PackageNotFoundError:
            assert lock in OPTIONAL, f"{package.name} of {lock}.txt is not installed"
    return found


def link(package: Distribution, packages: Path, programs: Path) -> None:
    source = Path(str(package.locate_file("")))
    scripts = {script.name: script for script in package.entry_points.select(group="console_scripts")}
    for file in package.files or []:
        if file.parts[0] == "..":
            # Programs that are no scripts; scripts would start the Python of the environment they come from.
            if file.parts[-2:-1] == ("bin",) and file.name not in scripts:
                link_to(source / file, programs / file.name)
        else:
            link_to(source / file.parts[0], packages / file.parts[0])
    for name, script in scripts.items():
        start = f"import sys\nfrom {script.module} import {script.attr}\nsys.exit({script.attr}())\n"
        (programs / name).write_text(f"#!{programs / 'python'}\n{start}")
        (programs / name).chmod(0o755)


def link_to(source: Path, link: Path) -> None:
    if not link.exists() and source.name != "__pycache__":
        link.symlink_to(source.resolve())
