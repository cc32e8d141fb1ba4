"""Extensions: a player asks for more time, an organiser grants or refuses it. Meanwhile the table stays open."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.datetimes import format_datetime
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from leagues.core import locks
from leagues.core.access import Permission, require
from leagues.models import Extension, Pairing, Season
from leagues.results import reporting
from leagues.windows import outcomes, round_window

ASKED = audit.declare_action(
    "leagues.time-asked", _("%(actor)s asked for more time for table %(table)s of round %(round)s in %(division)s")
)
REFUSED = audit.declare_action(
    "leagues.time-refused", _("%(actor)s gave no more time to table %(table)s of round %(round)s in %(division)s")
)

ASKED_KIND = declare_kind(
    "leagues.time-asked",
    _("%(actor)s asks for more time for a table in %(league)s."),
    _("Somebody asks for more time"),
    group=NotificationGroup.ORGANISING,
    asks=True,
)
REFUSED_KIND = declare_kind(
    "leagues.time-refused", _("Your table in %(league)s gets no more time."), _("Your table gets no more time")
)


@transaction.atomic
def ask(*, person: User, pairing: Pairing, reason: str) -> Extension:
    """Ask for more time before the deadline. Until it is answered nothing happens to the table."""
    pairing = locks.pairing(pairing)
    require(person, Permission.SIT, pairing)
    if not can_ask(pairing, timezone.now()):
        raise Refused(gettext("This table has no deadline that can be moved."))
    if Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN).exists():
        raise Refused(gettext("More time is asked for already: an organiser will decide."))
    reason = " ".join(reason.split())[:300]
    if not reason:
        raise Refused(gettext("Give a reason: the organisers need it to decide."))
    extension = Extension.objects.create(pairing=pairing, asked_by=person, cause=Extension.Cause.PLAYER, reason=reason)
    outcomes.log_for_pairing(ASKED, pairing, actor=person)
    organisers = [each for each in reporting.organisers(round_window.season_of(pairing)) if each != person]
    outcomes.notify_players(organisers, ASKED_KIND, pairing, actor=person)
    return extension


def can_ask(pairing: Pairing, now: datetime) -> bool:
    begun = pairing.state in (Pairing.State.SCHEDULED, Pairing.State.PLAYING)
    published = pairing.round.is_published and not pairing.round.is_closed
    return (
        begun and published and round_window.has_window(pairing) and bool(pairing.deadline and pairing.deadline > now)
    )


@transaction.atomic
def grant(*, actor: User, pairing: Pairing, until: datetime) -> Extension:
    """Set a later deadline, whether somebody asked for it or not."""
    pairing = locks.pairing(pairing)
    require(actor, Permission.ORGANISE, pairing)
    now = timezone.now()
    if not pairing.is_open or pairing.round.is_closed:
        raise Refused(gettext("This table is decided: it needs no time."))
    if until <= now:
        raise Refused(gettext("%(when)s is already over.") % {"when": format_datetime(until)})
    if pairing.deadline and until <= pairing.deadline:
        raise Refused(gettext("It has until %(when)s already.") % {"when": format_datetime(pairing.deadline)})
    return outcomes.extend_deadline(pairing, now, cause=Extension.Cause.ORGANISER, until=until, by=actor)


@transaction.atomic
def refuse(*, actor: User, extension: Extension) -> Extension:
    """Refuse more time. After the deadline this also decides the table: players who did nothing lose."""
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
    outcomes.log_for_pairing(REFUSED, pairing, actor=actor)
    outcomes.notify_players(round_window.people_at(pairing), REFUSED_KIND, pairing, actor=actor)
    if over:
        _decide(pairing, extension, now)
    return extension


def is_over(extension: Extension, pairing: Pairing, now: datetime) -> bool:
    """Whether the table would be decided by now if there were no request."""
    past = pairing.deadline is not None and pairing.deadline <= now
    return past or extension.cause != Extension.Cause.PLAYER


def can_be_decided(pairing: Pairing) -> bool:
    """Whether refusing decides the table: not if it is being played, was reported, or is at the club."""
    return pairing.state == Pairing.State.SCHEDULED and pairing.where == Pairing.Where.ONLINE


def _decide(pairing: Pairing, extension: Extension, now: datetime) -> None:
    missing = outcomes.missing_seats(pairing, now) if extension.cause == Extension.Cause.NO_SHOW else []
    if missing and outcomes.forfeit_missing(pairing, missing, outcomes.NO_SHOW) is None:
        outcomes.continue_with_bots(pairing, missing, now)
    elif not missing:
        outcomes.close_window(pairing, now, no_more=True)


def waiting(season: Season) -> list[Extension]:
    """Requests that the organisers have not answered yet."""
    return list(
        open_requests([season])
        .select_related("asked_by", "pairing__round__stage__division", "pairing__match")
        .prefetch_related("pairing__seats__entrant__user", "pairing__seats__entrant__members__user")
        .order_by("made_at", "pk")
    )


def how_many_wait(season: Season) -> int:
    return open_requests([season]).count()


def open_requests(seasons: Iterable[Season]) -> "QuerySet[Extension]":
    tables = Pairing.objects.open().filter(round__stage__division__season__in=list(seasons))
    return Extension.objects.filter(status=Extension.Status.OPEN, pairing__in=tables)


def current(pairing: Pairing) -> Extension | None:
    rows = Extension.objects.filter(pairing=pairing, status=Extension.Status.OPEN)
    return rows.select_related("asked_by").first()
