"""Blocks of code in the documentation list functions under the module that has them."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
PACKAGES = "accounts|deploy|engine|games|leagues|tests"
VERBS = re.compile(rf"^# ((?:{PACKAGES})/[\w/]+\.py)", re.MULTILINE)


def defines(module: str, name: str) -> bool:
    return bool(re.search(rf"^\s*(?:(?:async )?def|class) {name}\b", (ROOT / module).read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_functions_are_listed_under_the_module_that_has_them(page: Path) -> None:
    """Blocks of code list signatures, each below a comment that names its module."""
    wrong = []
    for block in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE):
        _, *parts = VERBS.split(block)
        for module, text in zip(parts[::2], parts[1::2], strict=True):
            lines = [line.split("  #")[0] for line in text.splitlines()[1:] if not line.startswith(("#", " "))]
            names = [name for line in lines for name in re.findall(r"(?:^| {2,})(\w+)\(", line)]
            wrong += [f"{module}: {name}" for name in names if not defines(module, name)]
    assert not wrong
