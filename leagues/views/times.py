"""Agreeing on when a table is played: suggested times and their answers, more time, and what an organiser says."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import Refused
from accounts.views.common import PersonRequest, form_of, telling
from leagues import access
from leagues.access import Permission
from leagues.forms.window import ReasonForm, TimesForm, UntilForm
from leagues.models import Extension, Pairing, ProposedTime, TimeProposal
from leagues.scheduling import extensions, proposals
from leagues.views import disputes, table
from leagues.views.common import pairing_or_404, run_pairing, season_of


@login_required
@form_of("leagues:table", "key")
def propose(request: PersonRequest, key: str) -> HttpResponse:
    """Suggest times; as an answer to somebody else's suggestion they take its place."""
    pairing = pairing_or_404(request, key)
    form = TimesForm(request.POST, closes_at=pairing.deadline)
    if not form.is_valid():
        return table.table_page(request, pairing, times_form=form)
    earlier = form.cleaned_data["answers"]
    try:
        if earlier:
            suggestion = get_object_or_404(TimeProposal, pairing=pairing, pk=earlier)
            proposals.decline(person=request.user, proposal=suggestion, times=form.times())
        else:
            proposals.propose(person=request.user, pairing=pairing, times=form.times())
    except Refused as refused:
        form.add_error(None, refused.message)
        return table.table_page(request, pairing, times_form=form)
    return redirect(pairing)


@login_required
@require_POST
def answer(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Yes to one of the times, no to all of them, or back with one's own."""
    pairing = pairing_or_404(request, key)
    proposal = get_object_or_404(TimeProposal, pairing=pairing, pk=pk)
    match request.POST.get("say", ""):
        case "no":
            with telling(request, _("The others know that these times do not suit you.")):
                proposals.decline(person=request.user, proposal=proposal)
        case "back":
            with telling(request, _("Your suggestion is taken back.")):
                proposals.withdraw(person=request.user, proposal=proposal)
        case number if number.isdecimal():
            time = get_object_or_404(proposal.times, pk=number)
            _accept(request, time)
        case _:
            raise Http404
    return redirect(pairing)


def _accept(request: PersonRequest, time: ProposedTime) -> None:
    try:
        agreed = proposals.accept(person=request.user, time=time).starts_at == time.starts_at
    except Refused as refused:
        messages.error(request, refused.message)
        return
    words = _("That was the last yes: the time is agreed.") if agreed else _("The others know that you can play then.")
    messages.success(request, words)


@login_required
@form_of("leagues:table", "key")
def more(request: PersonRequest, key: str) -> HttpResponse:
    """A player asks for more time; an organiser just gives it."""
    pairing = pairing_or_404(request, key)
    if "until" in request.POST:
        return _give(request, pairing)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return table.table_page(request, pairing, reason_form=form)
    with telling(request, _("The organisers are asked.")):
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
    return table.table_page(request, pairing, until_form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """In the organisers' list: more time until then, or none."""
    pairing = run_pairing(request, key)
    extension = get_object_or_404(Extension, pairing=pairing, pk=pk)
    season = season_of(pairing)
    if request.method != "POST":
        return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
    if request.POST.get("refuse"):
        with telling(request, _("Table %(table)s gets no more time.") % {"table": pairing.number}):
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
