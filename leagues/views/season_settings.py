from copy import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, flash_outcome, form_data
from leagues.formats.tiebreaks.registry import PARTS
from leagues.forms.season import SeasonForm, TieBreaksForm, tie_break_words
from leagues.seasons import overview, setup
from leagues.views.common import moved, run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    season = run_season(request, slug, number)
    # A copy, because a form writes even what is invalid into its instance.
    form = SeasonForm(form_data(request), instance=copy(season))
    if form.is_valid():
        try:
            setup.edit_season(actor=request.user, season=season, **form.terms())
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The season’s settings are saved."))
            return redirect("leagues:settings", slug=slug, number=number)
    context = {
        "form": form,
        "divisions": overview.divisions(season, drawn=True),
        "tie_breaks": [{"code": code, "words": tie_break_words(code)} for code in season.tie_breaks],
        "tie_breaks_form": TieBreaksForm(chosen=season.tie_breaks),
    }
    return show(request, season, "seasons/settings.html", "settings", status=422 if form.errors else 200, **context)


@login_required
@require_POST
def tie_breaks(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Save the list of tie-breaks, in the order of the page, with one added or removed."""
    season = run_season(request, slug, number)
    codes = [code for code in request.POST.getlist("code") if code in PARTS]
    away = request.POST.get("remove", "")
    codes = moved(codes, request.POST)
    if (added := request.POST.get("add", "")) in PARTS and added not in codes:
        codes.append(added)
    codes = [code for code in codes if code != away]
    with flash_outcome(request, _("The tie-breaks are saved.")):
        setup.change_tie_breaks(actor=request.user, season=season, codes=codes)
    return redirect(reverse("leagues:settings", args=[slug, number]) + "#tie-breaks")


@login_required
@require_POST
def open_entries(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    season = run_season(request, slug, number)
    with flash_outcome(request, _("The season is open for entries.")):
        setup.open_registration(actor=request.user, season=season)
    return redirect(season)


@login_required
@require_POST
def delete(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    season = run_season(request, slug, number)
    try:
        setup.delete_draft(actor=request.user, season=season)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("leagues:settings", slug=slug, number=number)
    messages.success(request, _("The season is deleted."))
    return redirect(season.league)
