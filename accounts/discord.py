"""A webhook's news in the shape that Discord takes: one embed, within its limits, that calls nobody by name."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

LONGEST_TITLE = 256
LONGEST_DESCRIPTION = 4096
LONGEST_FOOTER = 2048

_MARKS = re.compile(r"([\\*_~`|>\[\]()#<@:-])")


def message(*, title: str, lines: Sequence[str], url: str, colour: int, at: datetime, footer: str) -> dict[str, Any]:
    return {
        "embeds": [
            {
                "title": short(title, LONGEST_TITLE),
                "description": fitting(lines, LONGEST_DESCRIPTION),
                "url": url,
                "color": colour,
                "timestamp": at.isoformat(),
                "footer": {"text": short(footer, LONGEST_FOOTER)},
            }
        ],
        # A player called @everyone wakes nobody.
        "allowed_mentions": {"parse": []},
    }


def plain(text: str) -> str:
    """Text that people chose, so that none of it is taken for Discord's marks."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def fitting(lines: Sequence[str], most: int) -> str:
    """As many whole lines as there is room for."""
    told: list[str] = []
    room = most - 2
    for line in lines:
        if len(line) + 1 > room:
            told.append("…")
            break
        told.append(line)
        room -= len(line) + 1
    return "\n".join(told)


def retry_after(body: bytes) -> float | None:
    """How many seconds Discord asks to be left alone; it says so in the answer, with fractions."""
    try:
        asked = json.loads(body)["retry_after"]
    except (ValueError, KeyError, TypeError):
        return None
    return float(asked) if isinstance(asked, int | float) and not isinstance(asked, bool) and asked >= 0 else None
