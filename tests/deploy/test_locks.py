"""Every lock has a wheel for each of its packages on every platform and Python that README promises."""

import html
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename
from pip._internal.models.index import PyPI

from deploy.bootstrap import EXTRA_LOCKS, LOCKS, NEWEST_PYTHON, OPTIONAL, ROOT

PYTHONS = tuple(f"3.{minor}" for minor in range(11, NEWEST_PYTHON[1] + 1))
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
MAC = {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"}
PLATFORMS = {
    "Linux x86-64": LINUX | {"platform_machine": "x86_64"},
    "Linux ARM64": LINUX | {"platform_machine": "aarch64"},
    "macOS ARM": MAC | {"platform_machine": "arm64"},
    "Windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
}
NOT_PROMISED = {
    "macOS Intel": MAC | {"platform_machine": "x86_64"},
    "Linux musl": LINUX | {"platform_machine": "x86_64"},
}
NEEDED = ("run", *sorted({lock for locks in EXTRA_LOCKS.values() for lock in locks} - OPTIONAL))


def platform_tags(name: str, machine: str) -> list[str]:
    """What wheels for it may be called: glibc 2.28 is that of Debian 10, macOS 14 that of 2023."""
    if name == "Linux musl":
        return [f"musllinux_1_{minor}_{machine}" for minor in range(2, -1, -1)]
    if name.startswith("Linux"):
        former = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}
        numbered = [f"manylinux_2_{minor}_{machine}" for minor in range(28, 4, -1)]
        return [*numbered, *(f"{called}_{machine}" for called in former.values())]
    return list(mac_platforms((14, 0), machine)) if name.startswith("macOS") else ["win_amd64"]


def accepted(name: str, python: str, machine: str) -> set[Tag]:
    version, platforms = [int(part) for part in python.split(".")], platform_tags(name, machine)
    interpreter = f"cp{python.replace('.', '')}"
    return {*cpython_tags(version, platforms=platforms), *compatible_tags(version, interpreter, platforms)}


def pinned(lock: str) -> dict[str, str]:
    """The entries of a lock, with their hashes, by their requirement."""
    blocks = re.split(r"\n(?=\S)", (LOCKS / f"{lock}.txt").read_text())
    return {block.split("\\")[0].strip(): block for block in blocks if block[:1].isalnum()}


def wanted(python: str, platform: dict[str, str]) -> Iterator[tuple[Requirement, set[str]]]:
    """The packages of all locks that count there, with the hashes of their files."""
    there = platform | {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for lock in NEEDED:
        for text, block in pinned(lock).items():
            package = Requirement(text)
            if package.marker is None or package.marker.evaluate(there):
                yield package, set(re.findall(r"--hash=sha256:(\w+)", block))


@pytest.fixture(scope="module")
def wheels() -> dict[str, frozenset[Tag]]:
    """By its hash, what every wheel of the locks fits: the package index is asked for names, no file is loaded."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    index = asked.stdout.strip() or PyPI.simple_url
    entries = {text: block for lock in NEEDED for text, block in pinned(lock).items()}
    names = {canonicalize_name(Requirement(text).name) for text in entries}
    locked = set(re.findall(r"--hash=sha256:(\w+)", " ".join(entries.values())))

    def files(name: str) -> dict[str, frozenset[Tag]]:
        page = urlopen(Request(f"{index.rstrip('/')}/{name}/", headers={"Accept": "text/html"}), timeout=60)
        links = [urlsplit(html.unescape(address)) for address in re.findall(r'href="([^"]+)"', page.read().decode())]
        found = {link.fragment.removeprefix("sha256="): unquote(link.path.rpartition("/")[2]) for link in links}
        return {
            digest: parse_wheel_filename(file)[3]
            for digest, file in found.items()
            if digest in locked and file.endswith(".whl")
        }

    with ThreadPoolExecutor(8) as pool:
        return {digest: tags for found in pool.map(files, sorted(names)) for digest, tags in found.items()}


def without_wheel(name: str, python: str, wheels: dict[str, frozenset[Tag]]) -> list[str]:
    platform = (PLATFORMS | NOT_PROMISED)[name]
    fitting = accepted(name, python, platform["platform_machine"])
    return sorted(
        {
            f"{package.name}{package.specifier}"
            for package, hashes in wanted(python, platform)
            if not any(fitting & wheels.get(digest, frozenset()) for digest in hashes)
        }
    )


def test_the_build_group_is_small_and_part_of_the_packages_for_tests() -> None:
    """An image needs it, and nothing of the tests."""
    build = {Requirement(text).name for text in pinned("build")}
    assert {"mypy", "setuptools"} <= build <= {Requirement(text).name for text in pinned("dev")}
    assert len(build) <= 8
    assert EXTRA_LOCKS["accelerate"] == ["build"]
    image = (ROOT / "deploy" / "image" / "Dockerfile").read_text()
    assert re.findall(r"-r deploy/locks/(\w+)\.txt", image) == ["run", "run", "build"]


def test_locks_name_everything_that_they_need() -> None:
    """They are installed without a look at dependencies: a newer release of one of them stops nobody."""
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    installs = [ROOT / "deploy" / name for name in ("bootstrap.py", "background_build.py", "image/Dockerfile")]
    for line in (line for file in installs for line in file.read_text().splitlines() if "--require-hashes" in line):
        assert "--no-deps" in line


def test_the_image_is_published_for_both_architectures() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "image.yml").read_text())
    [build] = [step for step in workflow["jobs"]["image"]["steps"] if "build-push" in step.get("uses", "")]
    assert build["with"]["platforms"] == "linux/amd64,linux/arm64"
    assert (ROOT / build["with"]["file"]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", PLATFORMS)
def test_every_package_has_a_wheel(name: str, python: str, wheels: dict[str, frozenset[Tag]]) -> None:
    assert without_wheel(name, python, wheels) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_PROMISED)
def test_what_readme_says_cannot_run_still_cannot(name: str, wheels: dict[str, frozenset[Tag]]) -> None:
    """Once it can, README should say so."""
    assert [python for python in PYTHONS if not without_wheel(name, python, wheels)] == []
