from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Refused
from accounts.views.common import PersonRequest, telling
from leagues import close as verbs
from leagues import signoff
from leagues.views.common import run_season, show, stage_of
from leagues.words import said

BY_PLACE = {"season.champion", "season.up", "season.up-placed", "season.down", "season.stay"}


@login_required
@require_POST
def finish(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The stage is over; the next one of its division begins from its order."""
    season = run_season(request, slug, number)
    try:
        following = verbs.finish_stage(actor=request.user, stage=stage_of(season, pk))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        words = _("The stage is finished.") if following is None else _("The stage is finished; the next one begins.")
        messages.success(request, words)
    return redirect(season)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Who goes up and down, before it is final; the same computation closes the season."""
    season = run_season(request, slug, number)
    if request.method == "POST":
        try:
            verbs.close_season(actor=request.user, season=season)
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("The season is closed. Congratulations to the winners!"))
            return redirect(season)
    seen = verbs.preview(season=season)
    called = {line.entrant.pk: line.entrant.name for line in seen.lines}
    groups: dict[int, dict[str, Any]] = {}
    for line in seen.lines:
        group = groups.setdefault(line.division.pk, {"division": line.division, "lines": []})
        # Who goes by their place alone needs no sentence: place and direction stand in the row.
        why = "" if line.reason.code in BY_PLACE else said(line.reason, called, line.division.name)
        group["lines"].append((line, why))
    context: dict[str, Any] = {"groups": list(groups.values()), "missing": seen.missing, "signed": signoff.of(season)}
    return show(request, season, "close.html", "season", **context)


@login_required
@require_POST
def sign_off(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """The final standings are right: nothing changes them from here on."""
    season = run_season(request, slug, number)
    with telling(request, _("The final standings are signed off.")):
        verbs.sign_off(actor=request.user, season=season)
    return redirect("leagues:close", slug=slug, number=number)


@login_required
@require_POST
def sign_off_back(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Something was wrong after all: results can be corrected again."""
    season = run_season(request, slug, number)
    with telling(request, _("The sign-off is taken back: results can be corrected again.")):
        verbs.take_sign_off_back(actor=request.user, season=season, why=request.POST.get("why", ""))
    return redirect("leagues:close", slug=slug, number=number)
