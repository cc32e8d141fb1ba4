"""Closing tables that nobody plays on: one's own against bots, all at once, and abandoned ones after a day."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from games.models import Match, Seat
from games.play import finish
from games.realtime import broadcast
from games.tables import start
from games.tables.seating import lock_match

CLOSED = audit.declare_action("games.closed", _("%(actor)s closed a table of %(game)s"))

ABANDONED_AFTER = timedelta(days=1)
BATCH = 200

log = structlog.get_logger("gauntlet.tables")


def close_own(*, person: User) -> int:
    """Close one's own open tables at which no other person sits, and one's casual matches against bots alone.

    A rated match counts: it is played on or resigned. Returns how many were closed.
    """
    own = _of_one_person(Match.objects.filter(seats__user=person))
    hosted = Match.objects.filter(host=person, status=Match.Status.OPEN).exclude(
        pk__in=Seat.objects.filter(user__is_bot=False).exclude(user=person).values("match")
    )
    wanted = own.filter(status=Match.Status.PLAYING, rated=False).values_list("pk", flat=True)
    closed = 0
    for match_id in sorted({*wanted, *hosted.values_list("pk", flat=True)}):
        with transaction.atomic():
            match = lock_match(Match(pk=match_id))
            if _close(match, Match.Cause.RESIGNED):
                audit.record(CLOSED, actor=person, on=match, club=match.club, game=match.stored_title)
                closed += 1
    return closed


def close_abandoned() -> int:
    """Close matches of one person against bots in which that person has not moved for a day; returns how many.

    A rated one is lost on time. A table with a clock has its own rule, and a league's table its organiser.
    """
    idle = _of_one_person(Match.objects.filter(status=Match.Status.PLAYING, clock=Match.Clock.NONE)).filter(
        turn_since__lt=timezone.now() - ABANDONED_AFTER
    )
    closed = 0
    for match_id in idle.order_by("turn_since").values_list("pk", flat=True)[:BATCH]:
        try:
            with transaction.atomic():
                match = lock_match(Match(pk=match_id))
                closed += _close(match, Match.Cause.TIMEOUT)
        except Exception:
            # One broken match must not keep the others.
            log.exception("an abandoned table was not closed", match=match_id)
    return closed


def _of_one_person(matches: "QuerySet[Match]") -> "QuerySet[Match]":
    """Those with one person, who still plays, and bots of the site in all other seats; not those of a league."""
    alone = (
        Seat.objects.values("match")
        .annotate(
            people=Count("pk", filter=Q(user__is_bot=False)),
            playing=Count("pk", filter=Q(user__is_bot=False, bot_level="", left="")),
            own_bots=Count("pk", filter=Q(user__is_bot=True, bot_level="")),
        )
        .filter(people=1, playing=1, own_bots=0)
    )
    return matches.filter(host__isnull=False, pk__in=alone.values("match"))


def _close(match: Match, cause: str) -> bool:
    """Close a locked table; False if somebody was faster."""
    if match.is_open or (match.is_playing and not match.ply):
        start.abort(match=match)
        return True
    if not match.is_playing:
        return False
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    if match.rated:
        own = next(seat for seat in seats if not seat.is_bot)
        finish.remove_player(match=match, seat=own, left=Seat.Left.TIMEOUT)
    else:
        finish.call_off(match=match, seats=seats, cause=cause)
    broadcast.broadcast_table(match)
    return True
