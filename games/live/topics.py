"""What pages about games listen to, and what they may say on the same socket."""

from typing import Any

from django.db.models import Prefetch
from django.utils import translation
from django.utils.translation import gettext

from accounts.access import Actor
from accounts.errors import Refused as Declined
from accounts.live.publish import frame
from accounts.live.topics import Audience, Refused, Topic
from accounts.models import User
from games import access, exhibition, play, referee, talk
from games.access import NotAllowed, Permission
from games.errors import Illegal, Stale
from games.live import announce, frames, groups
from games.models import Match, Seat

# Seats and the people in them in one query.
WITH_PEOPLE = Prefetch("seats", Seat.objects.select_related("user").order_by("index"))


class MatchPage(Topic):
    """`match.<key>`: one table. Players hear their own seat's view, everyone else the public one."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        match, seat = _table(visitor, argument)
        return Audience(groups.audience(match, seat), first=lambda: catch_up(match.pk, seat, None))

    def receive(self, visitor: Actor, argument: str, message: dict[str, Any]) -> str | None:
        match, seat = _table(visitor, argument)
        with translation.override(visitor.language if isinstance(visitor, User) else None):
            match message:
                case {"here": bool(here)}:
                    note_presence(match, seat, here)
                    return missed(match, seat, message.get("after"))
                case {"after": int(after)} if after >= 0:
                    return catch_up(match.pk, seat, after)
                case {"move": _}:
                    return receive_move(visitor, match, message)
                case {"say": str(text)}:
                    return said(visitor, match, text=text)
                case {"remark": str(remark)}:
                    return said(visitor, match, remark=remark)
                case _:
                    return malformed(match)


def _table(visitor: Actor, key: str) -> tuple[Match, int | None]:
    """The table, and the seat whose view this visitor gets; while places are still being taken nobody has one."""
    match = Match.objects.prefetch_related(WITH_PEOPLE).filter(key=key).order_by().first()
    if match is None or not access.may(visitor, Permission.SEE, match):
        raise Refused
    seat = None if match.is_open else access.seat_of(visitor, match)
    return match, seat.index if seat else None


def catch_up(match_id: int, seat: int | None, after: int | None) -> str | None:
    """The table as it stands now and, for a page that says what it has, all that happened since."""
    match = Match.objects.prefetch_related(WITH_PEOPLE).get(pk=match_id)
    if match.started_at is None or not match.is_current:
        return None
    current = referee.at(match)
    since = current.ply if after is None else min(after, current.ply)
    around = frames.surroundings(match, list(match.seats.all()))
    return frames.match_frame(match, current, seat, since, around)


def missed(match: Match, seat: int | None, after: Any) -> str | None:
    """What a page lacks that says in passing how far it is: a lost frame leaves no gap until the next one comes."""
    return catch_up(match.pk, seat, after) if type(after) is int and 0 <= after < match.ply else None


def note_presence(match: Match, seat: int | None, here: bool) -> None:
    if match.pace:
        exhibition.look()
    if seat is not None:
        frames.note_presence(match, seat, here)
        announce.present(match, seat, here)


def receive_move(visitor: Actor, match: Match, message: Any) -> str | None:
    """None when the move counted: the frame that everyone gets is the answer."""
    if not isinstance(message, dict):
        return malformed(match)
    ply, move = message.get("ply"), message.get("move")
    if type(ply) is not int or not isinstance(move, str):
        return malformed(match)
    try:
        if not isinstance(visitor, User):
            raise NotAllowed(Permission.PLAY)  # type: ignore[arg-type]
        play.play_as(person=visitor, match=match, ply=ply, move=move)
    except Exception as error:
        if (answer := refusal_of(match, error)) is None:
            raise
        return answer
    return None


def said(visitor: Actor, match: Match, **words: str) -> str | None:
    try:
        if not isinstance(visitor, User):
            raise NotAllowed(Permission.TALK)  # type: ignore[arg-type]
        talk.say(person=visitor, match=match, **words)
    except (NotAllowed, Declined) as error:
        return refusal_of(match, error)
    return None


def refusal_of(match: Match, error: Exception) -> str | None:
    """The words for a refused move, for its sender alone; None for what is our own fault."""
    match error:
        case Stale():
            return refusal(match, "stale", gettext("Somebody was faster: look again."), ply=error.ply)
        case Illegal():
            return refusal(match, "illegal", gettext("This move is not possible now."))
        case NotAllowed():
            return refusal(match, "foreign", gettext("You cannot do this here."))
        case Declined():
            return refusal(match, "declined", error.message)
        case referee.OldRules():
            return refusal(match, "old-rules", gettext("This match was played by older rules and cannot go on."))
        case _:
            return None


def malformed(match: Match) -> str:
    return refusal(match, "malformed", gettext("The server did not understand this."))


def refusal(match: Match, code: str, detail: str, **more: Any) -> str:
    return frame("refused", key=match.key, code=code, detail=detail, **more)


class LobbyPage(Topic):
    """`lobby`: what changes in the list of open tables and running matches."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument:
            raise Refused
        return Audience(groups.LOBBY)

    def receive(self, visitor: Actor, argument: str, message: dict[str, Any]) -> str | None:
        self.audience(visitor, argument)
        if message.get("here") is True:
            exhibition.look()
        return None


class PersonPage(Topic):
    """`person.<handle>`: what changes among the matches of a person."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        person = User.objects.filter(handle__iexact=argument, is_active=True).first()
        if person is None:
            raise Refused
        return Audience(groups.person(person.pk))
