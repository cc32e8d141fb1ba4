from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome, form_data, form_of, posted_text
from leagues.core import access, format_catalogue
from leagues.core.access import Permission
from leagues.entries import bye_requests, entry_requests, invitations, questions, registration, withdrawal
from leagues.forms.entry import (
    AnswersForm,
    BotForm,
    ByeForm,
    GuestsForm,
    PersonForm,
    TeamForm,
    initial_answers,
    question_forms,
)
from leagues.models import Division, Entrant, EntryRequest, RequestedBye, Season, Stage
from leagues.rounds import attending
from leagues.seasons import next_steps, overview, renewal, setup
from leagues.views.common import division_of, entrant_of, run_season, season_or_404, show


@require_safe
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return entries_page(request, season_or_404(request, slug, number))


def entries_page(
    request: HttpRequest,
    season: Season,
    wrong: tuple[int, str, forms.Form] | None = None,
    answers: AnswersForm | None = None,
) -> HttpResponse:
    """All entrants by division; a refused form is shown again with its input."""
    runs = access.may(request.user, Permission.ORGANISE, season)
    person = request.user if isinstance(request.user, User) else None
    divisions = list(season.divisions.order_by("level", "number"))
    entrants: dict[int, list[Entrant]] = {division.pk: [] for division in divisions}
    for entrant in Entrant.objects.named().filter(season=season).prefetch_related("members__user"):
        entrants[entrant.division_id].append(entrant)
    rows = []
    for division in divisions:
        division.season = season
        rows.append(
            {
                "division": division,
                "entered": sorted(
                    (each for each in entrants[division.pk] if not (each.is_waiting or each.is_withdrawn)),
                    key=lambda each: each.seed is None,
                ),
                "queue": [each for each in entrants[division.pk] if each.is_waiting],
                "gone": [each for each in entrants[division.pk] if each.is_withdrawn],
                "forms": _forms(division, wrong) if runs and not season.is_closed else {},
                "opened": wrong[1] if wrong and wrong[0] == division.pk else "",
            }
        )
    mine = overview.entries_of(season, person)
    request_to_enter = entry_requests.own(season, person)
    context = {
        "answers_form": answers or _answers_form(season, request_to_enter),
        "request_to_enter": request_to_enter,
        "must_ask": season.approval and not runs,
        "given": questions.in_words(season.entry_questions, request_to_enter.answers) if request_to_enter else [],
        "rows": rows,
        "divisions": divisions,
        "mine": mine,
        "next": next_steps.next_step_for_reader(season, person),
        "bye_stage": _running_stage(mine) if mine and not mine.is_withdrawn else None,
        "missing": RequestedBye.objects.asked().filter(entrant=mine).select_related("stage") if mine else [],
        "asked": renewal.asked(season, person, runs=runs),
    }
    status = 422 if wrong or answers else 200
    for_organisers = _requests(season, entrants) if runs else {}
    return show(request, season, "entries/list.html", "entries", status=status, **context, **for_organisers)


def _answers_form(season: Season, request: EntryRequest | None) -> AnswersForm:
    return AnswersForm(season=season, initial=initial_answers(request.answers) if request else {})


def _requests(season: Season, entrants: dict[int, list[Entrant]]) -> dict[str, Any]:
    """What only organisers see: who asks to enter, and everybody's answers."""
    waiting, declined = entry_requests.waiting(season), entry_requests.declined(season)
    if not season.entry_questions:
        return {"requests": waiting, "declined": declined, "answers": {}}
    people = [each.user_id for each in [*waiting, *declined]]
    for each in [one for listed in entrants.values() for one in listed]:
        people += [each.user_id] if each.user_id else [member.user_id for member in each.members.all()]
    return {"requests": waiting, "declined": declined, "answers": entry_requests.answers_of(season, people)}


def _forms(division: Division, wrong: tuple[int, str, forms.Form] | None) -> dict[str, forms.Form]:
    made: dict[str, forms.Form] = {}
    for what in _kinds(division):
        made[what] = FORMS[what](None, division, f"{what}-{division.pk}-%s")
    if wrong and wrong[0] == division.pk:
        made[wrong[1]] = wrong[2]
    return made


def _kinds(division: Division) -> list[str]:
    """The kinds of entrants of a division: teams or single players; guests only at the club, bots only online."""
    if any(format_catalogue.FORMATS[stage.format].teams for stage in division.stages.all()):
        return ["team"]
    where = division.season.where
    return ["person", *(["guests"] if where != "online" else []), *(["bot"] if where != "club" else [])]


FORMS: dict[str, Callable[[Any, Division, str], forms.Form]] = {
    "person": lambda data, division, ids: PersonForm(data, division=division, auto_id=ids),
    "guests": lambda data, division, ids: GuestsForm(data, auto_id=ids),
    "bot": lambda data, division, ids: BotForm(data, auto_id=ids),
    "team": lambda data, division, ids: TeamForm(data, division=division, auto_id=ids),
}


@login_required
@form_of("leagues:entries", "slug", "number")
def add(request: PersonRequest, slug: str, number: int, pk: int, what: str) -> HttpResponse:
    """Enter a member, guests, a bot or a team, for organisers."""
    season = run_season(request, slug, number)
    division = division_of(season, pk)
    if what not in FORMS:
        raise Http404
    form = FORMS[what](request.POST, division, f"{what}-{division.pk}-%s")
    if not form.is_valid():
        return entries_page(request, season, (division.pk, what, form))
    try:
        done = _add(request.user, division, what, form.cleaned_data)
    except Refused as refused:
        form.add_error(None, refused.message)
        return entries_page(request, season, (division.pk, what, form))
    messages.success(request, done)
    return redirect("leagues:entries", slug=slug, number=number)


def _add(actor: User, division: Division, what: str, data: dict[str, Any]) -> str:
    match what:
        case "person":
            entrant = registration.add_person(actor=actor, division=division, person=data["person"])
        case "bot" if data["bot"]:
            entrant = registration.add_own_bot(actor=actor, division=division, bot=data["bot"])
        case "bot":
            entrant = registration.add_bot(actor=actor, division=division, level=data["level"])
        case "team":
            bots = [data["level"]] * data["bots"]
            entrant = registration.add_team(
                actor=actor, division=division, name=data["name"], members=data["members"], bots=bots
            )
        case _:
            # All or none, so that after an error the typed list can be sent again.
            with transaction.atomic():
                for name in data["names"]:
                    registration.add_guest(actor=actor, division=division, name=name)
            count = len(data["names"])
            return ngettext("%(count)s guest has entered.", "%(count)s guests have entered.", count) % {"count": count}
    if entrant.is_waiting:
        return _("%(name)s is on the waiting list.") % {"name": entrant.name}
    return _("%(name)s has entered.") % {"name": entrant.name}


@login_required
@form_of("leagues:entries", "slug", "number")
def sign_up(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Enter the season, or ask to where organisers approve entries."""
    season = season_or_404(request, slug, number)
    division = None
    if chosen := request.POST.get("division", ""):
        division = get_object_or_404(Division, season=season, pk=row_number(chosen))
    form = AnswersForm(request.POST, season=season)
    if not form.is_valid():
        return entries_page(request, season, answers=form)
    known: dict[str, Any] = {"person": request.user, "season": season, "division": division, "answers": form.answers()}
    if registration.needs_approval(request.user, season):
        with flash_outcome(request, _("You have asked to enter. You will hear when an organiser has decided.")):
            entry_requests.ask(**known)
    else:
        with flash_outcome(request, _("You are in. Good luck!")):
            registration.register(**known)
    return redirect(season)


@login_required
@form_of("leagues:entries", "slug", "number")
def own_answers(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Answer the season's questions again, or ask to enter no longer."""
    season = season_or_404(request, slug, number)
    if request.POST.get("do") == "take-back":
        with flash_outcome(request, _("You do not ask to enter any more.")):
            entry_requests.take_back(person=request.user, season=season)
        return redirect("leagues:entries", slug=slug, number=number)
    form = AnswersForm(request.POST, season=season)
    if not form.is_valid():
        return entries_page(request, season, answers=form)
    with flash_outcome(request, _("Your answers are saved.")):
        entry_requests.change_answers(person=request.user, season=season, answers=form.answers())
    return redirect("leagues:entries", slug=slug, number=number)


@login_required
@require_POST
def decide(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Approve or decline a request to enter."""
    season = run_season(request, slug, number)
    asked = get_object_or_404(EntryRequest.objects.select_related("user"), season=season, pk=pk)
    known: dict[str, Any] = {"actor": request.user, "request": asked, "note": posted_text(request, "note")}
    name = {"name": asked.user.name}
    match request.POST.get("do"):
        case "approve":
            with flash_outcome(request, _("%(name)s is approved.") % name):
                entry_requests.approve(**known)
        case "decline":
            with flash_outcome(request, _("%(name)s is declined.") % name):
                entry_requests.decline(**known)
        case _:
            raise Http404
    return redirect(reverse("leagues:entries", args=[slug, number]) + "#requests")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def questions_page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """The questions to entrants, for organisers."""
    season = run_season(request, slug, number)
    listed = question_forms(season, form_data(request))
    wrong = ""
    if request.method == "POST" and all(each.is_valid() for each in listed):
        given = [question for each in listed if (question := each.question()) is not None]
        try:
            setup.edit_season(actor=request.user, season=season, entry_questions=given)
        except Refused as refused:
            wrong = refused.message
        else:
            messages.success(request, _("The questions are saved."))
            return redirect("leagues:entry-questions", slug=slug, number=number)
    status = 422 if request.method == "POST" else 200
    return show(request, season, "entries/questions.html", "settings", status=status, listed=listed, wrong=wrong)


CHANGES: dict[str, Callable[..., Entrant]] = {
    "withdraw": withdrawal.withdraw,
    "return": withdrawal.return_to_season,
    "check-in": registration.check_in,
    "check-out": registration.check_out,
}


@login_required
@require_POST
def change(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Withdraw, return, check in, check out or change division: for the entrant or an organiser."""
    season = season_or_404(request, slug, number)
    entrant = entrant_of(season, pk)
    what, known = request.POST.get("do", ""), {"name": entrant.name}
    words = {
        "withdraw": _("%(name)s has withdrawn."),
        "return": _("%(name)s is back."),
        "check-in": _("%(name)s has checked in."),
        "check-out": _("%(name)s is not checked in any more."),
    }
    if what == "move":
        wanted = request.POST.get("division", "")
        division = division_of(season, row_number(wanted))
        with flash_outcome(request, _("%(name)s plays in another division now.") % known):
            registration.move(actor=request.user, entrant=entrant, division=division)
    elif what in CHANGES and request.POST.get("back") == "door":
        return _at_the_door(request, entrant, what)
    elif what in words:
        with flash_outcome(request, words[what] % known):
            CHANGES[what](actor=request.user, entrant=entrant)
    else:
        raise Http404
    if request.POST.get("back") == "here" and (stage := _running_stage(entrant)):
        return redirect("leagues:attendance-now", slug=slug, number=number, pk=stage.pk)
    return redirect("leagues:entries", slug=slug, number=number)


def _at_the_door(request: PersonRequest, entrant: Entrant, what: str) -> HttpResponse:
    """Answer a switch of the check-in page: only a refusal needs a message."""
    try:
        CHANGES[what](actor=request.user, entrant=entrant)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("leagues:door", slug=entrant.season.league.slug, number=entrant.season.number)


@login_required
@require_POST
def consent(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Somebody whom an organiser entered says whether they play."""
    season = season_or_404(request, slug, number)
    plays = request.POST.get("plays") == "yes"
    with flash_outcome(request, _("You are in. Good luck!") if plays else _("You are not in this season any more.")):
        invitations.answer(person=request.user, entrant=entrant_of(season, pk), plays=plays)
    return redirect(season)


@login_required
@require_POST
def bye(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Ask to miss a round, or take that back."""
    season = season_or_404(request, slug, number)
    entrant = entrant_of(season, pk)
    if cancelled := request.POST.get("cancel", ""):
        requested = get_object_or_404(RequestedBye, entrant=entrant, pk=row_number(cancelled))
        with flash_outcome(request, _("You play that round after all.")):
            attending.come_after_all(actor=request.user, request=requested)
        return redirect("leagues:entries", slug=slug, number=number)
    form, stage = ByeForm(request.POST), _running_stage(entrant)
    if not form.is_valid() or stage is None:
        raise Http404
    round_number = form.cleaned_data["number"]
    with flash_outcome(request, _("You are not drawn in round %(round)s.") % {"round": round_number}):
        bye_requests.request_bye(actor=request.user, entrant=entrant, stage=stage, number=round_number, kind="ZPB")
    return redirect("leagues:entries", slug=slug, number=number)


def _running_stage(entrant: Entrant) -> Stage | None:
    """The running stage, if its format allows requests to miss a round."""
    stages = Stage.objects.filter(division=entrant.division).exclude(status=Stage.Status.FINISHED)
    stage = stages.order_by("position").first()
    return stage if stage and format_catalogue.FORMATS[stage.format].requested_byes else None
