from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.infra.input import whole_numbers
from accounts.views.common import PersonRequest, flash_outcome
from leagues.forms.result import ResultForm, WhyForm
from leagues.models import Pairing
from leagues.results import corrections, recording, reporting
from leagues.views.common import run_pairing, season_of, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: PersonRequest, key: str) -> HttpResponse:
    """Enter the correct result, see all that would change, then confirm."""
    pairing = run_pairing(request, key)
    known = recording.in_force(pairing)
    if request.method != "POST":
        return _page(request, pairing, ResultForm(pairing=pairing, known=known), WhyForm())
    strike = request.POST.get("strike") == "yes"
    form, reason = ResultForm(request.POST, pairing=pairing, known=known), WhyForm(request.POST)
    if not strike and not form.is_valid():
        return _page(request, pairing, form, WhyForm(initial={"why": request.POST.get("why", "")}))
    new = {"places": None} if strike else {"places": form.places(), "grade": form.grade()}
    try:
        if request.POST.get("confirm") and reason.is_valid():
            seen = request.POST.get("seen", "")
            corrections.correct(actor=request.user, pairing=pairing, why=reason.cleaned_data["why"], seen=seen, **new)
            messages.success(request, _("The result is corrected."))
            return redirect(pairing)
        # The first preview needs no reason yet.
        reason = reason if request.POST.get("confirm") else WhyForm(initial={"why": request.POST.get("why", "")})
        preview = corrections.preview(actor=request.user, pairing=pairing, **new)
    except Refused as refused:
        messages.error(request, refused.message)
        return _page(request, pairing, form, reason, strike=strike)
    return _page(request, pairing, form, reason, preview=preview, strike=strike)


def _page(request: PersonRequest, pairing: Pairing, form: ResultForm, reason: WhyForm, **context: Any) -> HttpResponse:
    wrong = bool(form.is_bound and not context.get("strike") and form.errors) or bool(reason.is_bound and reason.errors)
    shared = {"pairing": pairing, "form": form, "reason": reason, "in_force": recording.in_force(pairing)}
    season = season_of(pairing)
    return show(request, season, "results/correct.html", "rounds", status=422 if wrong else 200, **shared, **context)


@login_required
@require_POST
def void(request: PersonRequest, key: str) -> HttpResponse:
    """Void a table."""
    pairing = run_pairing(request, key)
    form = WhyForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["why"])))
        return redirect(pairing)
    with flash_outcome(request, _("Table %(table)s counts for nobody.") % {"table": pairing.table}):
        reporting.void(actor=request.user, pairing=pairing, why=form.cleaned_data["why"])
    return redirect(pairing)


@login_required
@require_POST
def forfeit(request: PersonRequest, key: str) -> HttpResponse:
    """Record who did not come."""
    pairing = run_pairing(request, key)
    absent = whole_numbers(request.POST.getlist("absent"))
    with flash_outcome(request, _("Noted who did not come.")):
        reporting.forfeit(actor=request.user, pairing=pairing, absent=absent)
    return redirect(pairing)
