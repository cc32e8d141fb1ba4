"""Realtime topics for pages about games, and the messages that pages send on the same socket."""

from typing import Any

from django.db.models import Prefetch
from django.utils import translation
from django.utils.translation import gettext

from accounts.access import Actor
from accounts.infra.errors import Refused as Declined
from accounts.infra.permissions import NotAllowed
from accounts.infra.realtime.publish import frame
from accounts.infra.realtime.topics import Audience, Topic, TopicDenied
from accounts.models import User
from games import access, chat, engine_match, presence
from games.access import Permission
from games.errors import Illegal, Stale
from games.loading import with_seats
from games.models import Match, Seat
from games.play import fair_share, help_window, moves
from games.realtime import broadcast, frames, groups
from games.tables import exhibition
from games.tables.tempo import set_tempo

# Seats and the people in them in one query.
WITH_PEOPLE = Prefetch("seats", Seat.objects.select_related("user").order_by("index"))


class MatchPage(Topic):
    """`match.<key>`: one table. Players get their own seat's view, everyone else the public one."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        match, seat = _table(visitor, argument)
        return Audience(groups.audience(match, seat), first=lambda: catch_up(match.pk, seat, None))

    def receive(self, visitor: Actor, argument: str, message: dict[str, Any]) -> str | None:
        match, seat = _table(visitor, argument)
        with translation.override(visitor.language if isinstance(visitor, User) else None):
            match message:
                case {"here": bool(here)}:
                    record_presence(match, seat, here)
                    return missed(match, seat, message.get("after"))
                case {"after": int(after)} if after >= 0:
                    return catch_up(match.pk, seat, after)
                case {"move": _}:
                    return receive_move(visitor, match, message)
                case {"pass": _} | {"hold": _} | {"ask": _} | {"go": _} | {"tempo": _}:
                    return receive_answer(visitor, match, message)
                case {"say": str(text)}:
                    return post_line(visitor, match, text=text)
                case {"remark": str(remark)}:
                    return post_line(visitor, match, remark=remark)
                case _:
                    return malformed(match)

    def left(self, visitor: Actor, argument: str, heard_at: float) -> None:
        match, seat = _table(visitor, argument)
        if seat is not None and presence.lost(match, seat, heard_at):
            broadcast.broadcast_presence(match, seat, False)


def _table(visitor: Actor, key: str) -> tuple[Match, int | None]:
    """The table, and the seat whose view this visitor gets; before the deal there is none."""
    match = with_seats(key)
    if match is None or not access.may(visitor, Permission.SEE, match):
        raise TopicDenied
    seat = None if match.is_open else access.seat_of(visitor, match)
    return match, seat.index if seat else None


def catch_up(match_id: int, seat: int | None, after: int | None) -> str | None:
    """The current table and, for a page that says which ply it has, the events since."""
    match = Match.objects.prefetch_related(WITH_PEOPLE).get(pk=match_id)
    if match.started_at is None or not match.is_current:
        return None
    current = engine_match.load(match)
    since = current.ply if after is None else min(after, current.ply)
    seats = list(match.seats.all())
    return frames.match_frame(match, current, seat, since, frames.surroundings(match, seats, current), seats)


def missed(match: Match, seat: int | None, after: Any) -> str | None:
    """The frame that a page has missed, if its presence message says that it is behind."""
    return catch_up(match.pk, seat, after) if type(after) is int and 0 <= after < match.ply else None


def record_presence(match: Match, seat: int | None, here: bool) -> None:
    if match.pace:
        exhibition.keep_alive()
    elif here:
        fair_share.look_at(match)
    if seat is not None:
        presence.record(match, seat, here)
        broadcast.broadcast_presence(match, seat, here)


def receive_move(visitor: Actor, match: Match, message: Any) -> str | None:
    """Play a move. None if it was accepted: the frame that everyone gets is the answer.

    A move that this person has already played at this ply was sent again: the table as it is now is the answer.
    """
    if not isinstance(message, dict):
        return malformed(match)
    ply, move = message.get("ply"), message.get("move")
    if type(ply) is not int or not isinstance(move, str):
        return malformed(match)
    try:
        if not isinstance(visitor, User):
            raise NotAllowed(Permission.PLAY)
        if not moves.is_repeated(visitor, match, ply, move):
            moves.play_as(person=visitor, match=match, ply=ply, move=move)
            return None
        seat = access.seat_of(visitor, match)
        return catch_up(match.pk, seat.index if seat else None, ply)
    except Exception as error:
        if (answer := refusal_of(match, error)) is None:
            raise
        return answer


def receive_answer(visitor: Actor, match: Match, message: Any) -> str | None:
    """Pass, hold, ask for help, go on without it, or set the bots' pace: everyone is told by a frame."""
    try:
        if not isinstance(visitor, User):
            raise NotAllowed(Permission.PLAY)
        access.require(visitor, Permission.PLAY, match)
        if isinstance(message, dict) and isinstance(tempo := message.get("tempo"), str):
            set_tempo(person=visitor, match=match, tempo=tempo)
            return None
        if not isinstance(message, dict) or not help_window.answer(person=visitor, match=match, message=message):
            return malformed(match)
    except (NotAllowed, Declined) as error:
        return refusal_of(match, error)
    return None


def post_line(visitor: Actor, match: Match, **words: str) -> str | None:
    try:
        if not isinstance(visitor, User):
            raise NotAllowed(Permission.TALK)
        chat.post_line(person=visitor, match=match, **words)
    except (NotAllowed, Declined) as error:
        return refusal_of(match, error)
    return None


def refusal_of(match: Match, error: Exception) -> str | None:
    """The frame for a refused message, for its sender alone; None for a bug of ours."""
    match error:
        case Stale():
            return refusal(match, "stale", gettext("Somebody was faster: look again."), ply=error.ply)
        case Illegal():
            return refusal(match, "illegal", gettext("This move is not possible now."))
        case NotAllowed():
            return refusal(match, "foreign", gettext("You cannot do this here."))
        case Declined():
            return refusal(match, "declined", error.message)
        case engine_match.UnsupportedRules():
            return refusal(match, "old-rules", gettext("This match was played by older rules and cannot go on."))
        case _:
            return None


def malformed(match: Match) -> str:
    return refusal(match, "malformed", gettext("The server did not understand this."))


def refusal(match: Match, code: str, detail: str, **more: Any) -> str:
    return frame("refused", key=match.key, code=code, detail=detail, **more)


class LobbyPage(Topic):
    """`lobby`: changes in the list of open tables and running matches."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument:
            raise TopicDenied
        return Audience(groups.LOBBY)

    def receive(self, visitor: Actor, argument: str, message: dict[str, Any]) -> str | None:
        self.audience(visitor, argument)
        if message.get("here") is True:
            exhibition.keep_alive()
        return None


class PersonPage(Topic):
    """`person.<handle>`: changes in the matches of a person."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        person = User.objects.filter(handle__iexact=argument, is_active=True).first()
        if person is None:
            raise TopicDenied
        return Audience(groups.person(person.pk))
