from copy import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, flash_outcome, form_data
from leagues.forms.season import DivisionForm
from leagues.models import Division
from leagues.seasons import setup
from leagues.views.common import division_of, run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Add a division below the existing ones."""
    season = run_season(request, slug, number)
    form = DivisionForm(form_data(request))
    if form.is_valid():
        try:
            made = setup.add_division(actor=request.user, season=season, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            return redirect("leagues:stage-new", slug=slug, number=number, pk=made.pk)
    context = {"form": form, "division": None}
    return show(
        request, season, "seasons/division_form.html", "settings", status=422 if form.is_bound else 200, **context
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    division = division_of(season, pk)
    form = DivisionForm(form_data(request), instance=copy(division))
    if form.is_valid():
        try:
            setup.edit_division(actor=request.user, division=division, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("%(division)s is saved.") % {"division": form.cleaned_data["name"]})
            return redirect("leagues:settings", slug=slug, number=number)
    context = {"form": form, "division": division}
    return show(
        request, season, "seasons/division_form.html", "settings", status=422 if form.is_bound else 200, **context
    )


@login_required
@require_POST
def remove(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    division: Division = division_of(season, pk)
    with flash_outcome(request, _("%(division)s is removed.") % {"division": division.name}):
        setup.remove_division(actor=request.user, division=division)
    return redirect("leagues:settings", slug=slug, number=number)
