"""Withdraw and return. Both take effect from the next round; what was played before stays."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import consent, format_catalogue, locks, season_effects
from leagues.core.access import plays_as
from leagues.core.text import join_names
from leagues.entries.registration import admit_late, free_status, locked_own_entry, promote_waiting
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
from leagues.results import recording
from leagues.rounds import stage_start, tables

WITHDRAWN = audit.declare_action("leagues.withdrawn", _("%(actor)s withdrew %(entrant)s"))
RETURNED = audit.declare_action("leagues.returned", _("%(actor)s let %(entrant)s come back"))


@transaction.atomic
def withdraw(*, actor: User, entrant: Entrant) -> Entrant:
    """Withdraw: before the start the place becomes free, later it takes effect from the next round.

    A table that was drawn and has not begun is decided at once if only one player is left; at other tables the others
    play on and the seat ranks last.
    """
    season, entrant = locked_own_entry(actor, entrant)
    if entrant.is_withdrawn:
        return entrant
    undo = {"entrant": entrant.pk, "status": entrant.status}
    # First of all, because a match of a bracket that opens meanwhile has to know it.
    entrant.status = Entrant.Status.WITHDRAWN
    entrant.save(update_fields=["status"])
    if season.is_running and (stage := stage_start.running_stage(entrant)):
        undo |= _leave(entrant, locks.stage(stage), actor)
    promote_waiting(entrant.division)
    season_effects.log_and_refresh(
        WITHDRAWN, actor=actor, season=season, person=entrant.user, undo=("withdrawal", undo), entrant=entrant.who
    )
    return entrant


def _leave(entrant: Entrant, stage: Stage, actor: User) -> dict[str, int]:
    number = Round.objects.filter(stage=stage).count() + 1
    if not EntrantStep.objects.filter(stage=stage, entrant=entrant).exists():
        EntrantStep.objects.create(stage=stage, entrant=entrant, round=1, step="enter")
    step = EntrantStep.objects.create(stage=stage, entrant=entrant, round=number, step="leave")
    for pairing in _waiting_for(entrant, stage):
        pairing = recording.lock_pairing(pairing)
        PairingSeat.objects.filter(pairing=pairing, entrant=entrant).update(absent=True)
        if recording.record_forfeits(pairing, by=actor) is None and pairing.round.is_published:
            # Perhaps the others were only waiting for the one who left.
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
def return_to_season(*, actor: User, entrant: Entrant) -> Entrant:
    """Come back: before the start to a place or the waiting list, later from the next round."""
    season, entrant = locked_own_entry(actor, entrant)
    if not entrant.is_withdrawn:
        return entrant
    if plays_as(actor, entrant):
        consent.agree(season, actor)
    elif away := consent.declined(
        season, [entrant.user] if entrant.user else [each.user for each in entrant.members.all()]
    ):
        words = gettext("%(names)s does not want to play this season. Only they can change that, by signing up.")
        raise Refused(words % {"names": join_names(person.name for person in away)})
    if not season.is_running:
        if season.status == Season.Status.REGISTRATION or season.status == Season.Status.DRAFT:
            entrant.status, entrant.entered_at = free_status(entrant.division), timezone.now()
            entrant.save(update_fields=["status", "entered_at"])
    elif stage := stage_start.running_stage(entrant):
        _return(entrant, locks.stage(stage))
    elif Starter.objects.filter(entrant=entrant).exists():
        raise Refused(gettext("The remaining rounds were decided without %(name)s.") % {"name": entrant.name})
    else:
        first = Stage.objects.filter(division=entrant.division).order_by("position").first()
        admit_late(entrant, first)
    season_effects.log_and_refresh(RETURNED, actor=actor, season=season, person=entrant.user, entrant=entrant.who)
    return entrant


def _return(entrant: Entrant, stage: Stage) -> None:
    if format_catalogue.FORMATS[stage.format].knock_out and Round.objects.filter(stage=stage).exists():
        raise Refused(gettext("Nobody can come back to a knock-out."))
    number = Round.objects.filter(stage=stage).count() + 1
    EntrantStep.objects.create(stage=stage, entrant=entrant, round=number, step="return")
    reopen_tables(entrant, stage)
    entrant.status = Entrant.Status.ACTIVE
    entrant.save(update_fields=["status"])


def reopen_tables(entrant: Entrant, stage: Stage) -> None:
    """Take empty seats again, where the round is open and nothing was played."""
    rows = PairingSeat.objects.filter(entrant=entrant, round__stage=stage, absent=True)
    # The latest first: in a bracket it follows from the one before, and is called off with it.
    open_rounds = rows.exclude(round__status=Round.Status.CLOSED).select_related("pairing")
    for seat in open_rounds.order_by("-round__number", "pairing__number"):
        pairing = recording.lock_pairing(seat.pairing)
        result = recording.in_force(pairing)
        if pairing.match_id or (result and result.source != Result.Source.FORFEIT):
            continue
        if result is None and pairing.state != Pairing.State.SCHEDULED:
            continue
        PairingSeat.objects.filter(pk=seat.pk).update(absent=False)
        recording.reopen_result(pairing=pairing, by=None)
        if Pairing.objects.filter(pk=pairing.pk).exists():
            recording.record_forfeits(pairing, by=None)
