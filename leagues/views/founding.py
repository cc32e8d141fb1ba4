from copy import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.errors import Refused
from accounts.models import Club, User
from accounts.views.common import PersonRequest, posted
from leagues import access, carry, competitions, presets
from leagues.access import Permission
from leagues.forms.competition import GoOnForm, LeagueForm
from leagues.models import League, Season


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def found(request: PersonRequest, club: str) -> HttpResponse:
    """A league in one step: its name and its game. How it is played is chosen on the next page."""
    home = get_object_or_404(Club, slug=club)
    access.require(request.user, Permission.ORGANISE, home)
    form = LeagueForm(posted(request))
    if form.is_valid():
        try:
            league = competitions.found_league(actor=request.user, club=home, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            return redirect("leagues:season-new", slug=league.slug)
    context = {"form": form, "club": home}
    return render(request, "leagues/league_form.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PersonRequest, slug: str) -> HttpResponse:
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    access.require(request.user, Permission.ORGANISE, league)
    # A copy, because a form writes even what is invalid into its instance.
    form = LeagueForm(posted(request), instance=copy(league))
    if form.is_valid():
        try:
            competitions.edit_league(actor=request.user, league=league, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The league’s details are saved."))
            return redirect(league)
    context = {"form": form, "league": league, "club": league.club}
    return render(request, "leagues/league_form.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def season(request: PersonRequest, slug: str) -> HttpResponse:
    """How the next season is played: one click on a preset, and it is open for entries."""
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    access.require(request.user, Permission.ORGANISE, league)
    offered = presets.for_game(league.game)
    chosen = next((each for each in offered if each.code == request.POST.get("preset")), None)
    going = GoOnForm(request.POST if request.POST.get("preset") == "go-on" else None)
    if request.method == "POST":
        name = request.POST.get("name", "").strip()[:80]
        try:
            if request.POST.get("preset") == "empty":
                made = competitions.add_season(actor=request.user, league=league, name=name)
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
        "last": carry.last_closed(league),
        "going": going,
        "name": request.POST.get("name", ""),
        "number": league.seasons.count() + 1,
    }
    return render(request, "leagues/season_new.html", context, status=422 if request.method == "POST" else 200)


def _gone_on(actor: User, league: League, name: str, form: GoOnForm) -> Season:
    return carry.go_on(
        actor=actor, league=league, name=name, ask_until=form.deadline(), keep_silent=form.cleaned_data["keep"]
    )


def _went_on(form: GoOnForm) -> str:
    if form.cleaned_data["ask"]:
        return _("The season is open, and everybody of the last one is asked whether they play again.")
    return _("The season is open, and everybody of the last one is in.")
