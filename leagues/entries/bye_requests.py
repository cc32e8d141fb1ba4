"""Requests to miss a round."""

from collections import defaultdict

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue, locks, season_effects
from leagues.core.access import Permission, may
from leagues.entries.registration import locked_own_entry
from leagues.models import Bye, Entrant, RequestedBye, Round, RoundAttendance, Season, Stage

ASKED = audit.declare_action("leagues.bye-asked", _("%(actor)s asked that %(entrant)s misses round %(round)s"))
CANCELLED = audit.declare_action(
    "leagues.bye-cancelled", _("%(actor)s took back that %(entrant)s misses round %(round)s")
)

MAX_REQUESTS = 2


@transaction.atomic
def request_bye(*, actor: User, entrant: Entrant, stage: Stage, number: int, kind: str) -> RequestedBye:
    """Ask to miss a round that is not drawn yet. Players ask for half or no point, organisers also for a full one."""
    season, entrant = locked_own_entry(actor, entrant)
    stage = locks.stage(stage)
    if stage.division_id != entrant.division_id:
        raise Refused(gettext("This stage belongs to another division."))
    if kind not in dict(RequestedBye.KINDS):
        raise Refused(gettext("A bye gives a full, half or no point."))
    organises = may(actor, Permission.ORGANISE, season)
    if kind == "FPB" and not organises:
        raise Refused(gettext("Only an organiser can give a full point for a missed round."))
    if not format_catalogue.FORMATS[stage.format].requested_byes:
        raise Refused(gettext("In this format every round is needed: nobody can miss one."))
    if number < 1 or number <= Round.objects.filter(stage=stage).count():
        raise Refused(gettext("This round is drawn already."))
    if stage.planned is not None and number > stage.planned:
        raise Refused(gettext("There is no such round."))
    taken = rounds_with_points(stage)[entrant.pk] - {number}
    if kind != "ZPB" and len(taken) >= MAX_REQUESTS and not organises:
        raise Refused(gettext("You may ask for points in %(most)s missed rounds at most.") % {"most": MAX_REQUESTS})
    request, _made = RequestedBye.objects.update_or_create(
        stage=stage, entrant=entrant, round=number, defaults={"kind": kind, "from_night": False}
    )
    RoundAttendance.objects.filter(stage=stage, entrant=entrant, round=number).delete()
    season_effects.log_and_refresh(
        ASKED,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("bye", {"request": request.pk}),
        entrant=entrant.who,
        round=number,
    )
    return request


def rounds_with_points(stage: Stage) -> dict[int, set[int]]:
    """The missed rounds of each entrant that give points: requested ones, and those that were drawn."""
    rounds: dict[int, set[int]] = defaultdict(set)
    requests = RequestedBye.objects.filter(stage=stage).exclude(kind="ZPB")
    drawn = Bye.objects.filter(round__stage=stage, kind__in=["HPB", "FPB"])
    for entrant, number in [
        *requests.values_list("entrant", "round"),
        *drawn.values_list("entrant", "round__number"),
    ]:
        rounds[entrant].add(number)
    return rounds


def kind_for_missing(stage: Stage, taken: set[int], number: int) -> str:
    """The bye that the season gives somebody who is away. `taken` are the missed rounds they got points for."""
    given = stage.division.season.missed_round
    return given if len(taken - {number}) < MAX_REQUESTS else Season.MissedRound.NOTHING


@transaction.atomic
def cancel(*, actor: User, request: RequestedBye) -> None:
    season, entrant = locked_own_entry(actor, request.entrant)
    stage = locks.stage(request.stage)
    if request.round <= Round.objects.filter(stage=stage).count():
        raise Refused(gettext("This round is drawn already."))
    deleted, _rows = RequestedBye.objects.filter(pk=request.pk).delete()
    if deleted:
        season_effects.log_and_refresh(
            CANCELLED, actor=actor, season=season, person=entrant.user, entrant=entrant.who, round=request.round
        )
