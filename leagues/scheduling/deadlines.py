"""What happens by itself: no-shows, windows that close, suggestions that lapse, reminders.

Each table is dealt with in a transaction of its own, held, and looked at again under its lock: the sweep may run twice,
or together with anything else, and whoever comes first decides.
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

from accounts import audit, notices
from leagues import locks, results
from leagues.models import Extension, Pairing, ProposedTime, Reminder, Round, Season, TimeProposal
from leagues.scheduling import proposals, verdicts, windows

MISSED = audit.action(
    "leagues.time-missed", _("Nobody came to table %(table)s of round %(round)s in %(division)s at the agreed time")
)
TOLD_MISSED = notices.kind(
    "leagues.time-missed",
    _("Nobody came to your table in %(league)s at the agreed time: agree on another one."),
    _("Nobody came at the agreed time"),
)
TOLD_NEAR = notices.kind(
    "leagues.deadline-near",
    _("Your table in %(league)s is still to be played: its deadline is %(closes_at)s."),
    _("A deadline is near"),
)

NEAR = timedelta(hours=24)
ENDS = Coalesce("closes_at", "round__closes_at")
OPENED = Coalesce("round__opens_at", "round__published_at")
# How often the house gives a running match more time by itself before it asks an organiser.
BY_ITSELF = 3
# A match that has just ended: its result is on its way.
ON_ITS_WAY = timedelta(minutes=10)

log = structlog.get_logger("gauntlet.deadlines")


def sweep(now: datetime | None = None) -> int:
    """Everything that is due; how many tables it did something to."""
    now = now or timezone.now()
    done = _each(_no_shows_due(now), partial(look_for_no_shows, now=now))
    done += _each(_windows_due(now), partial(close, now=now))
    done += _each(_lapsing(now), partial(_lapse, now=now))
    done += drop_needless(now)
    return done + _each(_near(now), partial(remind, now=now))


def _each(ids: Iterable[int], act: Callable[[int], bool]) -> int:
    done = 0
    for pk in list(ids):
        try:
            done += act(pk)
        except Exception:
            # One poisonous table must not keep the others from being played.
            log.exception("a table was left as it is", table=pk)
    return done


def _running() -> "QuerySet[Pairing]":
    """Open tables of published rounds that make their times themselves, and that wait for no organiser."""
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
    """The window of a table has closed: carry out what the season's terms say. Whether anything was to be done."""
    pairing = locks.pairing(Pairing(pk=pairing_id))
    if not _waits(pairing) or pairing.deadline is None or pairing.deadline > now:
        return False
    match pairing.state:
        case Pairing.State.SCHEDULED if verdicts.policy(pairing) == Season.OnUnplayed.ASK:
            verdicts.ask(pairing, Extension.Cause.UNPLAYED)
        case Pairing.State.SCHEDULED:
            verdicts.close_window(pairing, now)
        case Pairing.State.PLAYING:
            return _let_run(pairing, now)
        case Pairing.State.REPORTED if _players_confirm(pairing):
            verdicts.ask(pairing, Extension.Cause.REPORTED)
        case _:
            return False
    return True


def _waits(pairing: Pairing) -> bool:
    """Asked again under the lock: still open, and no organiser is asked."""
    return (
        pairing.is_open
        and pairing.round.status == Round.Status.PUBLISHED
        and windows.season_of(pairing).is_running
        and not Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN).exists()
    )


def _players_confirm(pairing: Pairing) -> bool:
    """Otherwise the report waits for an organiser anyway."""
    latest = results.latest(pairing)
    by_players = windows.season_of(pairing).confirmation != Season.Confirmation.ORGANISER
    return by_players and bool(results.answering(pairing, latest.by if latest else None))


def _let_run(pairing: Pairing, now: datetime) -> bool:
    """A match that is being played is never cut: its own clock ends it. A few times the house just lets it go on."""
    match = pairing.match
    if match is not None and match.finished_at is not None and now - match.finished_at < ON_ITS_WAY:
        return False
    given = Extension.objects.filter(
        pairing=pairing, cause=Extension.Cause.RUNNING, status=Extension.Status.GRANTED, decided_by=None
    ).count()
    policy = windows.season_of(pairing).on_unplayed
    if match is None or not match.is_playing or policy == Season.OnUnplayed.ASK or given >= BY_ITSELF:
        verdicts.ask(pairing, Extension.Cause.RUNNING)
    else:
        verdicts.give_time(pairing, now, cause=Extension.Cause.RUNNING)
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
    """The agreed time has passed, and so have the minutes that are waited: who is not there is not waited for."""
    pairing = locks.pairing(Pairing(pk=pairing_id))
    minutes = windows.season_of(pairing).no_show_minutes
    due = pairing.starts_at is not None and pairing.starts_at + timedelta(minutes=minutes) <= now
    begun = pairing.state != Pairing.State.SCHEDULED or pairing.match_id or pairing.where != Pairing.Where.ONLINE
    if not _waits(pairing) or not minutes or not due or begun:
        return False
    missing = verdicts.missing_seats(pairing, now)
    if len(missing) == len(verdicts.people_seats(pairing)):
        # They may still agree on another time; if they do not, the deadline decides.
        verdicts.forget_time(pairing)
        verdicts.noted(MISSED, pairing)
        verdicts.told(windows.people_at(pairing), TOLD_MISSED, pairing)
        return True
    match verdicts.policy(pairing):
        case Season.OnUnplayed.ASK:
            verdicts.ask(pairing, Extension.Cause.NO_SHOW)
        case Season.OnUnplayed.BOT:
            verdicts.play_on(pairing, missing, now)
        case _ if verdicts.without(pairing, missing, verdicts.NO_SHOW) is None:
            verdicts.play_on(pairing, missing, now)
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
    return proposals.lapse(proposal=proposal, now=now)


def drop_needless(now: datetime) -> int:
    """Requests of tables that were decided meanwhile."""
    rows = Extension.objects.filter(status=Extension.Status.OPEN).exclude(pairing__in=Pairing.objects.open())
    return rows.update(status=Extension.Status.DROPPED, decided_at=now)


def _near(now: datetime) -> Iterable[int]:
    rows = _running().filter(state=Pairing.State.SCHEDULED, reminder=None)
    soon = rows.annotate(ends=ENDS, opened=OPENED).filter(ends__gt=now, ends__lte=now + NEAR)
    return [pk for pk, opened, ends in soon.values_list("pk", "opened", "ends") if ends - now <= _notice(ends - opened)]


def _notice(window: timedelta) -> timedelta:
    """A day before, or the last quarter of a short window."""
    return min(NEAR, window / 4)


@transaction.atomic
def remind(pairing_id: int, *, now: datetime) -> bool:
    """Once a table: whoever is at it is told that the deadline is near."""
    pairing = locks.pairing(Pairing(pk=pairing_id))
    if not _waits(pairing) or Reminder.objects.filter(pairing=pairing).exists():
        return False
    Reminder.objects.create(pairing=pairing, at=now)
    verdicts.told(windows.people_at(pairing), TOLD_NEAR, pairing)
    return True
