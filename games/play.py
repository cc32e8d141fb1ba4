"""Playing a move: the only writer of a match's record, for people, bots and the house alike."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import notices
from accounts.errors import Refused
from accounts.models import User
from engine.kernel import UNDO
from games import access, botevents, clocks, ending, queue, referee
from games.access import Permission
from games.errors import Illegal, Stale
from games.live import announce
from games.models import Match, Move, Seat

LONGEST_MOVE = 80

TOLD_YOUR_TURN = notices.kind(
    "games.your-turn", _("It is your turn at a table of %(game)s."), _("It is your turn, with days for a move")
)


@dataclass(frozen=True)
class Played:
    """A move that counts: where the match stands after it."""

    match: Match
    seats: list[Seat]
    ply: int
    over: bool


# For how long whoever plays a move holds on to the ply after it, given the match and the seats as they are then.
Hold = Callable[[engine.Match, list[Seat]], timedelta]


def play_as(*, person: User, match: Match, ply: int, move: str) -> Played:
    """A person plays for their own seat."""
    access.require(person, Permission.PLAY, match)
    seat = access.seat_of(person, match)
    assert seat is not None
    if not seat.is_played_by_person:
        raise Refused(gettext("A bot is keeping your seat. Take it back first."))
    if match.to_act == seat.index and match.deadline and timezone.now() > match.deadline + clocks.GRACE:
        clocks.fall(match_id=match.pk)
        raise Refused(gettext("Your time is up."))
    return play(match=match, ply=ply, seat=seat.index, move=move, by=Move.By.PERSON)


def play(*, match: Match, ply: int, seat: int, move: str, by: str, hold: Hold | None = None) -> Played:
    """Play one move at a ply: it counts once, however often and by however many it is tried.

    `Stale` when the match is elsewhere by now, `Illegal` when the rules refuse it; either way nothing has changed.
    With `hold` the caller goes on to answer for the bots by itself, and no task is sent.
    """
    if match.ply != ply or not match.is_playing:
        raise Stale(match.ply)
    played = referee.at(match)
    before = played.to_act
    said = " ".join(move[:LONGEST_MOVE].lower().split())
    try:
        if said == UNDO:
            played.undo(seat)
        else:
            played.play(said, seat)
    except engine.IllegalAction as error:
        raise Illegal(error.reason, [played.notation(action, seat) for action in played.legal(seat)]) from error
    try:
        with transaction.atomic():
            match, seats = _write(match, played, by, before, hold, timezone.now())
    except IntegrityError:
        # The unique ply has the last word where two databases' snapshots let both racers through the update.
        raise Stale(ply + 1) from None
    referee.remember(match.pk, played)
    return Played(match, seats, match.ply, match.is_finished)


def _write(
    match: Match, played: engine.Match, by: str, before: int | None, hold: Hold | None, now: datetime
) -> tuple[Match, list[Seat]]:
    entry = played.entries[-1]
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    further = referee.leads_further(played)
    reading = clocks.read(match=match, seats=seats, to_act=played.to_act, further=further, now=now)
    bots = [seat.index for seat in seats if seat.bot_level]
    owed = any(played.legal(seat) for seat in bots)
    after = {
        "ply": played.ply,
        "to_act": played.to_act,
        "snapshot": played.view(None),
        "turn_since": now,
        "deadline": reading.deadline,
        "bot_due": queue.due_at(match, now) if owed else None,
        "bot_held": now + hold(played, seats) if owed and hold else None,
        "attempts": 1 if owed and hold else 0,
    }
    # Compare and set: of all who try this ply, one changes the row; nobody waits for anybody's thinking.
    if not Match.objects.filter(pk=match.pk, ply=match.ply, status=Match.Status.PLAYING).update(**after):
        raise Stale(match.ply + 1)
    Move.objects.create(
        match=match,
        ply=match.ply,
        seat=entry.seat,
        notation=entry.move,
        digest=entry.digest,
        by=by,
        at=now,
        spent=reading.spent if entry.seat == before else 0,
    )
    for index, bank in reading.banks.items():
        seats[index].bank_left = bank
        seats[index].save(update_fields=["bank_left"])
    match = copy(match)  # the caller's stays as it was read, should the transaction fail
    for name, value in after.items():
        setattr(match, name, value)
    if played.outcome is not None:
        ending.conclude(match=match, seats=seats, outcome=played.outcome, now=now)
        announce.listing_changed(match)
    elif owed and not hold:
        queue.send_after_commit(match)
    if match.to_act != before:
        announce.turn_passed(seats[index] for index in (before, match.to_act) if index is not None)
        _tell_whose_turn(match, seats, before)
    botevents.tell_turn(match, seats)
    announce.moved(match, seats, played)
    return match, seats


def _tell_whose_turn(match: Match, seats: list[Seat], before: int | None) -> None:
    """By correspondence a player need not be looking: they are told once a turn, and it is old news once they acted."""
    if match.clock != Match.Clock.DAYS:
        return
    path = match.get_absolute_url()
    if before is not None and (done := seats[before].user) is not None:
        notices.settle(done, TOLD_YOUR_TURN, path=path)
    seat = seats[match.to_act] if match.to_act is not None else None
    if seat is not None and seat.is_played_by_person and seat.user is not None:
        notices.tell([seat.user], TOLD_YOUR_TURN, path=path, game=match.title)
