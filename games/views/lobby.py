from collections import Counter
from collections.abc import Callable
from urllib.parse import urlencode

from allauth.core.internal.ratelimit import get_ip
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import trials
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, form_data, open_to_trials
from games import bot_levels
from games.forms import PlayNowForm, TableForm, may_be_rated, quick_forms
from games.models import Match
from games.tables import closing, exhibition, seating, setup, tutorials
from games.tables.listing import count_waiting_tables, lobby_tables
from games.views.common import games


@require_safe
@open_to_trials
def page(request: HttpRequest) -> HttpResponse:
    exhibition.keep_alive()
    tables = lobby_tables(request.user)
    waiting = Counter(match.game for match in tables["open"])
    quick = quick_forms(request.user, request.GET)
    for each in quick:
        each["open"] = waiting[each["game"].name]
    return render(request, "games/lobby.html", dict(**tables, quick=quick))


@require_safe
@open_to_trials
def listing(request: HttpRequest) -> HttpResponse:
    """The lists alone, which open pages fetch again when something changes."""
    return render(request, "games/_listing.html", lobby_tables(request.user))


@require_safe
@never_cache
@open_to_trials
def turns(request: HttpRequest) -> HttpResponse:
    """The number beside "Play" alone: how many tables wait for this reader."""
    return render(request, "games/_turn_count.html", {"turns": count_waiting_tables(request.user)})


@require_POST
@open_to_trials
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    chosen = next((known for known in games() if known.name == game), None)
    if chosen is None:
        return redirect("games:lobby")
    known = bot_levels.known(request.user)
    form = PlayNowForm(request.POST, game=chosen, rating=may_be_rated(request.user), known=known)
    if not form.is_valid():
        return redirect("games:lobby")
    if not isinstance(request.user, User) and not trials.are_offered():
        # A GET must not start a match: after logging in the user presses the button again, with the form filled in.
        kept = urlencode(dict(game=game, **form.cleaned_data))
        return redirect_to_login(f"{reverse('games:lobby')}?{kept}")
    try:
        terms = form.cleaned_data
        return redirect(_as_person(request, lambda person: setup.play_now(person=person, game=game, **terms)))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:lobby")


@require_POST
@open_to_trials
def tutorial(request: HttpRequest, game: str) -> HttpResponse:
    """Begin a tutorial, or go on with it; a visitor needs no account for it."""
    if not isinstance(request.user, User) and not trials.are_offered():
        return redirect_to_login(reverse("games:lobby"))
    try:
        return redirect(_as_person(request, lambda person: tutorials.begin_tutorial(person=person, game=game)))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:lobby")


@transaction.atomic
def _as_person(request: HttpRequest, begin: Callable[[User], Match]) -> Match:
    """Begin a match; a visitor gets a made-up name first, and nothing is left of it if the match is refused."""
    person = request.user
    if not isinstance(person, User):
        person = trials.begin(address=get_ip(request), language=get_language() or "")
    match = begin(person)
    if person.is_trial:
        request.session[trials.SESSION_KEY] = person.pk
    return match


@open_to_trials
@login_required
@require_POST
def close_all(request: PersonRequest) -> HttpResponse:
    """Close one's own tables at which no other person sits."""
    closed = closing.close_own(person=request.user)
    said = ngettext("%(count)s table closed.", "%(count)s tables closed.", closed) % {"count": closed}
    messages.success(request, said if closed else gettext("There was no table to close."))
    return redirect("games:lobby")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest) -> HttpResponse:
    name = request.GET.get("game", "") or request.POST.get("game", "")
    game = next((known for known in games() if known.name == name), games()[0] if games() else None)
    if game is None:
        return redirect("games:lobby")
    initial = {"club": request.GET.get("club", "")}
    form = TableForm(form_data(request), game=game, person=request.user, initial=initial)
    if form.is_valid():
        try:
            match = setup.open_table(host=request.user, setting=form.setting())
            seating.sit(person=request.user, match=match)
            return redirect(match)
        except Refused as refused:
            form.refuse(refused)
    context = {"form": form, "game": game, "games": games()}
    return render(request, "games/table_form.html", context, status=422 if form.is_bound else 200)
