"""The club's calendar and its nights, for everybody; and answering whether one comes."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.access import allowed as allowed_in_club
from accounts.infra.errors import Refused
from accounts.infra.input import whole_numbers
from accounts.models import Club, JoinRequest, User
from accounts.views.common import PersonRequest, flash_outcome, form_of, posted_text
from leagues.calendar import availability, club_clock, presentation
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.calendar import HabitsForm
from leagues.models import ClubNight, Habit
from leagues.rounds import attending


@require_safe
def calendar(request: HttpRequest, club: str) -> HttpResponse:
    """The next nights by month, and past ones."""
    home = get_object_or_404(Club, slug=club)
    access.require(request.user, Permission.SEE, home)
    return calendar_page(request, home)


def calendar_page(request: HttpRequest, club: Club, habits: HabitsForm | None = None) -> HttpResponse:
    can = access.allowed(request.user, club)
    comes = Permission.COME in can
    rows = presentation.night_rows(presentation.coming_nights(club, request.user), request.user, asked=comes)
    if comes and habits is None:
        habits = HabitsForm(habits=list(Habit.objects.filter(club=club, user=request.user.pk)))
    context = {
        "months": [(month, list(nights)) for month, nights in groupby(rows, key=lambda row: row.when.month)],
        "past": presentation.night_rows(presentation.past_nights(club, request.user), request.user, asked=False),
        "habits": habits,
        "venues": club.venues.filter(closed_at=None),
        "series": club.series.seen_by(request.user).filter(last__gte=club_clock.today(club)).select_related("venue"),
    }
    return show_club(request, club, "calendar/nights.html", can=can, **context)


def show_club(request: HttpRequest, club: Club, template: str, *, can: Any = None, **context: Any) -> HttpResponse:
    """Render a page of a club's calendar, with the club's header and tabs."""
    can = access.allowed(request.user, club) if can is None else can
    inside = allowed_in_club(request.user, club)
    waiting = 0
    if "decide_requests" in inside:
        waiting = club.join_requests.filter(status=JoinRequest.Status.PENDING).count()
    frame = {
        "club": club,
        "can": inside,
        "runs": Permission.ORGANISE in can,
        "comes": Permission.COME in can,
        "mine": club.memberships.filter(user=request.user.pk).first(),
        "waiting": waiting,
        "tab": context.pop("tab", "nights"),
        # As in `leagues.views.common.show`.
        "base": "leagues/_htmx_base.html" if request.headers.get("HX-Request") else "base.html",
    }
    form = context.get("form") or context.get("habits")
    wrong = form is not None and form.is_bound and bool(form.errors)
    return render(request, f"leagues/{template}", dict(**frame, **context), status=422 if wrong else 200)


def run_club(request: PersonRequest, slug: str) -> Club:
    """A club that the reader organises."""
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.ORGANISE, club)
    return club


def night_or_404(key: str) -> ClubNight:
    night: ClubNight = get_object_or_404(ClubNight.objects.select_related("club", "venue", "series"), key=key)
    return night


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """One night: when, where, who comes, and what is placed where."""
    night = night_or_404(key)
    can = access.allowed(request.user, night)
    access.require(request.user, Permission.SEE, night)
    # Bots are left out: they play online.
    attendees = [each for each in availability.attendees_of(night) if not each.user.is_bot]
    row = presentation.night_rows([night], request.user, asked=Permission.COME in can)[0]
    context = {
        "night": night,
        "row": row,
        "slots": presentation.slots_of(night, request.user, attendees),
        # Visitors see how many come, not who.
        "names": Permission.SEE_COMERS in can,
        "yes": [each for each in attendees if each.answer and each.summary == "yes"],
        "no": [each for each in attendees if each.summary == "no"],
        "open": [each for each in attendees if each.summary != "no" and not (each.answer and each.summary == "yes")],
    }
    return show_club(request, night.club, "calendar/night.html", can=can, **context)


@login_required
@require_POST
def answer(request: PersonRequest, key: str) -> HttpResponse:
    """Answer yes or no, for the night or some of its slots; or remove the answer, so that the habit counts."""
    night = night_or_404(key)
    choice, slots = request.POST.get("answer", ""), whole_numbers(request.POST.getlist("slot"))
    person = None
    if handle := posted_text(request, "person"):
        person = get_object_or_404(User, handle=handle)
    trouble = ""
    try:
        if choice == "habit":
            availability.take_back(actor=request.user, night=night, person=person)
        else:
            attending.answer_night(actor=request.user, night=night, answer=choice, slots=slots, person=person)
    except Refused as refused:
        trouble = refused.message
    if request.headers.get("HX-Request"):
        row = presentation.night_rows([night], request.user, asked=True)[0]
        back = {"row": row, "trouble": trouble, "back": request.POST.get("next", "")}
        return render(request, "leagues/calendar/_night_answer.html", back)
    if trouble:
        messages.error(request, trouble)
    return _back(request, night.get_absolute_url())


def _back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """The page that the button was on, if it is on this site."""
    to = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(to, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return redirect(to if ours else otherwise)


@login_required
@form_of("leagues:nights", "club")
def habits(request: PersonRequest, club: str) -> HttpResponse:
    home = get_object_or_404(Club, slug=club)
    access.require(request.user, Permission.COME, home)
    form = HabitsForm(request.POST, habits=[])
    if not form.is_valid():
        return calendar_page(request, home, form)
    with flash_outcome(request, _("Your usual days are saved.")):
        availability.set_habits(actor=request.user, club=home, habits=form.habits())
    return redirect("leagues:nights", club=home.slug)
