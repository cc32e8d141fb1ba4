from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import engine
from accounts.access import Actor
from accounts.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, posted
from games import exhibition, tables
from games.forms import PlayNowForm, TableForm
from games.models import Match
from games.views.common import games

SHOWN = 30
FINISHED_SHOWN = 10


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    exhibition.look()
    return render(request, "games/lobby.html", dict(**_listing(request), quick=quick_forms(request.GET)))


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """The lists alone, which open pages fetch again when something changes."""
    return render(request, "games/_listing.html", _listing(request))


@require_safe
@never_cache
def turns(request: HttpRequest) -> HttpResponse:
    """The number beside "Play" alone: how many tables wait for this reader."""
    return render(request, "games/_turns.html", {"turns": waiting_tables(request.user)})


def waiting_tables(reader: Actor) -> int:
    return Match.objects.waiting_for(reader).count() if isinstance(reader, User) else 0


def _listing(request: HttpRequest) -> dict[str, Any]:
    listed = Match.objects.listed_for(request.user).with_people()
    own: list[Match] = []
    if request.user.is_authenticated:
        own = list(Match.objects.under_way_for(request.user).with_people()[:SHOWN])
    mine = {match.pk for match in own}
    running = listed.filter(status="playing").order_by("-started_at")
    return {
        "own": own,
        "open": [match for match in listed.filter(status="open")[:SHOWN] if match.pk not in mine],
        "playing": [match for match in running[:SHOWN] if match.pk not in mine],
        "finished": listed.filter(status="finished").order_by("-finished_at")[:FINISHED_SHOWN],
    }


def quick_forms(chosen: QueryDict | None = None) -> list[dict[str, Any]]:
    """One form a game: play now against bots. What a visitor chose before logging in is chosen still."""
    return [_quick_form(game, chosen if chosen and chosen.get("game") == game.name else None) for game in games()]


def _quick_form(game: engine.Game, chosen: QueryDict | None) -> dict[str, Any]:
    wanted = PlayNowForm(chosen, game=game)
    initial = wanted.cleaned_data if chosen and wanted.is_valid() else {}
    form = PlayNowForm(game=game, auto_id=f"{game.name}-%s", initial=initial)
    return {"game": game, "form": form, "chosen": bool(initial)}


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    chosen = next((known for known in games() if known.name == game), None)
    if chosen is None:
        return redirect("games:lobby")
    form = PlayNowForm(request.POST, game=chosen)
    if not form.is_valid():
        return redirect("games:lobby")
    if not isinstance(request.user, User):
        # A link must not begin a match: after logging in one more press does, with everything chosen already.
        kept = urlencode(dict(game=game, **form.cleaned_data))
        return redirect_to_login(f"{reverse('games:lobby')}?{kept}")
    try:
        return redirect(tables.play_now(person=request.user, game=game, **form.cleaned_data))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:lobby")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest) -> HttpResponse:
    name = request.GET.get("game", "") or request.POST.get("game", "")
    game = next((known for known in games() if known.name == name), games()[0] if games() else None)
    if game is None:
        return redirect("games:lobby")
    initial = {"club": request.GET.get("club", "")}
    form = TableForm(posted(request), game=game, person=request.user, initial=initial)
    if form.is_valid():
        try:
            match = tables.open_table(host=request.user, setting=form.setting())
            tables.sit(person=request.user, match=match)
            return redirect(match)
        except Refused as refused:
            form.refuse(refused)
    context = {"form": form, "game": game, "games": games()}
    return render(request, "games/new.html", context, status=422 if form.is_bound else 200)
