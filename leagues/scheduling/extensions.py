"""More time: a player asks, an organiser gives it or does not. A table that waits for an answer is left alone."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from leagues import locks, results
from leagues.access import Permission, require
from leagues.models import Extension, Pairing, Season
from leagues.names import when
from leagues.scheduling import verdicts, windows

ASKED = audit.action(
    "leagues.time-asked", _("%(actor)s asked for more time for table %(table)s of round %(round)s in %(division)s")
)
REFUSED = audit.action(
    "leagues.time-refused", _("%(actor)s gave no more time to table %(table)s of round %(round)s in %(division)s")
)

TOLD_ASKED = notices.kind(
    "leagues.time-asked",
    _("%(actor)s asks for more time for a table in %(league)s."),
    _("Somebody asks for more time"),
    group=notices.Group.ORGANISING,
    asks=True,
)
TOLD_REFUSED = notices.kind(
    "leagues.time-refused", _("Your table in %(league)s gets no more time."), _("Your table gets no more time")
)


@transaction.atomic
def ask(*, person: User, pairing: Pairing, reason: str) -> Extension:
    """Before the deadline; while it waits for an answer nothing happens to the table."""
    pairing = locks.pairing(pairing)
    require(person, Permission.SIT, pairing)
    if not can_ask(pairing, timezone.now()):
        raise Refused(gettext("There is no deadline here to be moved."))
    if Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN).exists():
        raise Refused(gettext("More time is asked for already: an organiser will decide."))
    reason = " ".join(reason.split())[:300]
    if not reason:
        raise Refused(gettext("Say why: the organisers decide by it."))
    extension = Extension.objects.create(pairing=pairing, asked_by=person, cause=Extension.Cause.PLAYER, reason=reason)
    verdicts.noted(ASKED, pairing, actor=person)
    organisers = [each for each in results.organisers(windows.season_of(pairing)) if each != person]
    verdicts.told(organisers, TOLD_ASKED, pairing, actor=person)
    return extension


def can_ask(pairing: Pairing, now: datetime) -> bool:
    begun = pairing.state in (Pairing.State.SCHEDULED, Pairing.State.PLAYING)
    published = pairing.round.is_published and not pairing.round.is_closed
    return begun and published and windows.has_window(pairing) and bool(pairing.deadline and pairing.deadline > now)


@transaction.atomic
def grant(*, actor: User, pairing: Pairing, until: datetime) -> Extension:
    """A later deadline, whether somebody asked for it or not."""
    pairing = locks.pairing(pairing)
    require(actor, Permission.ORGANISE, pairing)
    now = timezone.now()
    if not pairing.is_open or pairing.round.is_closed:
        raise Refused(gettext("This table is decided: it needs no time."))
    if until <= now:
        raise Refused(gettext("%(when)s is already over.") % {"when": when(until)})
    if pairing.deadline and until <= pairing.deadline:
        raise Refused(gettext("It has until %(when)s already.") % {"when": when(pairing.deadline)})
    return verdicts.give_time(pairing, now, cause=Extension.Cause.ORGANISER, until=until, by=actor)


@transaction.atomic
def refuse(*, actor: User, extension: Extension) -> Extension:
    """No more time. Before the deadline that is all; after it the table is decided: who did nothing loses."""
    pairing = locks.pairing(extension.pairing)
    require(actor, Permission.ORGANISE, pairing)
    extension = Extension.objects.get(pk=extension.pk)
    if extension.status != Extension.Status.OPEN:
        return extension
    now = timezone.now()
    over = is_over(extension, pairing, now)
    if over and not can_be_decided(pairing):
        raise Refused(gettext("Only you can decide this table: enter its result, void it, or give it more time."))
    extension.status, extension.decided_by, extension.decided_at = Extension.Status.REFUSED, actor, now
    extension.save(update_fields=["status", "decided_by", "decided_at"])
    verdicts.noted(REFUSED, pairing, actor=actor)
    verdicts.told(windows.people_at(pairing), TOLD_REFUSED, pairing, actor=actor)
    if over:
        _decide(pairing, extension, now)
    return extension


def is_over(extension: Extension, pairing: Pairing, now: datetime) -> bool:
    """Whether only its answer keeps the table from being decided."""
    past = pairing.deadline is not None and pairing.deadline <= now
    return past or extension.cause != Extension.Cause.PLAYER


def can_be_decided(pairing: Pairing) -> bool:
    """Whether refusing decides the table by itself: not one that is being played, reported, or at the club."""
    return pairing.state == Pairing.State.SCHEDULED and pairing.where == Pairing.Where.ONLINE


def _decide(pairing: Pairing, extension: Extension, now: datetime) -> None:
    missing = verdicts.missing_seats(pairing, now) if extension.cause == Extension.Cause.NO_SHOW else []
    if missing and verdicts.without(pairing, missing, verdicts.NO_SHOW) is None:
        verdicts.play_on(pairing, missing, now)
    elif not missing:
        verdicts.close_window(pairing, now, no_more=True)


def waiting(season: Season) -> list[Extension]:
    """What is asked of the organisers and not answered yet."""
    return list(
        _waiting(season)
        .select_related("asked_by", "pairing__round__stage__division", "pairing__match")
        .prefetch_related("pairing__seats__entrant__user", "pairing__seats__entrant__members__user")
        .order_by("made_at", "pk")
    )


def how_many_wait(season: Season) -> int:
    return _waiting(season).count()


def _waiting(season: Season) -> "QuerySet[Extension]":
    tables = Pairing.objects.open().filter(round__stage__division__season=season)
    return Extension.objects.filter(status=Extension.Status.OPEN, pairing__in=tables)


def current(pairing: Pairing) -> Extension | None:
    rows = Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN)
    return rows.select_related("asked_by").first()
