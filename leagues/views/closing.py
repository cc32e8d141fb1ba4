from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, flash_outcome
from leagues.core.reason_text import render_reason
from leagues.models import Stage
from leagues.rounds import closing as rounds_closing
from leagues.seasons import closing as seasons_closing
from leagues.seasons import final_standings
from leagues.seasons import sign_off as seasons_sign_off
from leagues.views.common import run_season, show, stage_of

BY_PLACE = {"season.champion", "season.up", "season.up-placed", "season.down", "season.stay"}


@login_required
@require_POST
def finish(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Finish a stage; the next one of its division starts from its order."""
    season = run_season(request, slug, number)
    try:
        following = rounds_closing.finish_stage(actor=request.user, stage=stage_of(season, pk))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        words = _("The stage is finished.") if following is None else _("The stage is finished; the next one begins.")
        messages.success(request, words)
        if not Stage.objects.filter(division__season=season).exclude(status=Stage.Status.FINISHED).exists():
            return redirect("leagues:close", slug=slug, number=number)
    return redirect(season)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Preview of promotions and relegations; closing writes exactly these."""
    season = run_season(request, slug, number)
    if request.method == "POST":
        try:
            seasons_closing.close_season(actor=request.user, season=season)
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("The season is closed. Congratulations to the winners!"))
            return redirect(season)
    seen = final_standings.preview(season=season)
    called = {line.entrant.pk: line.entrant.name for line in seen.lines}
    groups: dict[int, dict[str, Any]] = {}
    for line in seen.lines:
        if line.division.pk not in groups:
            points = final_standings.has_points(line.division)
            groups[line.division.pk] = {"division": line.division, "lines": [], "points": points, "moves": False}
        group = groups[line.division.pk]
        # No sentence where the place alone decides: the row shows place and direction.
        why = "" if line.reason.code in BY_PLACE else render_reason(line.reason, called, line.division.name)
        group["moves"] = group["moves"] or line.new != line.division.level or bool(why)
        group["lines"].append((line, why))
    context: dict[str, Any] = {
        "groups": list(groups.values()),
        "missing": seen.missing,
        "signed": seasons_sign_off.of(season),
    }
    return show(request, season, "seasons/close.html", "season", **context)


@login_required
@require_POST
def sign_off(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Sign the final standings off, so that nothing changes them any more."""
    season = run_season(request, slug, number)
    with flash_outcome(request, _("The final standings are signed off.")):
        seasons_sign_off.sign_off(actor=request.user, season=season)
    return redirect("leagues:close", slug=slug, number=number)


@login_required
@require_POST
def sign_off_back(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Take the sign-off back, so that results can be corrected again."""
    season = run_season(request, slug, number)
    with flash_outcome(request, _("The sign-off is taken back: results can be corrected again.")):
        seasons_sign_off.take_sign_off_back(actor=request.user, season=season, why=request.POST.get("why", ""))
    return redirect("leagues:close", slug=slug, number=number)
