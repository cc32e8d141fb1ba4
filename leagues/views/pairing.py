"""One table of a competition, made for the phone of somebody who sits at it."""

import io
from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome, form_of
from leagues.calendar.presentation import hide_private_places
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.result import ResultForm
from leagues.models import Pairing, Result
from leagues.results import game_series, presentation, rating_sync, reporting
from leagues.rounds import tables
from leagues.rounds.draw import explain_pairing
from leagues.views import pairing_schedule
from leagues.views.common import pairing_or_404, run_pairing, season_of, show


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    return table_page(request, pairing_or_404(request, key))


def table_page(request: HttpRequest, pairing: Pairing, form: ResultForm | None = None, **forms: Form) -> HttpResponse:
    """Who sits here, what was reported, and what the reader can do."""
    can = access.allowed(request.user, pairing)
    hide_private_places([pairing], request.user)
    latest = reporting.latest(pairing)
    open_here = pairing.is_open and pairing.where == Pairing.Where.CLUB and pairing.round.is_published
    reported = latest if latest and pairing.state == Pairing.State.REPORTED else None
    asked = reported is not None and Permission.SIT in can and reported.by_id != request.user.pk
    answered = reported is not None and reported.answers.filter(by=request.user.pk).exists()
    settles = pairing.is_open and pairing.round.is_published and Permission.ORGANISE in can
    reports = open_here and Permission.SIT in can
    # An organiser who plays with guests only has nobody to wait for.
    alone = settles and reports and isinstance(request.user, User) and not reporting.can_answer(pairing, request.user)
    context = {
        "pairing": pairing,
        "seats": [(seat, presentation.role_words(pairing, seat)) for seat in presentation.seats_of(pairing)],
        "why": explain_pairing(what=pairing),
        "form": form or ResultForm(pairing=pairing),
        "may_report": reports,
        "may_settle": settles,
        "report_as": "organiser" if alone else "player",
        "entering": "enter" in request.GET,
        "best_of": game_series.length(pairing),
        "games": presentation.games_of(pairing),
        "there": tables.present_users(pairing, timezone.now()),
        "may_come": Permission.SIT in can and waits_for_players(pairing),
        "in_force": pairing.results.filter(in_force=True).first(),
        "reported": reported,
        "asked": asked and not answered,
        "answered": answered,
        "vouching": _vouching(request, pairing),
        "organiser_confirms": reported is not None and reporting.waits_for_organiser(pairing, reported.by),
        "versions": list(pairing.results.select_related("by").order_by("version")),
        "timing": pairing_schedule.schedule_context(request, pairing, forms),
        # A time was suggested too late: the form that would show the refusal is gone.
        "refused_times": forms.get("times_form"),
    }
    wrong = bool(form and form.errors) or bool(forms)
    return show(request, season_of(pairing), "results/pairing.html", "rounds", status=422 if wrong else 200, **context)


def _vouching(request: HttpRequest, pairing: Pairing) -> dict[str, Any]:
    """Whether the counted result changes ratings, and what the reader can say about it."""
    counted = pairing.results.filter(in_force=True).first()
    by_hand = counted is not None and pairing.match is None and season_of(pairing).rated
    if counted is None or not by_hand:
        return {}
    person = request.user if isinstance(request.user, User) else None
    sits = person is not None and person != counted.by and person in reporting.players(pairing)
    said = person is not None and (
        pairing.results.filter(answers__by=person, answers__agrees=True, places=counted.places).exists()
        or pairing.objections.filter(person=person, version=counted.version).exists()
    )
    objections = reporting.open_objections(pairing)
    played = all(place["kind"] == "PLAYED" for place in counted.places)
    return {
        "doubt": rating_sync.doubt_about(pairing, counted) if played else None,
        "may_vouch": sits and not said,
        "objections": objections,
        "decides": bool(objections)
        and access.may(request.user, Permission.ORGANISE, pairing)
        and person not in reporting.players(pairing),
    }


def waits_for_players(pairing: Pairing) -> bool:
    """Whether it is an online table that waits for its players."""
    return (
        pairing.where == Pairing.Where.ONLINE
        and pairing.state == Pairing.State.SCHEDULED
        and pairing.round.is_published
        and pairing.match is None
    )


@login_required
@form_of("leagues:table", "key")
def report(request: PersonRequest, key: str) -> HttpResponse:
    """Report a result; an organiser's counts at once.

    The script of the page sends it under a key and asks for JSON, so that it can send it again after a lost answer.
    """
    pairing = pairing_or_404(request, key)
    by_script = request.accepts("application/json") and not request.accepts("text/html")
    sent_as = request.POST.get("key", "")
    form = ResultForm(request.POST, pairing=pairing)
    made = reporting.sent_before(request.user, pairing, sent_as)
    if made is None:
        if not form.is_valid():
            return _refuse(request, pairing, form, by_script=by_script)
        try:
            made = reporting.send_once(
                person=request.user,
                pairing=pairing,
                key=sent_as,
                write=lambda: _write(request, pairing, form),
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            return _refuse(request, pairing, form, by_script=by_script)
    words = outcome_text(made)
    if not by_script or request.POST.get("later") != "yes":
        messages.success(request, words)
    return JsonResponse({"words": words}) if by_script else redirect(pairing)


def _write(request: PersonRequest, pairing: Pairing, form: ResultForm) -> Result:
    entered: dict[str, Any] = {
        "places": form.places(),
        "grade": form.grade(),
        "note": request.POST.get("note", "")[:300],
    }
    if request.POST.get("as") == "organiser":
        return reporting.enter_result(actor=request.user, pairing=pairing, **entered)
    return reporting.report(person=request.user, pairing=pairing, **entered)


def _refuse(request: PersonRequest, pairing: Pairing, form: ResultForm, *, by_script: bool) -> HttpResponse:
    if not by_script:
        return table_page(request, pairing, form)
    reasons = [str(reason) for errors in form.errors.values() for reason in errors]
    return JsonResponse({"words": " ".join(dict.fromkeys(reasons))}, status=422)


def outcome_text(made: Result) -> str:
    if made.kind == Result.Kind.CONFIRMED:
        return _("The result counts.")
    if made.kind == Result.Kind.DISPUTED:
        return _("The versions differ: an organiser will decide.")
    if reporting.waits_for_organiser(made.pairing, made.by):
        return _("Reported. An organiser has to confirm it.")
    if reporting.waits_for_all(made.pairing, made.by):
        return _("Reported. Everybody else at the table has to confirm it.")
    return _("Reported. Somebody else at the table has to confirm it.")


@login_required
@require_POST
def answer(request: PersonRequest, key: str) -> HttpResponse:
    """Confirm a result, or object to one that counts. To dispute a report, players report their own version."""
    pairing = pairing_or_404(request, key)
    number = request.POST.get("version", "")
    result = pairing.results.filter(version=row_number(number)).first()
    if result is None:
        raise Http404
    result.pairing = pairing
    agrees = request.POST.get("agrees", "yes") == "yes"
    thanks, noted = _("Thank you: you have confirmed the result."), _("Your objection is noted: an organiser decides.")
    with flash_outcome(request, thanks if agrees else noted):
        note = request.POST.get("note", "")[:300]
        reporting.answer(person=request.user, result=result, agrees=agrees, note=note)
    return redirect(pairing)


@login_required
@require_POST
def decide_objections(request: PersonRequest, key: str) -> HttpResponse:
    """Decide about objections to a result that counts."""
    pairing = run_pairing(request, key)
    with flash_outcome(request, _("Your decision is noted, and whoever objected knows it.")):
        stands = request.POST.get("stands") == "yes"
        reporting.decide_objections(actor=request.user, pairing=pairing, stands=stands)
    return redirect(pairing)


@login_required
@require_POST
def here(request: PersonRequest, key: str) -> HttpResponse:
    """Report that one is present at an online table; the match begins when all are."""
    pairing = pairing_or_404(request, key)
    with flash_outcome(request, _("You are at the table.")):
        pairing = tables.mark_present(person=request.user, pairing=pairing)
        if pairing.match is not None:
            return redirect(pairing.match)
    return redirect(pairing)


@login_required
@require_POST
def place(request: PersonRequest, key: str) -> HttpResponse:
    """Move a table online or to the club, before it is played."""
    pairing = run_pairing(request, key)
    with flash_outcome(request, _("The table has moved.")):
        tables.set_location(actor=request.user, pairing=pairing, where=request.POST.get("where", ""))
    return redirect(pairing)


@require_safe
def code(request: HttpRequest, key: str) -> HttpResponse:
    """The table's link as a QR code."""
    pairing = pairing_or_404(request, key)
    picture = io.BytesIO()
    made = segno.make_qr(request.build_absolute_uri(pairing.get_absolute_url()), error="m")
    made.save(picture, kind="svg", border=2, dark="#1f1b2a", light="#ffffff", xmldecl=False, svgclass=None)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")
