from copy import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.infra.errors import Refused
from accounts.models import Club, User
from accounts.views.common import PersonRequest, form_data
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.season import GoOnForm, LeagueForm
from leagues.models import League, Season
from leagues.seasons import presets, rollover, setup


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_league(request: PersonRequest, club: str) -> HttpResponse:
    """Create a league with its name and game. How it is played is chosen on the next page."""
    home = get_object_or_404(Club, slug=club)
    access.require(request.user, Permission.ORGANISE, home)
    form = LeagueForm(form_data(request))
    if form.is_valid():
        try:
            league = setup.create_league(actor=request.user, club=home, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            return redirect("leagues:season-new", slug=league.slug)
    context = {"form": form, "club": home}
    return render(request, "leagues/seasons/league_form.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PersonRequest, slug: str) -> HttpResponse:
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    access.require(request.user, Permission.ORGANISE, league)
    # A copy, because a form writes even what is invalid into its instance.
    form = LeagueForm(form_data(request), instance=copy(league))
    if form.is_valid():
        try:
            setup.edit_league(actor=request.user, league=league, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The league’s details are saved."))
            return redirect(league)
    context = {"form": form, "league": league, "club": league.club}
    return render(request, "leagues/seasons/league_form.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def season(request: PersonRequest, slug: str) -> HttpResponse:
    """Create the next season from a preset, from scratch, or like the last one."""
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    access.require(request.user, Permission.ORGANISE, league)
    offered = presets.for_game(league.game)
    chosen = next((each for each in offered if each.code == request.POST.get("preset")), None)
    going = GoOnForm(request.POST if request.POST.get("preset") == "go-on" else None)
    if request.method == "POST":
        name = request.POST.get("name", "").strip()[:80]
        try:
            if request.POST.get("preset") == "empty":
                made = setup.add_season(actor=request.user, league=league, name=name)
                return redirect("leagues:settings", slug=league.slug, number=made.number)
            if request.POST.get("preset") == "go-on":
                if not going.is_valid():
                    raise Refused(_("Look at the deadline again."))
                made = _gone_on(request.user, league, name, going)
                messages.success(request, _went_on(going))
                return redirect("leagues:entries", slug=league.slug, number=made.number)
            if chosen is None:
                messages.error(request, _("Choose how the season is played."))
            else:
                made = presets.set_up(actor=request.user, league=league, preset=chosen.code, name=name)
                messages.success(request, _("The season is open for entries. Everything can still be changed."))
                return redirect(made)
        except Refused as refused:
            messages.error(request, refused.message)
    context = {
        "league": league,
        "club": league.club,
        "presets": offered,
        "last": rollover.last_closed(league),
        "going": going,
        "name": request.POST.get("name", ""),
        "number": league.seasons.count() + 1,
    }
    return render(request, "leagues/seasons/new.html", context, status=422 if request.method == "POST" else 200)


def _gone_on(actor: User, league: League, name: str, form: GoOnForm) -> Season:
    return rollover.start_next_season(
        actor=actor, league=league, name=name, ask_until=form.deadline(), keep_silent=form.cleaned_data["keep"]
    )


def _went_on(form: GoOnForm) -> str:
    if form.cleaned_data["ask"]:
        return _("The season is open, and everybody of the last one is asked whether they play again.")
    return _("The season is open, and everybody of the last one is in.")
