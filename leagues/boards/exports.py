"""A leaderboard for other programs: JSON, and CSV for spreadsheets."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from leagues.boards.board import Board
from leagues.boards.places import Row
from leagues.ratings.kinds import SCALE

# What a spreadsheet takes for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_json(request: HttpRequest, board: Board, rows: Sequence[Row], page: int, more: bool) -> dict[str, Any]:
    return {
        "game": board.game,
        "role": board.role or None,
        "club": board.club.slug if board.club else None,
        "bots": board.bots,
        "since": board.window.since,
        "until": board.window.until,
        "cooperative": board.is_cooperative,
        "page": page,
        "next": request.build_absolute_uri(board.address("json", page=page + 1)) if more else None,
        "rows": [_entry(row) for row in rows],
    }


def _entry(row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "handle": row.user.handle,
        "name": row.user.name,
        "bot": row.user.is_bot,
        "guest": row.user.is_guest,
        "rating": row.number / SCALE,
        "deviation": round(row.deviation, 1),
        "provisional": row.provisional,
        "change": None if row.change is None else row.change / SCALE,
        "games": row.games,
        "wins": [{"role": share.role or None, "games": share.games, "wins": share.wins} for share in row.shares],
        "curve": [number / SCALE for number in row.curve],
    }


def as_csv(board: Board, rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    roles = [share.role for share in rows[0].shares] if rows else []
    shares = [f"{name}{f' {role}' if role else ''}" for role in roles for name in ("games", "wins")]
    writer.writerow(["place", "handle", "name", "bot", "rating", "provisional", "change", *shares, "deviation"])
    for row in rows:
        counted = [number for share in row.shares for number in (share.games, share.wins)]
        change = "" if row.change is None else row.change / SCALE
        told = [row.place, safe(row.user.handle), safe(row.user.name), int(row.user.is_bot), row.number / SCALE]
        writer.writerow([*told, int(row.provisional), change, *counted, round(row.deviation, 1)])
    return text.getvalue()


def safe(words: str) -> str:
    """A name that a spreadsheet would compute is led by an apostrophe, which makes it text."""
    return f"'{words}" if words.startswith(FORMULA) else words
