"""Every command has what it needs on a fresh checkout with only its own locks installed."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

from deploy.bootstrap import EXTRA_LOCKS, ROOT
from deploy.commands import OWN_APPS
from deploy.harness import environments
from deploy.harness.prepared_state import clean_environment

OWN_PACKAGES = {*OWN_APPS, "engine", "tests"}
COMMANDS = {name: app for name, app in get_commands().items() if app in OWN_APPS}
LOCK_SETS = sorted({("run", *EXTRA_LOCKS.get(name, [])) for name in COMMANDS})
ASK = """
import importlib, importlib.util, json, os, sys
asked = json.load(sys.stdin)
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
import django
django.setup()
for module in asked["commands"]:
    importlib.import_module(module)
print(json.dumps([name for name in asked["packages"] if importlib.util.find_spec(name) is None]))
"""


@pytest.fixture(scope="module", params=LOCK_SETS, ids="+".join)
def locks(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(request.param)


@pytest.fixture(scope="module")
def python(locks: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with these locks alone."""
    return environments.make(tmp_path_factory.mktemp("environment"), list(locks))


def test_every_command_finds_what_it_imports_and_starts(python: Path, locks: tuple[str, ...], tmp_path: Path) -> None:
    own = [name for name in COMMANDS if ("run", *EXTRA_LOCKS.get(name, [])) == locks]
    needs = {name: Needs(f"{COMMANDS[name]}.management.commands.{name}") for name in own}
    asked = {
        "commands": [need.start for need in needs.values()],
        "packages": sorted(set().union(*(need.packages for need in needs.values()))),
    }
    done = subprocess.run(
        [python, "-c", ASK],
        cwd=ROOT,
        env=clean_environment() | {"GAUNTLET_VAR": str(tmp_path)},
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    missing = set(json.loads(done.stdout))
    lacking = {name: need.packages & missing for name, need in needs.items()}
    for name, need in needs.items():
        if locks == ("run",) and "deploy.background_build" in need.seen:
            lacking[name] -= INSTALLED_APART
    assert not {name: packages for name, packages in lacking.items() if packages}
    for name, need in needs.items():
        assert not {program for program in need.programs if not python.with_name(program).exists()}, name


def test_the_audit_asks_from_a_fresh_checkout(tmp_path: Path) -> None:
    python = environments.make(tmp_path / "environment", ["run", *EXTRA_LOCKS.get("audit", [])])
    done = subprocess.run(
        [python, "manage.py", "audit", "--advisories", "http://127.0.0.1:9/"],
        cwd=ROOT,
        env=clean_environment() | {"GAUNTLET_VAR": str(tmp_path), "NO_PROXY": "*"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "The advisory service cannot be reached" in done.stdout


class Needs:
    """What a command's module and all our modules behind it import or start, anywhere."""

    def __init__(self, start: str) -> None:
        self.start = start
        self.packages: set[str] = set()
        self.programs: set[str] = set()
        # These run before any command and start all of them.
        self.seen = {"deploy.bootstrap", "deploy.commands"}
        self.read(start)

    def read(self, module: str) -> None:
        if module in self.seen:
            return
        self.seen.add(module)
        modules, programs = named_by(module)
        self.programs |= programs
        for name in modules:
            package = name.partition(".")[0]
            if package not in OWN_PACKAGES:
                self.packages.add(package)
                continue
            for part in (name, name.rpartition(".")[0]):
                self.read(part)


# The compiler: `deploy.background_build` runs it with a Python of its own, in which it installs the lock "build".
INSTALLED_APART = {"pip", "mypyc", "setuptools"}
# Optional: the command says what to do without it.
OFFERED = {"uv"}


@cache
def named_by(module: str) -> tuple[set[str], set[str]]:
    """Modules that one of our modules imports or runs, and programs that it starts; empty if it does not exist."""
    file = file_of(module)
    if file is None:
        return set(), set()
    text = file.read_text(encoding="utf-8")
    programs = set(re.findall(r'\b(?:with_name|tool)\("([\w-]+)"', text)) - OFFERED
    return {*imported(ast.parse(text)), *re.findall(r'"-m", "([\w.]+)"', text), *by_pattern(text)}, programs


def file_of(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def by_pattern(text: str) -> Iterator[str]:
    """Modules of a package that are imported by a computed name."""
    for package in re.findall(r'import_module\(f"(deploy[\w.]*)\.\{', text):
        folder = ROOT.joinpath(*package.split("."))
        yield from (f"{package}.{file.stem}" for file in folder.glob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    """All imports except optional ones, including those of programs written in a string."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\nimport " in node.value:
            with suppress(SyntaxError):  # not code, but a sentence that shows how to use it
                yield from imported(ast.parse(node.value))
        elif not can_do_without(node):
            yield from imported(node)


def can_do_without(node: ast.AST) -> bool:
    if isinstance(node, ast.Try):
        return any("ImportError" in ast.unparse(each.type) for each in node.handlers if each.type)
    if isinstance(node, ast.With):
        return any(ast.unparse(item).startswith("suppress(") for item in node.items)
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
