"""Webhook events as Discord messages: one embed, within Discord's limits, without mentions."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

MAX_TITLE_LENGTH = 256
MAX_DESCRIPTION_LENGTH = 4096
MAX_FOOTER_LENGTH = 2048

_MARKS = re.compile(r"([\\*_~`|>\[\]()#<@:-])")


def message(*, title: str, lines: Sequence[str], url: str, colour: int, at: datetime, footer: str) -> dict[str, Any]:
    return {
        "embeds": [
            {
                "title": truncate(title, MAX_TITLE_LENGTH),
                "description": truncate_lines(lines, MAX_DESCRIPTION_LENGTH),
                "url": url,
                "color": colour,
                "timestamp": at.isoformat(),
                "footer": {"text": truncate(footer, MAX_FOOTER_LENGTH)},
            }
        ],
        # A player called @everyone pings nobody.
        "allowed_mentions": {"parse": []},
    }


def escape_markdown(text: str) -> str:
    """Escape user text, so that none of it is read as Discord's Markdown."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def truncate(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def truncate_lines(lines: Sequence[str], limit: int) -> str:
    """As many whole lines as fit."""
    kept: list[str] = []
    room = limit - 2
    for line in lines:
        if len(line) + 1 > room:
            kept.append("…")
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join(kept)


def retry_after(body: bytes) -> float | None:
    """How many seconds Discord asks us to wait; it is in the body, with fractions."""
    try:
        seconds = json.loads(body)["retry_after"]
    except (ValueError, KeyError, TypeError):
        return None
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return float(seconds) if is_number and seconds >= 0 else None
