"""From a full table to a match: lots for the seats and the deal; or the table is called off."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from engine.rng import stream
from games import access, engine_match, fairness
from games.access import Permission
from games.models import Match, Seat
from games.play import clocks, dispatch, fair_share, pace
from games.realtime import broadcast
from games.tables.seating import lock_match
from games.user_bots import events

STARTED = audit.declare_action("games.started", _("A match of %(game)s began"))
CALLED_OFF = audit.declare_action("games.called-off", _("%(actor)s called off a table of %(game)s"))

STARTED_KIND = declare_kind("games.started", _("Your match of %(game)s has begun."), _("A match of yours begins"))


@transaction.atomic
def start(*, person: User, match: Match) -> Match:
    match = lock_match(match)
    access.require(person, Permission.HOST, match)
    if match.seats.filter(bot_level__gt="").exists():
        fair_share.check_running(person)
    return deal(match=match, actor=person)


def deal(*, match: Match, actor: User | None) -> Match:
    """Deal, inside the caller's transaction; every place must be taken."""
    return begin(match=match, actor=actor)


def begin(*, match: Match, actor: User | None, played: engine.Match | None = None) -> Match:
    """The match begins at its deal, or at the position of `played`, whose record is its own so far."""
    if not match.is_open:
        raise Refused(gettext("This match has already begun."))
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    if not all(seat.is_taken for seat in seats):
        raise Refused(gettext("There are free places: wait for players, or fill them with bots."))
    if match.draws_seats and played is None:
        seats = _draw_seats(match, seats)
    if match.clock == Match.Clock.LIVE:
        Seat.objects.filter(match=match).update(bank_left=match.bank * 1000)
        for seat in seats:
            seat.bank_left = match.bank * 1000
    played = played or engine_match.load_initial(match)
    now = timezone.now()
    match.ply = played.ply
    match.status = Match.Status.PLAYING
    match.started_at = match.turn_since = match.watched_at = now
    match.to_act = played.to_act
    match.snapshot = played.view(None)
    match.deadline = clocks.fresh_deadline(match, seats[played.to_act or 0], now)
    if any(played.legal(seat.index) for seat in seats if seat.bot_level):
        # Written with the deal itself: a match whose first task is lost is found by the sweeper.
        match.bot_due = dispatch.due_at(match, now, pace.pause_after(match, seats, played, played.ply))
        dispatch.send_after_commit(match, now)
    match.save()
    events.append_turn(match, seats)
    if actor is not None:
        audit.record(STARTED, actor=actor, on=match, club=match.club, game=match.stored_title)
    others = [seat.user for seat in seats if seat.user and seat.user != actor]
    notify(others, STARTED_KIND, path=match.get_absolute_url(), game=match.stored_title)
    broadcast.recheck_audiences(match)
    return match


def _draw_seats(match: Match, seats: list[Seat]) -> list[Seat]:
    """Lots for the seats, from the same seed as the deal: first those who wish for a role, while it lasts."""
    roles = engine.game(match.game).roles(match.players)
    rng = stream(fairness.seed_of(match), "seats")
    lots = sorted(range(len(seats)), key=lambda _place: rng.below(1 << 30))
    free = list(range(match.players))
    drawn: dict[int, Seat] = {}
    for wishing in (True, False):
        for lot in lots:
            seat = seats[lot]
            wanted = [index for index in free if roles[index] == seat.wish]
            if seat in drawn.values() or (wishing and not wanted):
                continue
            index = wanted[0] if wishing else free[0]
            free.remove(index)
            drawn[index] = seat
    # Out of the way first: no two rows may hold one index, not even for a moment.
    for index, seat in drawn.items():
        Seat.objects.filter(pk=seat.pk).update(index=index + match.players)
    for index, seat in drawn.items():
        Seat.objects.filter(pk=seat.pk).update(index=index)
        seat.index = index
    return [drawn[index] for index in sorted(drawn)]


@transaction.atomic
def call_off(*, person: User, match: Match) -> None:
    """Abort before the first move: nothing was played, nothing is counted."""
    match = lock_match(match)
    access.require(person, Permission.HOST, match)
    abort(match=match)
    audit.record(CALLED_OFF, actor=person, on=match, club=match.club, game=match.stored_title)


def abort(*, match: Match) -> None:
    """Take the table away, inside the caller's transaction and with its row locked."""
    if match.ply:
        raise Refused(gettext("A move has been made: this match can be resigned, not called off."))
    match.status, match.finished_at = Match.Status.ABORTED, timezone.now()
    match.bot_due = match.deadline = match.to_act = None
    match.save()
    broadcast.broadcast_table(match)
