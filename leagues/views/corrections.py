from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Refused
from accounts.views.common import PersonRequest, telling
from leagues import corrections, results, scoresheet
from leagues.forms.result import ResultForm, WhyForm
from leagues.models import Pairing
from leagues.views.common import run_pairing, season_of, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: PersonRequest, key: str) -> HttpResponse:
    """Enter what is right, see all that would change, and only then confirm."""
    pairing = run_pairing(request, key)
    known = scoresheet.in_force(pairing)
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
        # The first look asks for no reason yet.
        reason = reason if request.POST.get("confirm") else WhyForm(initial={"why": request.POST.get("why", "")})
        preview = corrections.preview(actor=request.user, pairing=pairing, **new)
    except Refused as refused:
        messages.error(request, refused.message)
        return _page(request, pairing, form, reason, strike=strike)
    return _page(request, pairing, form, reason, preview=preview, strike=strike)


def _page(request: PersonRequest, pairing: Pairing, form: ResultForm, reason: WhyForm, **context: Any) -> HttpResponse:
    wrong = bool(form.is_bound and not context.get("strike") and form.errors) or bool(reason.is_bound and reason.errors)
    told = {"pairing": pairing, "form": form, "reason": reason, "in_force": scoresheet.in_force(pairing)}
    season = season_of(pairing)
    return show(request, season, "correct.html", "rounds", status=422 if wrong else 200, **told, **context)


@login_required
@require_POST
def void(request: PersonRequest, key: str) -> HttpResponse:
    """A table that never was."""
    pairing = run_pairing(request, key)
    form = WhyForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["why"])))
        return redirect(pairing)
    with telling(request, _("Table %(table)s counts for nobody.") % {"table": pairing.number}):
        results.void(actor=request.user, pairing=pairing, why=form.cleaned_data["why"])
    return redirect(pairing)


@login_required
@require_POST
def forfeit(request: PersonRequest, key: str) -> HttpResponse:
    """Somebody did not come."""
    pairing = run_pairing(request, key)
    absent = [int(each) for each in request.POST.getlist("absent") if each.isdecimal()]
    with telling(request, _("Noted who did not come.")):
        results.forfeit(actor=request.user, pairing=pairing, absent=absent)
    return redirect(pairing)
