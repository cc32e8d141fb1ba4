"""A match as a small picture: who plays what, and how it stands. Drawn on the server, from nothing but text."""

from collections.abc import Sequence

from django.template.loader import render_to_string

from games.models import Match, Seat

STONES = ("#f2c230", "#6aa2ff", "#b48bff", "#ff6b7d", "#ff9a4a", "#3fd08a")
LONGEST_NAME = 26


def picture(match: Match, seats: Sequence[Seat], ending: str) -> str:
    """1200 by 630, the size that shared links are shown at."""
    ordered = sorted(seats, key=lambda seat: (seat.rank or 99, seat.index))
    step = min(72, 340 // max(len(ordered), 1))
    rows = [
        {
            "y": 300 + place * step,
            "name": _short(seat.name) or "…",
            "mark": STONES[seat.index % len(STONES)],
            "score": "" if seat.score is None else seat.score,
            "rank": seat.rank or "",
        }
        for place, seat in enumerate(ordered)
    ]
    return render_to_string("games/card.svg", {"match": match, "rows": rows, "ending": ending, "stones": STONES})


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
