"""A leaderboard for other programs: JSON, and CSV for spreadsheets."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from accounts.infra.text import escape_formula
from leagues.elo.result_types import SCALE
from leagues.leaderboards.board_query import Board
from leagues.leaderboards.rows import LeaderboardRow


def as_json(
    request: HttpRequest, board: Board, rows: Sequence[LeaderboardRow], page: int, more: bool
) -> dict[str, Any]:
    return {
        "game": board.game,
        "role": board.role or None,
        "club": board.club.slug if board.club else None,
        "bots": board.bots,
        "everyone": board.everyone,
        "since": board.window.since,
        "until": board.window.until,
        "cooperative": board.is_cooperative,
        "page": page,
        "next": request.build_absolute_uri(board.address("json", page=page + 1)) if more else None,
        "rows": [_entry(row) for row in rows],
    }


def _entry(row: LeaderboardRow) -> dict[str, Any]:
    return {
        "place": row.place,
        "eligible": row.eligible,
        "reason": row.reason,
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


def as_csv(board: Board, rows: Sequence[LeaderboardRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    roles = [share.role for share in rows[0].shares] if rows else []
    shares = [f"{name}{f' {role}' if role else ''}" for role in roles for name in ("games", "wins")]
    writer.writerow(["place", "handle", "name", "bot", "rating", "provisional", "change", *shares, "deviation"])
    for row in rows:
        counted = [number for share in row.shares for number in (share.games, share.wins)]
        change = "" if row.change is None else row.change / SCALE
        cells = [
            "" if row.place is None else row.place,
            escape_formula(row.user.handle),
            escape_formula(row.user.name),
            int(row.user.is_bot),
            row.number / SCALE,
        ]
        writer.writerow([*cells, int(row.provisional), change, *counted, round(row.deviation, 1)])
    return text.getvalue()
