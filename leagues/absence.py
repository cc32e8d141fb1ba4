"""Leaving and coming back. Both take effect from a round on; what was played before stays."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import User
from leagues import catalogue, locks, log, scoresheet, stages, tables
from leagues.enrol import free_status, own_entry, promote_waiting, take_in_late
from leagues.models import (
    Challenge,
    Entrant,
    EntrantStep,
    Pairing,
    PairingSeat,
    Result,
    Round,
    Season,
    Stage,
    Starter,
    Waiting,
)

WITHDRAWN = audit.action("leagues.withdrawn", _("%(actor)s withdrew %(entrant)s"))
RETURNED = audit.action("leagues.returned", _("%(actor)s let %(entrant)s come back"))


@transaction.atomic
def withdraw(*, actor: User, entrant: Entrant) -> Entrant:
    """Leave: before the start the place is free again, later it counts from the next round on.

    A table that was drawn and not begun is decided at once if nobody is left to play against; elsewhere the others
    play on and the seat ranks last.
    """
    season, entrant = own_entry(actor, entrant)
    if entrant.is_withdrawn:
        return entrant
    undo = {"entrant": entrant.pk, "status": entrant.status}
    if season.is_running and (stage := stages.running(entrant)):
        undo |= _leave(entrant, locks.stage(stage), actor)
    entrant.status = Entrant.Status.WITHDRAWN
    entrant.save(update_fields=["status"])
    promote_waiting(entrant.division)
    log.note(
        WITHDRAWN, actor=actor, season=season, person=entrant.user, undo=("withdrawal", undo), entrant=entrant.name
    )
    return entrant


def _leave(entrant: Entrant, stage: Stage, actor: User) -> dict[str, int]:
    number = Round.objects.filter(stage=stage).count() + 1
    if not EntrantStep.objects.filter(stage=stage, entrant=entrant).exists():
        EntrantStep.objects.create(stage=stage, entrant=entrant, round=1, step="enter")
    step = EntrantStep.objects.create(stage=stage, entrant=entrant, round=number, step="leave")
    for pairing in _waiting_for(entrant, stage):
        pairing = scoresheet.hold(pairing)
        PairingSeat.objects.filter(pairing=pairing, entrant=entrant).update(absent=True)
        if scoresheet.settle_forfeits(pairing, by=actor) is None and pairing.round.is_published:
            # Perhaps only the one who left was waited for.
            tables.open_when_ready(pairing)
    Waiting.objects.filter(stage=stage, entrant=entrant).delete()
    off = Challenge.objects.filter(stage=stage, ended_at=None)
    off.filter(challenger=entrant).update(ended_at=timezone.now())
    off.filter(target=entrant).update(ended_at=timezone.now())
    return {"stage": stage.pk, "step": step.pk}


def _waiting_for(entrant: Entrant, stage: Stage) -> list[Pairing]:
    """Tables that were drawn with this entrant and have not begun."""
    rows = Pairing.objects.filter(round__stage=stage, seats__entrant=entrant, state=Pairing.State.SCHEDULED)
    return list(rows.filter(match=None))


@transaction.atomic
def come_back(*, actor: User, entrant: Entrant) -> Entrant:
    """Return: before the start to a place or the waiting list, later from the next round on."""
    season, entrant = own_entry(actor, entrant)
    if not entrant.is_withdrawn:
        return entrant
    if not season.is_running:
        if season.status == Season.Status.REGISTRATION or season.status == Season.Status.DRAFT:
            entrant.status, entrant.entered_at = free_status(entrant.division), timezone.now()
            entrant.save(update_fields=["status", "entered_at"])
    elif stage := stages.running(entrant):
        _return(entrant, locks.stage(stage))
    elif Starter.objects.filter(entrant=entrant).exists():
        raise Refused(gettext("What was left to play has been decided without %(name)s.") % {"name": entrant.name})
    else:
        first = Stage.objects.filter(division=entrant.division).order_by("position").first()
        take_in_late(entrant, first)
    log.note(RETURNED, actor=actor, season=season, person=entrant.user, entrant=entrant.name)
    return entrant


def _return(entrant: Entrant, stage: Stage) -> None:
    if catalogue.FORMATS[stage.format].knock_out and Round.objects.filter(stage=stage).exists():
        raise Refused(gettext("In a knock-out who has left is out."))
    number = Round.objects.filter(stage=stage).count() + 1
    EntrantStep.objects.create(stage=stage, entrant=entrant, round=number, step="return")
    reopen_tables(entrant, stage)
    entrant.status = Entrant.Status.ACTIVE
    entrant.save(update_fields=["status"])


def reopen_tables(entrant: Entrant, stage: Stage) -> None:
    """Seats that were kept empty are taken again, where the round is not closed and nothing was played."""
    rows = PairingSeat.objects.filter(entrant=entrant, round__stage=stage, absent=True)
    for seat in rows.exclude(round__status=Round.Status.CLOSED).select_related("pairing"):
        pairing = scoresheet.hold(seat.pairing)
        result = scoresheet.in_force(pairing)
        if pairing.match_id or (result and result.source != Result.Source.FORFEIT):
            continue
        if result is None and pairing.state != Pairing.State.SCHEDULED:
            continue
        PairingSeat.objects.filter(pk=seat.pk).update(absent=False)
        scoresheet.reopen(pairing)
        scoresheet.settle_forfeits(pairing, by=None)
