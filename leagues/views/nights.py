"""The club's calendar and a night of it, for everybody; saying whether one comes."""

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
from accounts.errors import Refused
from accounts.models import Club, JoinRequest, User
from accounts.views.common import PersonRequest, form_of, telling, written
from leagues import access
from leagues.access import Permission
from leagues.forms.night import HabitsForm
from leagues.models import ClubNight, Habit
from leagues.scheduling import availability, clock, listing


@require_safe
def calendar(request: HttpRequest, club: str) -> HttpResponse:
    """What is to come, month by month, and what was."""
    home = get_object_or_404(Club, slug=club)
    return calendar_page(request, home)


def calendar_page(request: HttpRequest, club: Club, habits: HabitsForm | None = None) -> HttpResponse:
    can = access.allowed(request.user, club)
    comes = Permission.COME in can
    rows = listing.listed(listing.coming(club), request.user, asked=comes)
    if comes and habits is None:
        habits = HabitsForm(habits=list(Habit.objects.filter(club=club, user=request.user.pk)))
    context = {
        "months": [(month, list(nights)) for month, nights in groupby(rows, key=lambda row: row.when.month)],
        "past": listing.listed(listing.past(club), request.user, asked=False),
        "habits": habits,
        "venues": club.venues.filter(closed_at=None),
        "series": club.series.filter(last__gte=clock.today(club)).select_related("venue"),
    }
    return show_club(request, club, "nights.html", can=can, **context)


def show_club(request: HttpRequest, club: Club, template: str, *, can: Any = None, **context: Any) -> HttpResponse:
    """A page of a club's calendar: the club's head and tabs around what the page is about."""
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
        "tab": "nights",
        # As in `leagues.views.common.show`.
        "base": "leagues/_bare.html" if request.headers.get("HX-Request") else "base.html",
    }
    form = context.get("form") or context.get("habits")
    wrong = form is not None and form.is_bound and bool(form.errors)
    return render(request, f"leagues/{template}", dict(**frame, **context), status=422 if wrong else 200)


def night_or_404(key: str) -> ClubNight:
    return get_object_or_404(ClubNight.objects.select_related("club", "venue", "series"), key=key)


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """One night: when, where, who comes, and what is placed where."""
    night = night_or_404(key)
    can = access.allowed(request.user, night)
    # Bots play online: whoever asks who comes, asks about people.
    comers = [each for each in availability.who(night) if not each.user.is_bot]
    row = listing.listed([night], request.user, asked=Permission.COME in can)[0]
    context = {
        "night": night,
        "row": row,
        "slots": listing.slots_of(night, request.user, comers),
        "yes": [each for each in comers if each.answer and each.summary == "yes"],
        "no": [each for each in comers if each.summary == "no"],
        "open": [each for each in comers if each.summary != "no" and not (each.answer and each.summary == "yes")],
    }
    return show_club(request, night.club, "night.html", can=can, **context)


@login_required
@require_POST
def answer(request: PersonRequest, key: str) -> HttpResponse:
    """One tap: yes or no, to all of the night or to some of its slots; or leave it to the habit."""
    night = night_or_404(key)
    said, slots = request.POST.get("answer", ""), [each for each in request.POST.getlist("slot") if each.isdecimal()]
    person = None
    if handle := written(request, "person"):
        person = get_object_or_404(User, handle=handle)
    trouble = ""
    try:
        if said == "habit":
            availability.take_back(actor=request.user, night=night, person=person)
        else:
            availability.answer(
                actor=request.user, night=night, answer=said, slots=[int(each) for each in slots], person=person
            )
    except Refused as refused:
        trouble = refused.message
    if request.headers.get("HX-Request"):
        row = listing.listed([night], request.user, asked=True)[0]
        back = {"row": row, "trouble": trouble, "back": request.POST.get("next", "")}
        return render(request, "leagues/_night_answer.html", back)
    if trouble:
        messages.error(request, trouble)
    return _back(request, night.get_absolute_url())


def _back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """To the page that the button stood on, if it is one of ours."""
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
    with telling(request, _("Your usual days are saved.")):
        availability.set_habits(actor=request.user, club=home, habits=form.habits())
    return redirect("leagues:nights", club=home.slug)
