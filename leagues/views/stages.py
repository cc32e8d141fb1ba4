from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, flash_outcome, form_data
from leagues.core import format_catalogue
from leagues.forms.season import LengthForm, StageForm
from leagues.models import Division, Season, Stage
from leagues.seasons import setup
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
    """Choose a format, then its settings. The format is in the URL, so that the form has its fields."""
    offered = format_catalogue.for_game(season.league.game)
    codes = [each.code for each in offered]
    wanted = request.GET.get("format", "")
    code = wanted if wanted in codes else stage.format if stage else codes[0]
    follows = stage.position > 1 if stage else division.stages.exists()
    form = StageForm(form_data(request), format=code, game=season.league.game, stage=stage, follows=follows)
    if form.is_valid():
        chosen: dict[str, Any] = {
            "format": code,
            "settings": form.settings(),
            "planned": form.cleaned_data.get("planned"),
            "take": form.cleaned_data.get("take"),
        }
        try:
            if stage is None:
                setup.add_stage(actor=request.user, division=division, **chosen)
            else:
                setup.edit_stage(actor=request.user, stage=stage, **chosen)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The format of %(division)s is saved.") % {"division": division.name})
            return redirect("leagues:settings", slug=season.league.slug, number=season.number)
    context = {"form": form, "division": division, "stage": stage, "formats": offered, "format": form.format}
    return show(request, season, "seasons/stage_form.html", "settings", status=422 if form.is_bound else 200, **context)


@login_required
@require_POST
def length(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Change the number of rounds, also while the season runs."""
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    form = LengthForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["planned"])))
    else:
        words = _("The number of rounds of %(division)s is saved.") % {"division": stage.division.name}
        with flash_outcome(request, words):
            setup.change_length(actor=request.user, stage=stage, planned=form.cleaned_data["planned"])
    return redirect("leagues:settings", slug=slug, number=number)


@login_required
@require_POST
def remove(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    with flash_outcome(request, _("The stage is removed.")):
        setup.remove_stage(actor=request.user, stage=stage_of(season, pk))
    return redirect("leagues:settings", slug=slug, number=number)
