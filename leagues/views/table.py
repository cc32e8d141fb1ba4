"""One table of a competition, made for the phone of somebody who sits at it."""

import io

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, form_of, telling
from leagues import access, results, scorecard, tables
from leagues.access import Permission
from leagues.draw import explain
from leagues.forms.result import ResultForm
from leagues.models import Pairing, Result
from leagues.views import when
from leagues.views.common import pairing_or_404, run_pairing, season_of, show


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    return table_page(request, pairing_or_404(request, key))


def table_page(request: HttpRequest, pairing: Pairing, form: ResultForm | None = None, **forms: Form) -> HttpResponse:
    """Who sits here, what was reported, and what the reader can do about it."""
    can = access.allowed(request.user, pairing)
    latest = results.latest(pairing)
    open_here = pairing.is_open and pairing.where == Pairing.Where.CLUB and pairing.round.is_published
    reported = latest if latest and pairing.state == Pairing.State.REPORTED else None
    asked = reported is not None and Permission.SIT in can and reported.by_id != request.user.pk
    answered = reported is not None and reported.answers.filter(by=request.user.pk).exists()
    settles = pairing.is_open and pairing.round.is_published and Permission.ORGANISE in can
    reports = open_here and Permission.SIT in can
    # Somebody who organises and plays with guests alone has nobody to wait for.
    alone = settles and reports and isinstance(request.user, User) and not results.answering(pairing, request.user)
    context = {
        "pairing": pairing,
        "seats": [(seat, scorecard.role_words(pairing, seat)) for seat in scorecard.seats_of(pairing)],
        "why": explain(what=pairing),
        "form": form or ResultForm(pairing=pairing),
        "may_report": reports,
        "may_settle": settles,
        "report_as": "organiser" if alone else "player",
        "entering": "enter" in request.GET,
        "there": tables.there(pairing, timezone.now()),
        "may_come": Permission.SIT in can and waits_for_players(pairing),
        "in_force": pairing.results.filter(in_force=True).first(),
        "reported": reported,
        "asked": asked and not answered,
        "answered": answered,
        "versions": list(pairing.results.select_related("by").order_by("version")),
        "timing": when.shown(request, pairing, forms),
        # Suggested too late: the form that would show the refusal is gone.
        "refused_times": forms.get("times_form"),
    }
    wrong = bool(form and form.errors) or bool(forms)
    return show(request, season_of(pairing), "table.html", "rounds", status=422 if wrong else 200, **context)


def waits_for_players(pairing: Pairing) -> bool:
    """An online table that opens when everybody has said that they are there."""
    return (
        pairing.where == Pairing.Where.ONLINE
        and pairing.state == Pairing.State.SCHEDULED
        and pairing.round.is_published
        and pairing.match is None
    )


@login_required
@form_of("leagues:table", "key")
def report(request: PersonRequest, key: str) -> HttpResponse:
    """What somebody at the table says; an organiser's word counts at once."""
    pairing = pairing_or_404(request, key)
    form = ResultForm(request.POST, pairing=pairing)
    if not form.is_valid():
        return table_page(request, pairing, form)
    note = request.POST.get("note", "")[:300]
    try:
        if request.POST.get("as") == "organiser":
            results.settle(actor=request.user, pairing=pairing, places=form.places(), grade=form.grade(), note=note)
            messages.success(request, _("The result counts."))
        else:
            made = results.report(
                person=request.user, pairing=pairing, places=form.places(), grade=form.grade(), note=note
            )
            messages.success(request, _told(made))
    except Refused as refused:
        form.add_error(None, refused.message)
        return table_page(request, pairing, form)
    return redirect(pairing)


def _told(made: Result) -> str:
    if made.kind == Result.Kind.CONFIRMED:
        return _("The result counts.")
    if made.kind == Result.Kind.DISPUTED:
        return _("The versions differ: an organiser will decide.")
    if not results.answering(made.pairing, made.by):
        return _("Reported. An organiser has to confirm it.")
    return _("Reported. Somebody else at the table has to confirm it.")


@login_required
@require_POST
def answer(request: PersonRequest, key: str) -> HttpResponse:
    """Yes to a reported result; who disagrees reports their own version."""
    pairing = pairing_or_404(request, key)
    number = request.POST.get("version", "")
    result = pairing.results.filter(version=int(number) if number.isdecimal() else 0).first()
    if result is None:
        raise Http404
    result.pairing = pairing
    with telling(request, _("Thank you: you have confirmed the result.")):
        results.answer(person=request.user, result=result, agrees=True)
    return redirect(pairing)


@login_required
@require_POST
def here(request: PersonRequest, key: str) -> HttpResponse:
    """At an online table that waits for its players: the match begins when all have said so."""
    pairing = pairing_or_404(request, key)
    with telling(request, _("You are at the table.")):
        pairing = tables.here(person=request.user, pairing=pairing)
        if pairing.match is not None:
            return redirect(pairing.match)
    return redirect(pairing)


@login_required
@require_POST
def place(request: PersonRequest, key: str) -> HttpResponse:
    """Move a table online or to the club, before it is played."""
    pairing = run_pairing(request, key)
    with telling(request, _("The table has moved.")):
        tables.place(actor=request.user, pairing=pairing, where=request.POST.get("where", ""))
    return redirect(pairing)


@require_safe
def code(request: HttpRequest, key: str) -> HttpResponse:
    """The table's link as a picture for a phone's camera."""
    pairing = pairing_or_404(request, key)
    picture = io.BytesIO()
    made = segno.make_qr(request.build_absolute_uri(pairing.get_absolute_url()), error="m")
    made.save(picture, kind="svg", border=2, dark="#1f1b2a", light="#ffffff", xmldecl=False, svgclass=None)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")
