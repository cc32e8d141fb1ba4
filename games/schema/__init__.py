"""What the server sends to the page of a match, as JSON Schema: one file for all games, and one a game.

The tests check real views and frames against it. The types that the page's scripts are checked with are made from it
(`typescript.py`), so both sides agree on one description.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ENDING = ".schema.json"


@cache
def load_all() -> dict[str, dict[str, Any]]:
    """Every schema by its short name: `page`, `splendor-marvel`, …"""
    files = sorted(FOLDER.glob(f"*{ENDING}"))
    return {file.name.removesuffix(ENDING): json.loads(file.read_text(encoding="utf-8")) for file in files}
