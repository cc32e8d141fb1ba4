"""A picture of a match for shared links: players and result. It is a PNG, because messengers show no SVG."""

import hashlib
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path

import resvg_py
from django.core.cache import cache
from django.template.loader import render_to_string

from accounts.infra.best_effort_cache import ignore_errors
from games.catalogue import terms
from games.models import Match, Seat
from games.presentation import result_text

PALETTE = ("#f2c230", "#6aa2ff", "#b48bff", "#ff6b7d", "#ff9a4a", "#3fd08a")
# The size that messengers ask for, and the room a line of text has in it.
WIDTH, HEIGHT = 1200, 630
ROOM = WIDTH - 2 * 72
# The greatest average width of a letter of our bold font, relative to its size.
LETTER = 0.68
KEPT_FOR = 60 * 60 * 24
FACE = Path(__file__).parents[1] / "fonts" / "gauntlet-card-bold.ttf"


def render_svg(match: Match, seats: Sequence[Seat]) -> str:
    """The picture as SVG; its ETag depends on it alone."""
    ending = terms.ending(match.game, match.reason) if match.is_finished else ""
    heading = result_text.winners(match, seats) if match.is_finished else str(match.get_status_display())
    places = result_text.has_places(match) and match.is_finished
    lines = result_text.result_rows(match, seats)
    step = min(72, 330 // max(len(lines), 1))
    rows = [
        {
            "y": 300 + place * step,
            "name": line.seat.name or "…",
            "size": fit_font_size(line.seat.name, 36, ROOM - 190),
            "mark": PALETTE[line.seat.index % len(PALETTE)],
            "note": _score_or_role(line, places) if match.is_finished else "",
            "rank": line.seat.rank if places else "",
        }
        for place, line in enumerate(lines)
    ]
    return render_to_string(
        "games/share_card.svg",
        {
            "width": WIDTH,
            "height": HEIGHT,
            "title": match.title,
            "title_size": fit_font_size(match.title, 64, ROOM),
            "heading": heading,
            "heading_size": fit_font_size(f"Gauntlet · {heading}", 34, ROOM),
            "ending": ending,
            "ending_size": fit_font_size(ending, 30, ROOM),
            "rows": rows,
            "stones": PALETTE,
        },
    )


def _score_or_role(line: result_text.ResultRow, places: bool) -> str:
    if places:
        return "" if line.seat.score is None else str(line.seat.score)
    return line.role


def fit_font_size(text: str, largest: int, room: int) -> int:
    """The size at which a line fits: smaller for long ones, never cut."""
    return max(12, min(largest, int(room / (max(len(text), 1) * LETTER))))


def tag(drawn: str) -> str:
    return f'"{hashlib.sha256(drawn.encode()).hexdigest()[:32]}"'


def render_png(drawn: str) -> bytes:
    """The picture as PNG, cached."""
    key = f"card-{tag(drawn).strip(chr(34))}"
    cached = None
    with ignore_errors():
        cached = cache.get(key)
    if cached is not None:
        return bytes(cached)
    picture = bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            width=WIDTH,
            height=HEIGHT,
            font_files=[str(FACE)],
            font_family="Gauntlet Card",
            sans_serif_family="Gauntlet Card",
            # Loading the system's fonts is slow: only for characters that our font lacks.
            skip_system_fonts=not set(drawn) - _supported_glyphs(),
        )
    )
    with ignore_errors():
        cache.set(key, picture, KEPT_FOR)
    return picture


@once
def _supported_glyphs() -> frozenset[str]:
    """The characters of the vendored font: Latin, Greek, Cyrillic and punctuation."""
    ranges = ((0x09, 0x7F), (0xA0, 0x250), (0x370, 0x400), (0x400, 0x530), (0x1E00, 0x1F00), (0x2010, 0x2028))
    return frozenset(chr(code) for first, last in ranges for code in range(first, last))
