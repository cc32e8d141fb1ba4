"""Time: whose clock runs, how long it has, and what happens when it falls."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import notices
from games import botevents, ending
from games.live import announce
from games.models import Match, Seat

# A move that was on its way when the clock fell is still taken.
GRACE = timedelta(seconds=1)
# A table without a clock waits for people as long as they like; for a bot that somebody brought it waits so long.
BOT_LIMIT = timedelta(seconds=60)

TOLD_OUT_OF_TIME = notices.kind(
    "games.out-of-time", _("Your time ran out at a table of %(game)s."), _("Your time ran out")
)


@dataclass(frozen=True)
class Reading:
    """What a move does to the clocks: the time it took, the banks that change, and when the next decision is due."""

    spent: int
    banks: dict[int, int]
    deadline: datetime | None


def read(*, match: Match, seats: list[Seat], to_act: int | None, further: bool, now: datetime) -> Reading:
    """Charge the seat the match waited for (`match.to_act`) and set the clock of the one it waits for next.

    The bonus for a turn is given when the decision passes on. A take-back never passes it on (`engine.Match.can_undo`),
    so it gains no bonus and no new deadline. `further` says whether the match got further than it has ever been.
    """
    spent = _milliseconds(now - match.turn_since) if match.turn_since else 0
    banks: dict[int, int] = {}
    if match.clock == Match.Clock.LIVE:
        waited = seats[match.to_act] if match.to_act is not None else None
        if waited is not None and waited.is_played_by_person:
            bonus = match.increment * 1000 if to_act != match.to_act else 0
            banks[waited.index] = max((waited.bank_left or 0) - spent, 0) + bonus
    return Reading(spent, banks, _deadline(match, seats, to_act, banks, further, now))


def _deadline(
    match: Match, seats: list[Seat], to_act: int | None, banks: dict[int, int], further: bool, now: datetime
) -> datetime | None:
    if to_act is None or not seats[to_act].is_played_by_person:
        return None
    if match.clock == Match.Clock.LIVE:
        return now + timedelta(milliseconds=banks.get(to_act, seats[to_act].bank_left or 0))
    # By correspondence the days are for the whole turn; a bot's limit is for an answer that brings the match further.
    runs_on = to_act == match.to_act and (match.clock == Match.Clock.DAYS or not further)
    if runs_on and match.deadline:
        return match.deadline
    return fresh_deadline(match, seats[to_act], now)


def fresh_deadline(match: Match, seat: Seat, now: datetime) -> datetime | None:
    """The deadline of a seat whose decision begins now, its time counted from here."""
    if not seat.is_played_by_person:
        return None
    if match.clock == Match.Clock.LIVE:
        return now + timedelta(milliseconds=seat.bank_left or 0)
    if match.clock == Match.Clock.DAYS:
        return now + timedelta(days=match.days)
    return now + BOT_LIMIT if seat.is_own_bot else None


def fall(*, match_id: int) -> bool:
    """Apply the table's rule to the seat whose clock has fallen; False when there is nothing to do any more."""
    now = timezone.now()
    with transaction.atomic():
        # The compare-and-set decides between two sweepers, and between the sweeper and a move in the last moment.
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
        ending.leave(match=match, seat=seat, left=Seat.Left.AWAY if away else Seat.Left.TIMEOUT)
        botevents.tell_fallen(match, seat, now_over=match.is_finished)
        if seat.user:
            notices.tell([seat.user], TOLD_OUT_OF_TIME, path=match.get_absolute_url(), game=match.title)
        announce.table_changed(match)
    return True


def _milliseconds(time: timedelta) -> int:
    return max(int(time.total_seconds() * 1000), 0)
