"""Agreeing on a time: suggestions and answers, requests for more time, and decisions of organisers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.views.common import PersonRequest, flash_outcome, form_of
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.time_proposals import ReasonForm, TimesForm, UntilForm
from leagues.models import Extension, Pairing, ProposedTime, TimeProposal
from leagues.views import disputes
from leagues.views import pairing as views_pairing
from leagues.views.common import pairing_or_404, run_pairing, season_of
from leagues.windows import extensions, time_proposals


@login_required
@form_of("leagues:table", "key")
def propose(request: PersonRequest, key: str) -> HttpResponse:
    """Suggest times; as an answer to another suggestion they replace it."""
    pairing = pairing_or_404(request, key)
    form = TimesForm(request.POST, closes_at=pairing.deadline)
    if not form.is_valid():
        return views_pairing.table_page(request, pairing, times_form=form)
    earlier = form.cleaned_data["answers"]
    try:
        if earlier:
            suggestion = get_object_or_404(TimeProposal, pairing=pairing, pk=earlier)
            time_proposals.decline(person=request.user, proposal=suggestion, times=form.times())
        else:
            time_proposals.propose(person=request.user, pairing=pairing, times=form.times())
    except Refused as refused:
        form.add_error(None, refused.message)
        return views_pairing.table_page(request, pairing, times_form=form)
    return redirect(pairing)


@login_required
@require_POST
def answer(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Accept one of the times, decline all, or take one's own suggestion back."""
    pairing = pairing_or_404(request, key)
    proposal = get_object_or_404(TimeProposal, pairing=pairing, pk=pk)
    match request.POST.get("say", ""):
        case "no":
            with flash_outcome(request, _("The others know that these times do not suit you.")):
                time_proposals.decline(person=request.user, proposal=proposal)
        case "back":
            with flash_outcome(request, _("Your suggestion is taken back.")):
                time_proposals.withdraw(person=request.user, proposal=proposal)
        case number if chosen := row_number(number):
            time = get_object_or_404(proposal.times, pk=chosen)
            _accept(request, time)
        case _:
            raise Http404
    return redirect(pairing)


def _accept(request: PersonRequest, time: ProposedTime) -> None:
    try:
        agreed = time_proposals.accept(person=request.user, time=time).starts_at == time.starts_at
    except Refused as refused:
        messages.error(request, refused.message)
        return
    words = _("That was the last yes: the time is agreed.") if agreed else _("The others know that you can play then.")
    messages.success(request, words)


@login_required
@form_of("leagues:table", "key")
def more(request: PersonRequest, key: str) -> HttpResponse:
    """Ask for more time; an organiser gives it at once."""
    pairing = pairing_or_404(request, key)
    if "until" in request.POST:
        return _give(request, pairing)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return views_pairing.table_page(request, pairing, reason_form=form)
    with flash_outcome(request, _("The organisers are asked.")):
        extensions.ask(person=request.user, pairing=pairing, reason=form.cleaned_data["reason"])
    return redirect(pairing)


def _give(request: PersonRequest, pairing: Pairing) -> HttpResponse:
    access.require(request.user, Permission.ORGANISE, pairing)
    form = UntilForm(request.POST)
    if form.is_valid():
        try:
            extensions.grant(actor=request.user, pairing=pairing, until=form.cleaned_data["until"])
            return redirect(pairing)
        except Refused as refused:
            form.add_error("until", refused.message)
    return views_pairing.table_page(request, pairing, until_form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Give or refuse more time, in the organisers' list."""
    pairing = run_pairing(request, key)
    extension = get_object_or_404(Extension, pairing=pairing, pk=pk)
    season = season_of(pairing)
    if request.method != "POST":
        return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
    if request.POST.get("refuse"):
        with flash_outcome(request, _("Table %(table)s gets no more time.") % {"table": pairing.table}):
            extensions.refuse(actor=request.user, extension=extension)
        return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
    form = UntilForm(request.POST, prefix=f"e{pk}")
    if form.is_valid():
        try:
            extensions.grant(actor=request.user, pairing=pairing, until=form.cleaned_data["until"])
        except Refused as refused:
            form.add_error("until", refused.message)
        else:
            return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
    return disputes.queue_page(request, season, late=(pk, form))
