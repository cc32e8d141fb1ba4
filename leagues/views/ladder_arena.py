"""Formats without rounds: challenges on a ladder, and waiting for an opponent in an arena."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome
from leagues.core import format_catalogue
from leagues.models import Challenge, Entrant, Season, Stage, Waiting
from leagues.rounds import arena, ladder
from leagues.seasons.overview import DivisionNow
from leagues.standings import ladder_order
from leagues.standings.ladder_order import LadderNow
from leagues.views.common import entrant_of, season_or_404, stage_of


def ladder_arena_context(divisions: list[DivisionNow], person: User | None) -> list[dict[str, Any]]:
    """The running ladders and arenas of a season's page."""
    states = []
    for each in divisions:
        for now in each.stages:
            if now.stage.status != Stage.Status.RUNNING or format_catalogue.FORMATS[now.stage.format].rounds:
                continue
            now.stage.division = each.division
            states.append(dict(stage=now.stage, division=each.division, **_state(now.stage, person)))
    return states


def _state(stage: Stage, person: User | None) -> dict[str, Any]:
    own = stage.starters.filter(entrant__user=person).values_list("entrant", flat=True).first() if person else None
    if format_catalogue.format_of(stage).is_ladder:
        current = ladder_order.ladder_now(stage)
        challenges = ladder_order.open_challenges(stage, current)
        asked = [each for each in challenges if each.target_id == own and each.pairing is None]
        return {
            "ladder": True,
            "own": own,
            "challenges": challenges,
            "no_decline": ladder.why_no_decline(asked[0].target, ladder_order.rules(stage), current) if asked else "",
            "targets": _targets(stage, own, current) if own else [],
        }
    waiting = list(Waiting.objects.filter(stage=stage).select_related("entrant__user"))
    table = arena.open_table(person, stage) if person and own is not None else None
    return {
        "waiting": waiting,
        "plays": own is not None,
        "waits": any(each.entrant_id == own for each in waiting),
        "ends_at": stage.division.season.ends_at,
        "is_over": arena.is_over(stage, timezone.now()),
        "table": arena.path_to(table) if table else "",
    }


def table_after_waiting(season: Season, person: User | None, stage_id: str) -> str:
    """Where somebody goes whose page was waiting for an opponent in an arena; empty while they wait on."""
    stage = Stage.objects.filter(pk=row_number(stage_id), division__season=season).first()
    if person is None or stage is None or Waiting.objects.filter(stage=stage, entrant__user=person).exists():
        return ""
    table = arena.open_table(person, stage)
    return arena.path_to(table) if table else ""


def _targets(stage: Stage, own: int, current: LadderNow) -> list[Entrant]:
    """The entrants who may be challenged now, the nearest first."""
    now = current.ladder
    if own not in now.order:
        return []
    at = now.order.index(own)
    above = now.order[max(0, at - ladder_order.rules(stage).reach) : at]
    met = {each.target for each in now.open if each.challenger == own}
    targets = Entrant.objects.named().in_bulk([each for each in above if each not in met])
    return [targets[each] for each in reversed(above) if each in targets]


@login_required
@require_POST
def challenge(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    wanted = request.POST.get("target", "")
    target = entrant_of(season, row_number(wanted))
    with flash_outcome(request, _("You have challenged %(name)s.") % {"name": target.name}):
        ladder.challenge(person=request.user, stage=stage_of(season, pk), target=target)
    return redirect(season)


@login_required
@require_POST
def answer(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    with flash_outcome(request, _("The challenge is on: its table is open.")):
        ladder.answer(person=request.user, challenge=_challenge(season, pk))
    return redirect(season)


@login_required
@require_POST
def decline(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    with flash_outcome(request, _("You have declined the challenge.")):
        ladder.decline(person=request.user, challenge=_challenge(season, pk))
    return redirect(season)


def _challenge(season: Season, pk: int) -> Challenge:
    rows = Challenge.objects.select_related("stage__division", "target__user")
    return get_object_or_404(rows, pk=pk, stage__division__season=season)


@login_required
@require_POST
def wait(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Start or stop waiting for an opponent. Whoever is paired at once goes to the table."""
    season = season_or_404(request, slug, number)
    stage = stage_of(season, pk)
    if request.POST.get("rest"):
        with flash_outcome(request, _("You are not waiting any more. Come back when you like.")):
            arena.stop_waiting(person=request.user, stage=stage)
        return redirect(season)
    try:
        arena.wait(person=request.user, stage=stage)
    except Refused as refused:
        messages.error(request, refused.message)
    table = arena.open_table(request.user, stage)
    if table is not None:
        return redirect(arena.path_to(table))
    if stage.waiting.filter(entrant__user=request.user).exists():
        messages.success(request, _("You are waiting for an opponent. This page takes you to your table."))
    return redirect(season)
