"""What happens automatically: no-shows, closing windows, lapsing suggestions, reminders.

Each table is handled in its own transaction and checked again under its lock: the sweep may run twice, or together
with anything else, and the first one decides.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.notifications.registry import declare_kind
from leagues.core import locks
from leagues.models import Extension, Pairing, ProposedTime, Reminder, Round, Season, TimeProposal
from leagues.results import reporting
from leagues.windows import outcomes, round_window, time_proposals

MISSED = audit.declare_action(
    "leagues.time-missed", _("Nobody came to table %(table)s of round %(round)s in %(division)s at the agreed time")
)
MISSED_KIND = declare_kind(
    "leagues.time-missed",
    _("Nobody came to your table in %(league)s at the agreed time: agree on another one."),
    _("Nobody came at the agreed time"),
)
NEAR_KIND = declare_kind(
    "leagues.deadline-near",
    _("Your table in %(league)s is still to be played: its deadline is %(closes_at)s."),
    _("A deadline is near"),
)

NEAR = timedelta(hours=24)
ENDS = Coalesce("closes_at", "round__closes_at")
OPENED = Coalesce("round__opens_at", "round__published_at")
# How often the site extends a running match by itself before it asks an organiser.
MAX_AUTOMATIC = 3
# A match that has just ended: its result will arrive soon.
ON_ITS_WAY = timedelta(minutes=10)

log = structlog.get_logger("gauntlet.deadlines")


def sweep(now: datetime | None = None) -> int:
    """Handle everything that is due. Returns for how many tables something was done."""
    now = now or timezone.now()
    done = _handle_each(_no_shows_due(now), partial(look_for_no_shows, now=now))
    done += _handle_each(_windows_due(now), partial(close, now=now))
    done += _handle_each(_lapsing(now), partial(_lapse, now=now))
    done += drop_decided(now)
    return done + _handle_each(_near(now), partial(remind, now=now))


def _handle_each(ids: Iterable[int], act: Callable[[int], bool]) -> int:
    done = 0
    for pk in list(ids):
        try:
            done += act(pk)
        except Exception:
            # An error at one table must not stop the others.
            log.exception("handling a deadline failed", table=pk)
    return done


def _running() -> "QuerySet[Pairing]":
    """Open tables of published rounds whose players arrange their own times, and that wait for no organiser."""
    asked = Extension.objects.filter(pairing=OuterRef("pk"), status=Extension.Status.OPEN)
    club_night = Q(where=Pairing.Where.CLUB, round__stage__division__season__where=Season.Where.CLUB)
    return (
        Pairing.objects.open()
        .filter(
            round__status=Round.Status.PUBLISHED,
            round__stage__division__season__status=Season.Status.RUNNING,
            round__stage__division__season__league__club__closed_at=None,
        )
        .exclude(club_night)
        .exclude(Exists(asked))
        .order_by("pk")
    )


def _windows_due(now: datetime) -> Iterable[int]:
    rows = _running().annotate(ends=ENDS).filter(ends__lte=now).exclude(state=Pairing.State.DISPUTED)
    return rows.values_list("pk", flat=True)


@transaction.atomic
def close(pairing_id: int, *, now: datetime) -> bool:
    """Close the window of a table and apply the season's policy. Returns whether anything was done."""
    pairing = locks.pairing(Pairing(pk=pairing_id))
    if not _waits(pairing) or pairing.deadline is None or pairing.deadline > now:
        return False
    match pairing.state:
        case Pairing.State.SCHEDULED if outcomes.policy(pairing) == Season.OnUnplayed.ASK:
            outcomes.ask_organiser(pairing, Extension.Cause.UNPLAYED)
        case Pairing.State.SCHEDULED:
            outcomes.close_window(pairing, now)
        case Pairing.State.PLAYING:
            return _let_run(pairing, now)
        case Pairing.State.REPORTED if _players_confirm(pairing):
            outcomes.ask_organiser(pairing, Extension.Cause.REPORTED)
        case _:
            return False
    return True


def _waits(pairing: Pairing) -> bool:
    """Check again under the lock: still open, and not waiting for an organiser."""
    return (
        pairing.is_open
        and pairing.round.status == Round.Status.PUBLISHED
        and round_window.season_of(pairing).is_running
        and not Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN).exists()
    )


def _players_confirm(pairing: Pairing) -> bool:
    """Otherwise the report waits for an organiser anyway."""
    latest = reporting.latest(pairing)
    by_players = round_window.season_of(pairing).confirmation != Season.Confirmation.ORGANISER
    return by_players and bool(reporting.can_answer(pairing, latest.by if latest else None))


def _let_run(pairing: Pairing, now: datetime) -> bool:
    """A running match is never interrupted: its own clock ends it. The site extends the deadline a few times."""
    match = pairing.match
    if match is not None and match.finished_at is not None and now - match.finished_at < ON_ITS_WAY:
        return False
    extensions = Extension.objects.filter(
        pairing=pairing, cause=Extension.Cause.RUNNING, status=Extension.Status.GRANTED, decided_by=None
    ).count()
    policy = round_window.season_of(pairing).on_unplayed
    if match is None or not match.is_playing or policy == Season.OnUnplayed.ASK or extensions >= MAX_AUTOMATIC:
        outcomes.ask_organiser(pairing, Extension.Cause.RUNNING)
    else:
        outcomes.extend_deadline(pairing, now, cause=Extension.Cause.RUNNING)
    return True


def _no_shows_due(now: datetime) -> Iterable[int]:
    rows = _running().filter(
        state=Pairing.State.SCHEDULED,
        where=Pairing.Where.ONLINE,
        match=None,
        starts_at__lte=now,
        round__stage__division__season__no_show_minutes__gt=0,
    )
    waited = rows.values_list("pk", "starts_at", "round__stage__division__season__no_show_minutes")
    return [pk for pk, starts_at, minutes in waited if starts_at and starts_at + timedelta(minutes=minutes) <= now]


@transaction.atomic
def look_for_no_shows(pairing_id: int, *, now: datetime) -> bool:
    """The agreed time and the waiting time have passed: handle the players who are missing."""
    pairing = locks.pairing(Pairing(pk=pairing_id))
    minutes = round_window.season_of(pairing).no_show_minutes
    due = pairing.starts_at is not None and pairing.starts_at + timedelta(minutes=minutes) <= now
    begun = pairing.state != Pairing.State.SCHEDULED or pairing.match_id or pairing.where != Pairing.Where.ONLINE
    if not _waits(pairing) or not minutes or not due or begun:
        return False
    missing = outcomes.missing_seats(pairing, now)
    if len(missing) == len(outcomes.people_seats(pairing)):
        # They may still agree on another time; otherwise the deadline decides.
        outcomes.forget_time(pairing)
        outcomes.log_for_pairing(MISSED, pairing)
        outcomes.notify_players(round_window.people_at(pairing), MISSED_KIND, pairing)
        return True
    match outcomes.policy(pairing):
        case Season.OnUnplayed.ASK:
            outcomes.ask_organiser(pairing, Extension.Cause.NO_SHOW)
        case Season.OnUnplayed.BOT:
            outcomes.continue_with_bots(pairing, missing, now)
        case _ if outcomes.forfeit_missing(pairing, missing, outcomes.NO_SHOW) is None:
            outcomes.continue_with_bots(pairing, missing, now)
    return True


def _lapsing(now: datetime) -> Iterable[int]:
    to_come = ProposedTime.objects.filter(proposal=OuterRef("pk"), starts_at__gt=now)
    rows = TimeProposal.objects.filter(status=TimeProposal.Status.OPEN).annotate(
        ends=Coalesce("pairing__closes_at", "pairing__round__closes_at")
    )
    over = Q(answer_by__lte=now) | Q(ends__lte=now) | ~Q(pairing__state=Pairing.State.SCHEDULED) | ~Exists(to_come)
    return rows.filter(over).order_by("pk").values_list("pk", flat=True)


def _lapse(proposal_id: int, *, now: datetime) -> bool:
    proposal = TimeProposal.objects.select_related("pairing").get(pk=proposal_id)
    return time_proposals.lapse(proposal=proposal, now=now)


def drop_decided(now: datetime) -> int:
    """Drop requests for tables that were decided meanwhile."""
    rows = Extension.objects.filter(status=Extension.Status.OPEN).exclude(pairing__in=Pairing.objects.open())
    return rows.update(status=Extension.Status.DROPPED, decided_at=now)


def _near(now: datetime) -> Iterable[int]:
    rows = _running().filter(state=Pairing.State.SCHEDULED, reminder=None)
    soon = rows.annotate(ends=ENDS, opened=OPENED).filter(ends__gt=now, ends__lte=now + NEAR)
    return [pk for pk, opened, ends in soon.values_list("pk", "opened", "ends") if ends - now <= _notice(ends - opened)]


def _notice(window: timedelta) -> timedelta:
    """A day before the deadline, or the last quarter of a short window."""
    return min(NEAR, window / 4)


@transaction.atomic
def remind(pairing_id: int, *, now: datetime) -> bool:
    """Remind the people at a table once that its deadline is near."""
    pairing = locks.pairing(Pairing(pk=pairing_id))
    if not _waits(pairing) or Reminder.objects.filter(pairing=pairing).exists():
        return False
    Reminder.objects.create(pairing=pairing, at=now)
    outcomes.notify_players(round_window.people_at(pairing), NEAR_KIND, pairing)
    return True
