"""What a page is told: made for one audience, encoded once for all who belong to it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils import timezone

import engine
from accounts.live.publish import frame
from games import referee
from games.hints import hint
from games.models import ChatLine, Match, Seat

PRESENT_FOR = 50


Told = dict[str, Any]


def match_frame(match: Match, played: engine.Match, seat: int | None, since: int, around: Told) -> str:
    """The table as one audience may see it at `v`, and what happened after ply `since`; `around` is for all alike."""
    return frame("match", **match_state(match, played, seat, since, around))


def match_state(match: Match, played: engine.Match, seat: int | None, since: int, around: Told) -> Told:
    return {
        "key": match.key,
        "v": played.ply,
        "since": since,
        "view": played.view(seat),
        "events": played.events(seat, since + 1 if since else 0),
        "undone": referee.taken_back(played),
        **around,
    }


def table_frame(match: Match, seats: Sequence[Seat]) -> str:
    """What changes without a move: who sits where, the clocks, the end by resignation or on time."""
    return frame("table", key=match.key, **surroundings(match, seats))


def surroundings(match: Match, seats: Sequence[Seat]) -> Told:
    """Who sits where, the clocks, how it ended: public, and so the same in every audience's frame."""
    return {
        "status": match.status,
        "seats": [seat_told(match, seat) for seat in seats],
        "clock": clock_told(match, seats, timezone.now()),
        "result": result_told(match, seats),
    }


def seat_told(match: Match, seat: Seat) -> dict[str, Any]:
    return {
        "index": seat.index,
        "name": seat.name,
        "handle": seat.user.handle if seat.user and not seat.user.deleted_at else "",
        "is_bot": seat.is_bot or seat.is_own_bot,
        "level": seat.bot_level,
        "left": seat.left,
        "here": bool(seat.is_bot or seat.is_own_bot or is_here(match, seat.index)),
    }


def clock_told(match: Match, seats: Sequence[Seat], now: datetime) -> dict[str, Any] | None:
    """Milliseconds left, as of `now`; the page counts the running one down by itself."""
    if match.clock == Match.Clock.NONE or not match.is_playing:
        return None
    return {
        "kind": match.clock,
        "left": [seat.bank_left for seat in seats],
        "running": match.to_act if match.deadline else None,
        "running_for": int((match.deadline - now).total_seconds() * 1000) if match.deadline else None,
    }


def result_told(match: Match, seats: Sequence[Seat]) -> dict[str, Any] | None:
    if not match.is_finished:
        return None
    return {
        "cause": match.cause,
        "reason": match.reason,
        "ranks": [seat.rank for seat in seats],
        "scores": [seat.score for seat in seats],
        "winners": [seat.index for seat in seats if seat.won],
    }


def line_frame(match: Match, line: ChatLine) -> str:
    return frame("chat", key=match.key, line=line_told(line))


def line_told(line: ChatLine) -> dict[str, Any]:
    return {
        "id": line.pk,
        "name": line.user.name,
        "handle": line.user.handle,
        "room": line.room,
        "text": "" if line.removed else line.text,
        "remark": line.remark,
        "removed": line.removed,
        "at": line.at.isoformat(),
    }


def presence_frame(match: Match, seat: int, here: bool) -> str:
    return frame("presence", key=match.key, seat=seat, here=here)


def note_presence(match: Match, seat: int, here: bool) -> None:
    """Only a hint, kept where all web processes see it, and gone by itself."""
    key = _presence_key(match, seat)
    with hint():
        if here:
            cache.set(key, 1, PRESENT_FOR)
        else:
            cache.delete(key)


def is_here(match: Match, seat: int) -> bool:
    with hint():
        return cache.get(_presence_key(match, seat)) is not None
    return False


def _presence_key(match: Match, seat: int) -> str:
    return f"here-{match.key}-{seat}"
