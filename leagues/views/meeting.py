"""Formats without rounds: challenges on a ladder, and waiting for an opponent in an arena."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.views.common import PersonRequest, telling
from leagues import arena, catalogue, ladder
from leagues.agenda import DivisionNow
from leagues.models import Challenge, Entrant, Stage, Waiting
from leagues.views.common import entrant_of, season_or_404, stage_of


def shown(divisions: list[DivisionNow], person: User | None) -> list[dict[str, Any]]:
    """What the season's page says of its running ladders and arenas."""
    told = []
    for each in divisions:
        for now in each.stages:
            if now.stage.status != Stage.Status.RUNNING or catalogue.FORMATS[now.stage.format].rounds:
                continue
            now.stage.division = each.division
            told.append(dict(stage=now.stage, division=each.division, **_state(now.stage, person)))
    return told


def _state(stage: Stage, person: User | None) -> dict[str, Any]:
    own = stage.starters.filter(entrant__user=person).values_list("entrant", flat=True).first() if person else None
    if stage.format == "ladder":
        challenges = Challenge.objects.filter(stage=stage, ended_at=None).select_related(
            "challenger__user", "target__user", "pairing"
        )
        return {"ladder": True, "challenges": list(challenges), "targets": _targets(stage, own) if own else []}
    waiting = list(Waiting.objects.filter(stage=stage).select_related("entrant__user"))
    return {"waiting": waiting, "plays": own is not None, "waits": any(each.entrant_id == own for each in waiting)}


def _targets(stage: Stage, own: int) -> list[Entrant]:
    """Those whom one may challenge now, the nearest first."""
    now = ladder.standing(stage).ladder
    if own not in now.order:
        return []
    at = now.order.index(own)
    above = now.order[max(0, at - ladder.rules(stage).reach) : at]
    met = {each.target for each in now.open if each.challenger == own}
    found = Entrant.objects.named().in_bulk([each for each in above if each not in met])
    return [found[each] for each in reversed(above) if each in found]


@login_required
@require_POST
def challenge(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    wanted = request.POST.get("target", "")
    target = entrant_of(season, int(wanted) if wanted.isdecimal() else 0)
    with telling(request, _("You have challenged %(name)s.") % {"name": target.name}):
        ladder.challenge(person=request.user, stage=stage_of(season, pk), target=target)
    return redirect(season)


@login_required
@require_POST
def answer(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    made = get_object_or_404(
        Challenge.objects.select_related("stage__division", "target__user"), pk=pk, stage__division__season=season
    )
    with telling(request, _("The challenge is on: there is a table for it.")):
        ladder.answer(person=request.user, challenge=made)
    return redirect(season)


@login_required
@require_POST
def wait(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Ready to play, or taking a rest."""
    season = season_or_404(request, slug, number)
    stage = stage_of(season, pk)
    if request.POST.get("rest"):
        with telling(request, _("You rest. Come back when you like.")):
            arena.rest(person=request.user, stage=stage)
    else:
        with telling(request, _("You are waiting for an opponent.")):
            arena.wait(person=request.user, stage=stage)
            arena.match_up(stage=stage)
    return redirect(season)
