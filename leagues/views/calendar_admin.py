"""Pages for organisers of the club's calendar: venues, series, nights."""

from collections.abc import Callable
from copy import copy
from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, flash_outcome, form_data
from leagues.calendar import club_clock, nights
from leagues.calendar.nights import SeriesChange
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.calendar import NightForm, SeriesForm, VenueForm, blame
from leagues.models import Placement, Series, Venue
from leagues.views.nights import night_or_404, run_club, show_club

GET_AND_POST = ["GET", "HEAD", "POST"]


def _done(form: Any, verb: Callable[..., Any], **named: Any) -> Any:
    """Run a verb with a form's data; None if it was refused, with the reason at the field."""
    if not form.is_valid():
        return None
    try:
        return verb(**named, **form.cleaned_data)
    except Refused as refused:
        blame(form, refused)
        return None


@login_required
@require_http_methods(GET_AND_POST)
def venue_new(request: PersonRequest, club: str) -> HttpResponse:
    home = run_club(request, club)
    form = VenueForm(form_data(request))
    if _done(form, nights.add_venue, actor=request.user, club=home):
        messages.success(request, _("The venue is on the list. Now plan your nights there."))
        return redirect("leagues:nights", club=home.slug)
    return show_club(request, home, "calendar/venue_form.html", form=form)


@login_required
@require_http_methods(GET_AND_POST)
def venue(request: PersonRequest, club: str, pk: int) -> HttpResponse:
    home = run_club(request, club)
    known = get_object_or_404(Venue, club=home, pk=pk)
    # A copy, because a form writes even what is invalid into its instance.
    form = VenueForm(form_data(request), instance=copy(known))
    if _done(form, nights.edit_venue, actor=request.user, venue=known):
        messages.success(request, _("The venue is saved."))
        return redirect("leagues:nights", club=home.slug)
    return show_club(request, home, "calendar/venue_form.html", form=form, venue=known)


@login_required
@require_POST
def venue_close(request: PersonRequest, club: str, pk: int) -> HttpResponse:
    home = run_club(request, club)
    known = get_object_or_404(Venue, club=home, pk=pk)
    with flash_outcome(request, _("%(venue)s is closed.") % {"venue": known.name}):
        nights.close_venue(actor=request.user, venue=known)
    return redirect("leagues:nights", club=home.slug)


@login_required
@require_http_methods(GET_AND_POST)
def series_new(request: PersonRequest, club: str) -> HttpResponse:
    home = run_club(request, club)
    if not home.venues.filter(closed_at=None).exists():
        return redirect("leagues:venue-new", club=home.slug)
    today = club_clock.today(home)
    usual = {"name": _("Club night"), "first": today, "last": today + timedelta(weeks=12), "begins": "19:00"}
    form = SeriesForm(form_data(request), club=home, initial=usual)
    if form.is_valid() and form.cleaned_data["last"] < today:
        form.add_error("last", _("That day is past."))
    if made := _done(form, nights.add_series, actor=request.user, club=home):
        count = made.nights.count()
        words = ngettext("%(count)s night is planned.", "%(count)s nights are planned.", count)
        messages.success(request, words % {"count": count})
        return redirect("leagues:nights", club=home.slug)
    return show_club(request, home, "calendar/series_form.html", form=form)


@login_required
@require_http_methods(GET_AND_POST)
def series(request: PersonRequest, club: str, pk: int) -> HttpResponse:
    home = run_club(request, club)
    known = get_object_or_404(Series.objects.select_related("venue", "club"), club=home, pk=pk)
    form = SeriesForm(form_data(request), club=home, series=known)
    change = _done(form, nights.change_series, actor=request.user, series=known)
    if change is not None:
        _flash_changes(request, change)
        return redirect("leagues:nights", club=home.slug)
    today = club_clock.today(home).isoformat()
    skipped = [date.fromisoformat(day) for day in known.exceptions if day >= today]
    context = {"series": known, "skipped": [(day, club_clock.format_day(day)) for day in skipped]}
    return show_club(request, home, "calendar/series_form.html", form=form, **context)


def _flash_changes(request: PersonRequest, change: SeriesChange) -> None:
    numbers = {"changed": len(change.changed), "added": len(change.added), "removed": len(change.removed)}
    words = _("The series is saved. Nights changed: %(changed)s, added: %(added)s, removed: %(removed)s.")
    messages.success(request, words % numbers)
    if change.kept:
        kept = "; ".join(f"{club_clock.format_day(each.night.day)} ({each.why})" for each in change.kept)
        messages.warning(request, _("Kept as they were: %(nights)s.") % {"nights": kept})


@login_required
@require_POST
def unskip(request: PersonRequest, club: str, pk: int) -> HttpResponse:
    home = run_club(request, club)
    known = get_object_or_404(Series.objects.select_related("venue", "club"), club=home, pk=pk)
    try:
        day = date.fromisoformat(request.POST.get("day", ""))
    except ValueError as error:
        raise Http404 from error
    with flash_outcome(request, _("%(day)s is a night again.") % {"day": club_clock.format_day(day)}):
        nights.unskip(actor=request.user, series=known, day=day)
    return redirect("leagues:series", club=home.slug, pk=known.pk)


@login_required
@require_http_methods(GET_AND_POST)
def night_new(request: PersonRequest, club: str) -> HttpResponse:
    home = run_club(request, club)
    if not home.venues.filter(closed_at=None).exists():
        return redirect("leagues:venue-new", club=home.slug)
    today = club_clock.today(home)
    form = NightForm(form_data(request), club=home, initial={"day": today, "begins": "19:00"})
    if form.is_valid() and form.cleaned_data["day"] < today:
        form.add_error("day", _("That day is past."))
    if made := _done(form, nights.add_night, actor=request.user, club=home):
        messages.success(request, _("The night is on the calendar."))
        return redirect(made)
    return show_club(request, home, "calendar/night_form.html", form=form)


@login_required
@require_http_methods(GET_AND_POST)
def night_edit(request: PersonRequest, key: str) -> HttpResponse:
    night = night_or_404(key)
    access.require(request.user, Permission.ORGANISE, night)
    form = NightForm(form_data(request), club=night.club, night=night)
    if _done(form, nights.change_night, actor=request.user, night=night):
        messages.success(request, _("The night is saved."))
        return redirect(night)
    placed = Placement.objects.filter(slot__night=night).count()
    return show_club(request, night.club, "calendar/night_form.html", form=form, night=night, placed=placed)


@login_required
@require_POST
def night_step(request: PersonRequest, key: str) -> HttpResponse:
    """Cancel a night, restore it, or leave its day out of the series."""
    night = night_or_404(key)
    access.require(request.user, Permission.ORGANISE, night)
    match request.POST.get("do"):
        case "cancel":
            with flash_outcome(request, _("The night is cancelled. Everybody who wanted to come is notified.")):
                nights.cancel_night(actor=request.user, night=night)
        case "restore":
            with flash_outcome(request, _("The night takes place after all.")):
                nights.restore_night(actor=request.user, night=night)
        case "skip" if night.series is not None and night.occurrence is not None:
            try:
                nights.skip(actor=request.user, series=night.series, day=night.occurrence)
            except Refused as refused:
                messages.error(request, refused.message)
            else:
                messages.success(request, _("The day is left out of the series."))
                return redirect("leagues:nights", club=night.club.slug)
        case _:
            raise Http404
    return redirect(night)
