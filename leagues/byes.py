"""Rounds that somebody asks to miss."""

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import User
from leagues import catalogue, locks, log
from leagues.access import Permission, may
from leagues.enrol import own_entry
from leagues.models import Entrant, RequestedBye, Round, Stage

ASKED = audit.action("leagues.bye-asked", _("%(actor)s asked that %(entrant)s misses round %(round)s"))
CANCELLED = audit.action("leagues.bye-cancelled", _("%(actor)s took back that %(entrant)s misses round %(round)s"))

MOST = 2


@transaction.atomic
def ask(*, actor: User, entrant: Entrant, stage: Stage, number: int, kind: str) -> RequestedBye:
    """Ask to miss a round that is not drawn yet. Players ask for half or no point; a full one is an organiser's."""
    season, entrant = own_entry(actor, entrant)
    stage = locks.stage(stage)
    if stage.division_id != entrant.division_id:
        raise Refused(gettext("This division is another one."))
    if kind not in dict(RequestedBye.KINDS):
        raise Refused(gettext("A bye gives a full, half or no point."))
    organises = may(actor, Permission.ORGANISE, season)
    if kind == "FPB" and not organises:
        raise Refused(gettext("A full point for a round missed is an organiser's to give."))
    if not catalogue.FORMATS[stage.format].requested_byes:
        raise Refused(gettext("In this format every round is needed: nobody can miss one."))
    if number < 1 or number <= Round.objects.filter(stage=stage).count():
        raise Refused(gettext("This round is drawn already."))
    if stage.planned is not None and number > stage.planned:
        raise Refused(gettext("There is no such round."))
    taken = RequestedBye.objects.filter(stage=stage, entrant=entrant).exclude(round=number).exclude(kind="ZPB")
    if kind != "ZPB" and taken.count() >= MOST and not organises:
        raise Refused(gettext("You may ask for points in %(most)s missed rounds at most.") % {"most": MOST})
    request, _made = RequestedBye.objects.update_or_create(
        stage=stage, entrant=entrant, round=number, defaults={"kind": kind}
    )
    log.note(
        ASKED,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("bye", {"request": request.pk}),
        entrant=entrant.name,
        round=number,
    )
    return request


@transaction.atomic
def cancel(*, actor: User, request: RequestedBye) -> None:
    season, entrant = own_entry(actor, request.entrant)
    stage = locks.stage(request.stage)
    if request.round <= Round.objects.filter(stage=stage).count():
        raise Refused(gettext("This round is drawn already."))
    deleted, _rows = RequestedBye.objects.filter(pk=request.pk).delete()
    if deleted:
        log.note(CANCELLED, actor=actor, season=season, person=entrant.user, entrant=entrant.name, round=request.round)
