"""Undoing the latest actions of organisers, as long as nothing depends on them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import locks, season_effects
from leagues.core.access import Permission, require
from leagues.entries import entry_requests, registration, seeding, withdrawal
from leagues.models import (
    Division,
    Entrant,
    EntrantStep,
    Pairing,
    PairingSeat,
    RequestedBye,
    Result,
    Round,
    Season,
    Stage,
    Undoable,
)
from leagues.results import corrections, recording, reporting
from leagues.rounds import attending, bracket_tables, closing, draw, hand, tables
from leagues.seasons import meeting_rules, sign_off

UNDONE = audit.declare_action("leagues.undone", _("%(actor)s undid: %(what)s"))

MOST_SHOWN = 10


@dataclass(frozen=True)
class Step:
    """An action that can be undone, as text."""

    undoable: Undoable
    words: str
    at: datetime


def recent(*, season: Season) -> list[Step]:
    """The latest actions that were not undone yet, newest first."""
    rows = Undoable.objects.filter(season=season, undone_at=None).select_related("entry__actor", "entry__person")
    listed = list(rows.order_by("-pk")[:MOST_SHOWN])
    lines = audit.render_entries([each.entry for each in listed])
    return [Step(each, line.words, line.at) for each, line in zip(listed, lines)]


@transaction.atomic
def undo(*, actor: User, undoable: Undoable) -> None:
    """Undo an action; undoing it again changes nothing. Refused if that is no longer possible."""
    season = locks.season(undoable.season)
    require(actor, Permission.ORGANISE, season)
    undoable = (
        Undoable.objects.select_for_update(of=("self",), no_key=True)
        .select_related("entry__actor", "entry__person")
        .get(pk=undoable.pk)
    )
    if undoable.undone_at:
        return
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    sign_off.refuse_if_signed(season)
    REVERSALS[undoable.kind](actor, season, undoable.data)
    undoable.undone_at, undoable.undone_by = timezone.now(), actor
    undoable.save(update_fields=["undone_at", "undone_by"])
    season_effects.log_and_refresh(UNDONE, actor=actor, season=season, what=audit.as_param(undoable.entry))


def _gone() -> Refused:
    return Refused(gettext("This cannot be undone any more: it was changed meanwhile."))


def _draw(actor: User, season: Season, data: dict[str, Any]) -> None:
    round_ = Round.objects.filter(pk=data["round"]).first()
    if round_ is not None:
        draw.delete_round(actor=actor, round=round_)


def _draw_all(actor: User, season: Season, data: dict[str, Any]) -> None:
    for round_ in Round.objects.filter(pk__in=data["rounds"]).order_by("-number"):
        draw.delete_round(actor=actor, round=round_)


def _entry(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.filter(pk=data["entrant"]).first()
    if entrant is None:
        return
    if PairingSeat.objects.filter(entrant=entrant).exists() or entrant.byes.exists():
        raise Refused(gettext("%(name)s has been drawn already: withdraw them instead.") % {"name": entrant.name})
    division = entrant.division
    entrant.delete()
    registration.promote_waiting(division)


def _entry_decision(actor: User, season: Season, data: dict[str, Any]) -> None:
    entry_requests.restore(season, **data)


def _check_in(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.filter(pk=data["entrant"], status=Entrant.Status.CHECKED_IN).first()
    if entrant is None or season.has_begun:
        raise _gone()
    registration.check_out(actor=actor, entrant=entrant)


def _check_in_all(actor: User, season: Season, data: dict[str, Any]) -> None:
    if season.has_begun:
        raise _gone()
    rows = Entrant.objects.filter(season=season, pk__in=data["entrants"], status=Entrant.Status.CHECKED_IN)
    rows.update(status=Entrant.Status.REGISTERED)


def _withdrawal(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.select_related("division__season").filter(pk=data["entrant"]).first()
    if entrant is None or not entrant.is_withdrawn:
        raise _gone()
    if "step" in data:
        stage = locks.stage(Stage.objects.get(pk=data["stage"]))
        step = EntrantStep.objects.filter(pk=data["step"]).first()
        if step is None or Round.objects.filter(stage=stage, number__gte=step.round).exists():
            raise Refused(gettext("A round was drawn since: let %(name)s come back instead.") % {"name": entrant.name})
        step.delete()
        withdrawal.reopen_tables(entrant, stage)
        entrant.status = data["status"]
    else:
        entrant.status = (
            data["status"] if not registration.is_full(entrant.division) else registration.free_status(entrant.division)
        )
    entrant.save(update_fields=["status"])


def _seeding(actor: User, season: Season, data: dict[str, Any]) -> None:
    division = Division.objects.filter(pk=data["division"]).first()
    if division is None or season.has_begun:
        raise _gone()
    seeding.restore(division, data["seeds"])


def _bye(actor: User, season: Season, data: dict[str, Any]) -> None:
    request = RequestedBye.objects.select_related("stage").filter(pk=data["request"]).first()
    if request is None or request.round <= request.stage.rounds.count():
        raise _gone()
    request.delete()


def _attendance(actor: User, season: Season, data: dict[str, Any]) -> None:
    attending.restore(actor=actor, data=data)


def _exchange(actor: User, season: Season, data: dict[str, Any]) -> None:
    hand.undo_exchange(data=data)


def _meeting_rule(actor: User, season: Season, data: dict[str, Any]) -> None:
    meeting_rules.restore(season, **data)


def _place(actor: User, season: Season, data: dict[str, Any]) -> None:
    pairing = Pairing.objects.filter(pk=data["pairing"]).first()
    if pairing is None:
        raise _gone()
    tables.set_location(actor=actor, pairing=pairing, where=data["where"])


def _move(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.filter(pk=data["entrant"]).first()
    division = Division.objects.filter(pk=data["division"]).first()
    if entrant is None or division is None:
        raise _gone()
    registration.move(actor=actor, entrant=entrant, division=division)


def _result(actor: User, season: Season, data: dict[str, Any]) -> None:
    """Remove an entered result that still counts, so that the table is open again."""
    pairing = _with_version(data["pairing"], data["version"])
    if pairing.slot:
        bracket_tables.reopen_for_undo(pairing)
    if pairing.round.is_closed:
        raise Refused(gettext("This round is closed. Reopen it, or correct the result with its preview."))
    counted = recording.in_force(pairing)
    if counted and any(place["kind"] == "PLAYED" for place in counted.places):
        reporting.refuse_own_table(actor, pairing)
    if counted and counted.source == Result.Source.FORFEIT:
        gone = PairingSeat.objects.filter(pairing=pairing, entrant__status=Entrant.Status.WITHDRAWN)
        PairingSeat.objects.filter(pairing=pairing).exclude(pk__in=gone.values("pk")).update(absent=False)
    recording.reopen_result(pairing=pairing, by=actor)


def _deadline(actor: User, season: Season, data: dict[str, Any]) -> None:
    """Remove the decision of a deadline: nobody is absent any more, and the table waits for an organiser."""
    _result(actor, season, data)
    PairingSeat.objects.filter(pk__in=data["absent"]).update(absent=False)


def _correction(actor: User, season: Season, data: dict[str, Any]) -> None:
    pairing = _with_version(data["pairing"], data["made"])
    reporting.refuse_own_table(actor, pairing)
    corrections.restore(actor=actor, pairing=pairing, version=data["version"])


def _finish(actor: User, season: Season, data: dict[str, Any]) -> None:
    after = Stage.objects.get(pk=data["next"]) if data["next"] else None
    closing.resume_stage(stage=Stage.objects.get(pk=data["stage"]), after=after)


def _with_version(pairing_id: int, version: int) -> Pairing:
    """The locked table, if this is still the last version of its result."""
    row = Pairing.objects.filter(pk=pairing_id).first()
    if row is None:
        raise _gone()
    pairing = recording.lock_pairing(row)
    last = pairing.results.order_by("-version").values_list("version", flat=True).first()
    if last != version:
        raise _gone()
    return pairing


Reversal = Callable[[User, Season, dict[str, Any]], None]

REVERSALS: dict[str, Reversal] = {
    "draw": _draw,
    "draw-all": _draw_all,
    "entry": _entry,
    "entry-decision": _entry_decision,
    "check-in": _check_in,
    "check-in-all": _check_in_all,
    "withdrawal": _withdrawal,
    "seeding": _seeding,
    "bye": _bye,
    "attendance": _attendance,
    "exchange": _exchange,
    "meeting-rule": _meeting_rule,
    "place": _place,
    "move": _move,
    "result": _result,
    "deadline": _deadline,
    "correction": _correction,
    "finish": _finish,
}
