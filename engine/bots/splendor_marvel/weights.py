"""The weights of the fitted value, read from `weights.json`; `fit_value` writes it."""

import json
from pathlib import Path
from typing import Final

FILE = Path(__file__).with_name("weights.json")
FITTED: Final[list[list[float]]] = json.loads(FILE.read_text(encoding="utf-8"))
"""For 2, 3 and 4 players."""
