from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Refused
from accounts.views.common import PersonRequest, posted, telling
from leagues import catalogue, competitions
from leagues.forms.competition import StageForm
from leagues.models import Division, Season, Stage
from leagues.views.common import division_of, run_season, show, stage_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    return _page(request, season, division_of(season, pk), None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    return _page(request, season, stage.division, stage)


def _page(request: PersonRequest, season: Season, division: Division, stage: Stage | None) -> HttpResponse:
    """Choose a format, then its settings: the format is part of the address, so the form fits it."""
    offered = catalogue.for_game(season.league.game)
    codes = [each.code for each in offered]
    wanted = request.GET.get("format", "")
    code = wanted if wanted in codes else stage.format if stage else codes[0]
    follows = stage.position > 1 if stage else division.stages.exists()
    form = StageForm(posted(request), format=code, game=season.league.game, stage=stage, follows=follows)
    if form.is_valid():
        chosen: dict[str, Any] = {
            "format": code,
            "settings": form.settings(),
            "planned": form.cleaned_data.get("planned"),
            "take": form.cleaned_data.get("take"),
        }
        try:
            if stage is None:
                competitions.add_stage(actor=request.user, division=division, **chosen)
            else:
                competitions.edit_stage(actor=request.user, stage=stage, **chosen)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The format of %(division)s is saved.") % {"division": division.name})
            return redirect("leagues:settings", slug=season.league.slug, number=season.number)
    context = {"form": form, "division": division, "stage": stage, "formats": offered, "format": form.format}
    return show(request, season, "stage_form.html", "settings", status=422 if form.is_bound else 200, **context)


@login_required
@require_POST
def remove(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    with telling(request, _("The stage is gone.")):
        competitions.remove_stage(actor=request.user, stage=stage_of(season, pk))
    return redirect("leagues:settings", slug=slug, number=number)
