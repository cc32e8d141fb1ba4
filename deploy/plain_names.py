"""Words that no function, class or module may be named with: each once had many meanings here, and so none.

`manage.py lint` asks. A test is named by a sentence, in which such a word means what it says.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

REFUSED = {"apart", "furniture", "heard", "house", "laid", "said", "told"}
# "found a club", "found rows": say create_…, find_… or get_….
REFUSED_FIRST = {"found"}

# The name of a table in databases.
KEPT = {"HouseBot"}

PACKAGES = ("accounts", "deploy", "engine", "games", "leagues", "tests")


def refused_names(root: Path) -> list[str]:
    """Every refused name below a folder, with its place."""
    files = (file for package in PACKAGES for file in sorted((root / package).rglob("*.py")))
    return [
        f"{file.relative_to(root)}:{line}: {name}"
        for file in files
        if "migrations" not in file.parts
        for line, name in names_in(file)
        if is_refused(name)
    ]


def names_in(file: Path) -> Iterator[tuple[int, str]]:
    yield 1, file.parent.name if file.name == "__init__.py" else file.stem
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name


def is_refused(name: str) -> bool:
    """Names are read word by word: `line_told` and `OpenHouse` are refused, `household` is not."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    if not words or words[0] == "test" or name in KEPT:
        return False
    return words[0] in REFUSED_FIRST or not REFUSED.isdisjoint(words)
