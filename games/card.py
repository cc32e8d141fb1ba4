"""A match as a picture for shared links: who plays what, and how it stands. Messengers show no SVG, so it is a PNG."""

import hashlib
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path

import resvg_py
from django.core.cache import cache
from django.template.loader import render_to_string

from games import results, terms
from games.hints import hint
from games.models import Match, Seat

STONES = ("#f2c230", "#6aa2ff", "#b48bff", "#ff6b7d", "#ff9a4a", "#3fd08a")
# The size that messengers ask for, and the room a line of text has in it.
WIDTH, HEIGHT = 1200, 630
ROOM = WIDTH - 2 * 72
# How wide a letter of our bold face is at most on average, as a part of its size.
LETTER = 0.68
KEPT_FOR = 60 * 60 * 24
FACE = Path(__file__).parent / "fonts" / "gauntlet-card-bold.ttf"


def drawing(match: Match, seats: Sequence[Seat]) -> str:
    """The picture as SVG: all that it shows, and so all that its tag depends on."""
    ending = terms.ending(match.game, match.reason) if match.is_finished else ""
    heading = results.winners(match, seats) if match.is_finished else str(match.get_status_display())
    places = results.has_places(match) and match.is_finished
    lines = results.table_of(match, seats)
    step = min(72, 330 // max(len(lines), 1))
    rows = [
        {
            "y": 300 + place * step,
            "name": line.seat.name or "…",
            "size": fitting(line.seat.name, 36, ROOM - 190),
            "mark": STONES[line.seat.index % len(STONES)],
            "note": _note(line, places) if match.is_finished else "",
            "rank": line.seat.rank if places else "",
        }
        for place, line in enumerate(lines)
    ]
    return render_to_string(
        "games/card.svg",
        {
            "width": WIDTH,
            "height": HEIGHT,
            "title": match.title,
            "title_size": fitting(match.title, 64, ROOM),
            "heading": heading,
            "heading_size": fitting(f"Gauntlet · {heading}", 34, ROOM),
            "ending": ending,
            "ending_size": fitting(ending, 30, ROOM),
            "rows": rows,
            "stones": STONES,
        },
    )


def _note(line: results.Line, places: bool) -> str:
    if places:
        return "" if line.seat.score is None else str(line.seat.score)
    return line.role


def fitting(text: str, most: int, room: int) -> int:
    """The size at which a line fits: smaller for long ones, never cut."""
    return max(12, min(most, int(room / (max(len(text), 1) * LETTER))))


def tag(drawn: str) -> str:
    return f'"{hashlib.sha256(drawn.encode()).hexdigest()[:32]}"'


def painted(drawn: str) -> bytes:
    """The picture as PNG, kept for whoever asks next."""
    key = f"card-{tag(drawn).strip(chr(34))}"
    known = None
    with hint():
        known = cache.get(key)
    if known is not None:
        return bytes(known)
    picture = bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            width=WIDTH,
            height=HEIGHT,
            font_files=[str(FACE)],
            font_family="Gauntlet Card",
            sans_serif_family="Gauntlet Card",
            # Reading the machine's fonts takes its time: only for letters that ours has not.
            skip_system_fonts=not set(drawn) - _letters(),
        )
    )
    with hint():
        cache.set(key, picture, KEPT_FOR)
    return picture


@once
def _letters() -> frozenset[str]:
    """What the vendored face can write, as the picture's own text goes: Latin, Greek, Cyrillic and punctuation."""
    ranges = ((0x09, 0x7F), (0xA0, 0x250), (0x370, 0x400), (0x400, 0x530), (0x1E00, 0x1F00), (0x2010, 0x2028))
    return frozenset(chr(code) for first, last in ranges for code in range(first, last))
