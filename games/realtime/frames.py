"""Frames for pages: made for one audience, encoded once for all its members."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

import engine
from accounts.infra.realtime.publish import frame
from games import coach, engine_match, help_state, presence, take_back
from games.models import ChatLine, Match, Seat

JsonDict = dict[str, Any]


def match_frame(
    match: Match,
    played: engine.Match,
    seat: int | None,
    since: int,
    around: JsonDict,
    seats: Sequence[Seat] = (),
    view: JsonDict | None = None,
) -> str:
    """The table as one audience may see it at ply `v`, and the events after ply `since`; `around` is public.

    `view` is that of this audience, where it has been made already.
    """
    return frame("match", **match_state(match, played, seat, since, around, seats, view))


def match_state(
    match: Match,
    played: engine.Match,
    seat: int | None,
    since: int,
    around: JsonDict,
    seats: Sequence[Seat] = (),
    view: JsonDict | None = None,
) -> JsonDict:
    return {
        "key": match.key,
        "v": played.ply,
        "since": since,
        "view": view_of(match, played, seat, seats) if view is None else view,
        "events": played.events(seat, since + 1 if since else 0),
        "undone": played.undone(),
        **around,
    }


def view_of(match: Match, played: engine.Match, seat: int | None, seats: Sequence[Seat]) -> JsonDict:
    """The view of the engine; against bots alone a take-back may go back across their moves."""
    view = played.view(seat)
    if match.is_tutorial and coach.is_guiding(match, played):
        return {**view, "can_undo": False}
    if seat is not None and seats and not view["can_undo"]:
        view["can_undo"] = take_back.decision_to_return_to(match, played, seat, seats) is not None
    return view


def table_frame(match: Match, seats: Sequence[Seat]) -> str:
    """Changes without a move: seats, clocks, the end by resignation or on time."""
    return frame("table", key=match.key, **surroundings(match, seats))


def help_frame(match: Match, seats: Sequence[Seat], played: engine.Match) -> str:
    """An act waits for answers, somebody passed or asked for help."""
    now = timezone.now()
    return frame(
        "help",
        key=match.key,
        v=match.ply,
        help=help_state.serialize(match, played, now),
        clock=serialize_clock(match, seats, now),
        next_in=next_in(match, now),
    )


def surroundings(
    match: Match, seats: Sequence[Seat], played: engine.Match | None = None, *, with_presence: bool = True
) -> JsonDict:
    """Seats, clocks, help and the result: public, and so the same in every audience's frame."""
    now = timezone.now()
    return {
        "status": match.status,
        "seats": serialize_seats(seats, _seats_here(match, seats) if with_presence else None),
        "clock": serialize_clock(match, seats, now),
        "result": serialize_result(match, seats),
        "tempo": match.tempo,
        "next_in": next_in(match, now),
        "help": help_state.serialize(match, played or _asides_of(match), now),
    }


def _asides_of(match: Match) -> engine.Match | None:
    """The running match, where others than the player on turn may act."""
    running = match.is_playing and match.is_current and engine.game(match.game).has_asides
    return engine_match.load(match) if running else None


def next_in(match: Match, now: datetime) -> int | None:
    """Milliseconds until a bot is due."""
    if not match.is_playing or match.bot_due is None:
        return None
    return max(int((match.bot_due - now).total_seconds() * 1000), 0)


def _seats_here(match: Match, seats: Sequence[Seat]) -> set[int]:
    bots = {seat.index for seat in seats if seat.is_bot or seat.is_own_bot}
    return bots if len(bots) == len(seats) else bots | presence.seats_here(match)


def serialize_seats(seats: Sequence[Seat], here: set[int] | None) -> list[JsonDict]:
    """Players and who of them is `here`, where that was looked up."""
    return [
        {
            "index": seat.index,
            "name": seat.name,
            "handle": seat.user.handle if seat.user and not seat.user.deleted_at and not seat.user.is_trial else "",
            "is_bot": seat.is_bot or seat.is_own_bot,
            "level": seat.bot_level,
            "left": seat.left,
            **({} if here is None else {"here": seat.index in here}),
        }
        for seat in seats
    ]


def serialize_clock(match: Match, seats: Sequence[Seat], now: datetime) -> dict[str, Any] | None:
    """Milliseconds left, as of `now`; the page counts the running clock down."""
    if match.clock == Match.Clock.NONE or not match.is_playing:
        return None
    return {
        "kind": match.clock,
        "left": [seat.bank_left for seat in seats],
        "running": match.to_act if match.deadline else None,
        "starts_in": _starts_in(match, now) if match.deadline else 0,
        "running_for": int((match.deadline - now).total_seconds() * 1000) if match.deadline else None,
    }


def _starts_in(match: Match, now: datetime) -> int:
    """A clock waits until the turn of the bot before it can have been seen."""
    return max(int((match.turn_since - now).total_seconds() * 1000), 0) if match.turn_since else 0


def serialize_result(match: Match, seats: Sequence[Seat]) -> dict[str, Any] | None:
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
    return frame("chat", key=match.key, line=serialize_line(line))


def serialize_line(line: ChatLine) -> dict[str, Any]:
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
