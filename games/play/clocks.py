"""Clocks: whose clock runs, how long it has, and what happens when it expires."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from games.models import Match, Seat
from games.play import finish
from games.realtime import broadcast
from games.user_bots import events

# A move that was on its way when the clock expired is still accepted.
GRACE = timedelta(seconds=1)
# Without a clock a table waits for people without limit, and this long for a user's bot.
BOT_LIMIT = timedelta(seconds=60)

OUT_OF_TIME_KIND = declare_kind(
    "games.out-of-time", _("Your time ran out at a table of %(game)s."), _("Your time ran out")
)


@dataclass(frozen=True)
class ClockUpdate:
    """What a move does to the clocks: the time it took, the banks that change, and the next deadline."""

    spent: int
    banks: dict[int, int]
    deadline: datetime | None


def charge(
    *,
    match: Match,
    seats: list[Seat],
    to_act: int | None,
    further: bool,
    now: datetime,
    shown: timedelta = timedelta(0),
) -> ClockUpdate:
    """Charge the seat that was to act (`match.to_act`) and set the clock of the next one.

    The increment is added when the turn passes to another seat. A take-back never does that
    (`engine.Match.can_undo`), so it gains no increment and no new deadline. `further` says whether the match got
    further than before. The next clock starts when a bot's turn has been `shown`.
    """
    spent = _milliseconds(now - match.turn_since) if match.turn_since else 0
    banks: dict[int, int] = {}
    if match.clock == Match.Clock.LIVE:
        waited = seats[match.to_act] if match.to_act is not None else None
        if waited is not None and waited.is_played_by_person:
            bonus = match.increment * 1000 if to_act != match.to_act else 0
            banks[waited.index] = max((waited.bank_left or 0) - spent, 0) + bonus
    return ClockUpdate(spent, banks, _deadline(match, seats, to_act, banks, further, now + shown))


def _deadline(
    match: Match, seats: list[Seat], to_act: int | None, banks: dict[int, int], further: bool, now: datetime
) -> datetime | None:
    if to_act is None or not seats[to_act].is_played_by_person:
        return None
    if match.clock == Match.Clock.LIVE:
        return now + timedelta(milliseconds=banks.get(to_act, seats[to_act].bank_left or 0))
    # By correspondence the days are for the whole turn; a bot's limit is for a move that takes the match further.
    runs_on = to_act == match.to_act and (match.clock == Match.Clock.DAYS or not further)
    if runs_on and match.deadline:
        return match.deadline
    return fresh_deadline(match, seats[to_act], now)


def fresh_deadline(match: Match, seat: Seat, now: datetime) -> datetime | None:
    """The deadline of a seat whose turn begins now."""
    if not seat.is_played_by_person:
        return None
    if match.clock == Match.Clock.LIVE:
        return now + timedelta(milliseconds=seat.bank_left or 0)
    if match.clock == Match.Clock.DAYS:
        return now + timedelta(days=match.days)
    return now + BOT_LIMIT if seat.is_own_bot else None


def expire_clock(*, match_id: int) -> bool:
    """Apply the table's rule to the seat whose clock has expired; False if there is nothing to do."""
    now = timezone.now()
    with transaction.atomic():
        # Compare and set: decides between two sweeps, and between a sweep and a move at the last moment.
        claimed = Match.objects.filter(
            pk=match_id, status=Match.Status.PLAYING, deadline__lte=now - GRACE, to_act__isnull=False
        ).update(deadline=None)
        if not claimed:
            return False
        match = Match.objects.select_for_update().get(pk=match_id)
        seat = Seat.objects.select_related("user").get(match=match, index=match.to_act or 0)
        if match.clock == Match.Clock.LIVE:
            seat.bank_left = 0
            seat.save(update_fields=["bank_left"])
        away = match.on_timeout == Match.OnTimeout.BOT
        finish.remove_player(match=match, seat=seat, left=Seat.Left.AWAY if away else Seat.Left.TIMEOUT)
        events.append_timeout(match, seat, now_over=match.is_finished)
        if seat.user:
            notify([seat.user], OUT_OF_TIME_KIND, path=match.get_absolute_url(), game=match.stored_title)
        broadcast.broadcast_table(match)
    return True


def _milliseconds(time: timedelta) -> int:
    return max(int(time.total_seconds() * 1000), 0)
