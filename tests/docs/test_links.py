"""What the documents name exists: links, files and folders, tests (`path::test`), dotted modules and their contents.

Names that only look like ours, such as the file of an example, are listed in EXAMPLES.
"""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps

from deploy.bootstrap import ROOT

TOP = "accounts|deploy|docs|engine|games|leagues|templates|tests"
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
FILE = re.compile(rf"(?<![\w/.<:-])((?:{TOP})/[\w./*{{}},-]*[\w}}]/?|\.ci/\w+)((?:::\w+)*)")
NAME = re.compile(r"`([\w-]+\.(?:py|js))`")
DOTTED = re.compile(rf"`((?:{TOP})(?:\.\w+)+)(?:\(.*\))?`")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CODES = set((ROOT / "tests" / "security" / "stored_codes.txt").read_text(encoding="utf-8").split())

# Created by the reader.
EXAMPLES = {"deploy/.env", "templates/games/rules/nim.html"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: str(each.relative_to(ROOT)))
def test_what_a_document_names_exists(document: Path) -> None:
    assert missing_names(document.read_text(encoding="utf-8"), document.parent) == []


def test_a_name_that_does_not_exist_is_found() -> None:
    text = """
    [here](../README.md) and [there](nowhere.md); `tests/docs/test_links.py`, `tests/docs/test_gone.py`,
    `tests/docs/test_links.py::missing_names`, `tests/docs/test_links.py::test_gone`, `accounts/infra/`,
    `accounts/gone/`, `tests/docs/*.py`, `docs/*.gone`, `deploy/{env,gone}.py`, `gone.py`,
    `accounts.infra.errors.Refused`, `accounts.gone`, `leagues.drawn`, `leagues.season`
    """
    assert missing_names(text, ROOT / "docs") == [
        "nowhere.md",
        "tests/docs/test_gone.py",
        "tests/docs/test_links.py::test_gone",
        "accounts/gone/",
        "docs/*.gone",
        "deploy/{env,gone}.py",
        "gone.py",
        "accounts.gone",
    ]


def missing_names(text: str, folder: Path) -> list[str]:
    links = [link for link in LINK.findall(text) if not (folder / link).exists()]
    files = [path + inside for path, inside in FILE.findall(LINK.sub("", text)) if not names_something(path, inside)]
    names = [name for name in NAME.findall(text) if name not in file_names()]
    dotted = [name for name in DOTTED.findall(text) if name not in CODES | labels() and not is_importable(name)]
    return [name for name in links + files + names + dotted if name not in EXAMPLES]


def names_something(path: str, inside: str) -> bool:
    """Whether the file or folder exists, and in it what follows after `::`.

    `*` matches anything, `{a,b}` each of these.
    """
    if braces := re.search(r"\{([^}]*)\}", path):
        each = [path[: braces.start()] + part + path[braces.end() :] for part in braces[1].split(",")]
        return all(names_something(one, inside) for one in each)
    if not any(True for _match in ROOT.glob(path.rstrip("/"))):
        return False
    return not inside or inside in definitions(path)


@cache
def definitions(path: str) -> frozenset[str]:
    """All functions and classes of a file, each as `::Class::function`."""
    names: set[str] = set()

    def walk(node: ast.AST, above: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(f"{above}::{child.name}")
                walk(child, f"{above}::{child.name}")

    walk(ast.parse((ROOT / path).read_text(encoding="utf-8")), "")
    return frozenset(names)


@cache
def file_names() -> frozenset[str]:
    return frozenset(file.name for top in TOP.split("|") for file in (ROOT / top).rglob("*.[pj][ys]")) | {"manage.py"}


@cache
def labels() -> frozenset[str]:
    """Models as they are named in the audit trail and in backups."""
    return frozenset(name for model in apps.get_models() for name in (model._meta.label, model._meta.label_lower))


def is_importable(name: str) -> bool:
    """Whether it is a module, or a name inside one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            named = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for attribute in parts[length:]:
            if not hasattr(named, attribute):
                return False
            named = getattr(named, attribute)
        return True
    return False
