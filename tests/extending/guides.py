"""The code of the guides, file by file."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDES = ("add-a-game.md", "add-a-format.md")
BLOCK = re.compile(r"^`(?P<file>[\w/]+\.py)`\n\n```python\n(?P<code>.*?)^```$", re.M | re.S)


def files(guide: str) -> dict[str, str]:
    """Each file that a guide names, with the block of code below its name."""
    text = (DOCS / guide).read_text(encoding="utf-8")
    return {found["file"]: found["code"] for found in BLOCK.finditer(text)}


def write_packages(folder: Path) -> list[str]:
    """Write the packages of all guides into a folder; their names."""
    written = {file: code for guide in GUIDES for file, code in files(guide).items()}
    for file, code in written.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return sorted({file.partition("/")[0] for file in written})
