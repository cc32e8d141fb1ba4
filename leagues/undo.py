"""Taking back the latest actions of organisers, as long as nothing was built on them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import User
from leagues import absence, close, corrections, draw, enrol, locks, log, rated, scoresheet, seeding, signoff, tables
from leagues.access import Permission, require
from leagues.models import (
    Division,
    Entrant,
    EntrantStep,
    Pairing,
    PairingSeat,
    RequestedBye,
    Round,
    Season,
    Stage,
    Undoable,
)

UNDONE = audit.action("leagues.undone", _("%(actor)s undid: %(what)s"))

MOST_SHOWN = 10


@dataclass(frozen=True)
class Step:
    """An action that may be taken back, in words."""

    undoable: Undoable
    words: str
    at: datetime


def recent(*, season: Season) -> list[Step]:
    """The latest actions that were not taken back yet, newest first."""
    rows = Undoable.objects.filter(season=season, undone_at=None).select_related("entry__actor", "entry__person")
    listed = list(rows.order_by("-pk")[:MOST_SHOWN])
    lines = audit.in_words([each.entry for each in listed])
    return [Step(each, line.words, line.at) for each, line in zip(listed, lines)]


@transaction.atomic
def undo(*, actor: User, undoable: Undoable) -> None:
    """Take one action back; undone twice, it is undone once. What no longer can be is refused in words."""
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
    signoff.refuse_if_signed(season)
    REVERSALS[undoable.kind](actor, season, undoable.data)
    undoable.undone_at, undoable.undone_by = timezone.now(), actor
    undoable.save(update_fields=["undone_at", "undone_by"])
    log.note(UNDONE, actor=actor, season=season, what=audit.in_words([undoable.entry])[0].words)


def _gone() -> Refused:
    return Refused(gettext("This cannot be undone any more: it was changed meanwhile."))


def _draw(actor: User, season: Season, data: dict[str, Any]) -> None:
    round_ = Round.objects.filter(pk=data["round"]).first()
    if round_ is not None:
        draw.take_back(actor=actor, round=round_)


def _draw_all(actor: User, season: Season, data: dict[str, Any]) -> None:
    for round_ in Round.objects.filter(pk__in=data["rounds"]).order_by("-number"):
        draw.take_back(actor=actor, round=round_)


def _entry(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.filter(pk=data["entrant"]).first()
    if entrant is None:
        return
    if PairingSeat.objects.filter(entrant=entrant).exists() or entrant.byes.exists():
        raise Refused(gettext("%(name)s has been drawn already: withdraw them instead.") % {"name": entrant.name})
    division = entrant.division
    entrant.delete()
    enrol.promote_waiting(division)


def _check_in(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.filter(pk=data["entrant"], status=Entrant.Status.CHECKED_IN).first()
    if entrant is None or season.has_begun:
        raise _gone()
    enrol.check_out(actor=actor, entrant=entrant)


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
        absence.reopen_tables(entrant, stage)
        entrant.status = data["status"]
    else:
        entrant.status = data["status"] if not enrol.is_full(entrant.division) else enrol.free_status(entrant.division)
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


def _place(actor: User, season: Season, data: dict[str, Any]) -> None:
    pairing = Pairing.objects.filter(pk=data["pairing"]).first()
    if pairing is None:
        raise _gone()
    tables.place(actor=actor, pairing=pairing, where=data["where"])


def _move(actor: User, season: Season, data: dict[str, Any]) -> None:
    entrant = Entrant.objects.filter(pk=data["entrant"]).first()
    division = Division.objects.filter(pk=data["division"]).first()
    if entrant is None or division is None:
        raise _gone()
    enrol.move(actor=actor, entrant=entrant, division=division)


def _result(actor: User, season: Season, data: dict[str, Any]) -> None:
    """An entered result that still counts is taken away, and the table is open again."""
    pairing = _with_version(data["pairing"], data["version"])
    if pairing.round.is_closed:
        raise Refused(gettext("This round is closed. Reopen it, or correct the result with its preview."))
    scoresheet.reopen(pairing)
    rated.settle(pairing, actor=actor)


def _deadline(actor: User, season: Season, data: dict[str, Any]) -> None:
    """What the deadline decided is open again, nobody absent any more; the table then waits for an organiser."""
    _result(actor, season, data)
    PairingSeat.objects.filter(pk__in=data["absent"]).update(absent=False)


def _correction(actor: User, season: Season, data: dict[str, Any]) -> None:
    pairing = _with_version(data["pairing"], data["made"])
    corrections.restore(actor=actor, pairing=pairing, version=data["version"])


def _finish(actor: User, season: Season, data: dict[str, Any]) -> None:
    after = Stage.objects.get(pk=data["next"]) if data["next"] else None
    close.resume_stage(stage=Stage.objects.get(pk=data["stage"]), after=after)


def _with_version(pairing_id: int, version: int) -> Pairing:
    """The table, held, if this is still the last that was said about it."""
    found = Pairing.objects.filter(pk=pairing_id).first()
    if found is None:
        raise _gone()
    pairing = scoresheet.hold(found)
    last = pairing.results.order_by("-version").values_list("version", flat=True).first()
    if last != version:
        raise _gone()
    return pairing


Reversal = Callable[[User, Season, dict[str, Any]], None]

REVERSALS: dict[str, Reversal] = {
    "draw": _draw,
    "draw-all": _draw_all,
    "entry": _entry,
    "check-in": _check_in,
    "check-in-all": _check_in_all,
    "withdrawal": _withdrawal,
    "seeding": _seeding,
    "bye": _bye,
    "place": _place,
    "move": _move,
    "result": _result,
    "deadline": _deadline,
    "correction": _correction,
    "finish": _finish,
}
