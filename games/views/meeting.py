"""Challenges from person to person, and quick pairing."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import engine
from accounts import follows
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome, form_data
from accounts.views.company import person_or_404
from games.forms import ChallengeForm, PairingForm
from games.meeting import challenges, quick_pairing
from games.models import PairingWish, PersonChallenge
from games.titles import game_title
from games.views.common import games

SHOWN = 50


@login_required
@never_cache
@require_safe
def index(request: PersonRequest) -> HttpResponse:
    """All challenges to and from this reader, those that wait for their answer first."""
    rows = list(challenges.visible_to(request.user)[:SHOWN])
    mine = [row for row in rows if row.is_open]
    context = {
        "received": [row for row in mine if row.to_id == request.user.pk],
        "sent": [row for row in mine if row.by_id == request.user.pk],
        "past": [row for row in rows if not row.is_open],
    }
    return render(request, "games/meeting/challenges.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest, handle: str) -> HttpResponse:
    """Challenge somebody: what to play, against which clock, who takes the other places."""
    other = person_or_404(handle)
    form = ChallengeForm(form_data(request), game=_game(request))
    if form.is_valid():
        try:
            made = challenges.challenge(person=request.user, to=other, terms=form.terms())
            return redirect(made)
        except Refused as refused:
            form.add_error(None, refused.message)
    return _form_page(request, form, other, may_challenge=follows.may_challenge(request.user, other))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def counter(request: PersonRequest, pk: int) -> HttpResponse:
    """Another suggestion, which begins with what was suggested."""
    asked = _challenge_or_404(request, pk)
    if asked.to_id != request.user.pk or not asked.is_open:
        return redirect(asked)
    game = _game(request, asked.game)
    form = ChallengeForm(form_data(request), game=game, terms=challenges.terms_of(asked))
    if form.is_valid():
        try:
            made = challenges.counter(person=request.user, challenge=asked, terms=form.terms())
            return redirect(made)
        except Refused as refused:
            form.add_error(None, refused.message)
    return _form_page(request, form, asked.by, asked=asked)


def _form_page(
    request: PersonRequest,
    form: ChallengeForm,
    other: User,
    asked: PersonChallenge | None = None,
    may_challenge: bool = True,
) -> HttpResponse:
    context = {
        "form": form, "game": form.engine_game, "games": games(), "other": other, "asked": asked,
        "may_challenge": may_challenge,
    }  # fmt: skip
    return render(request, "games/meeting/challenge_form.html", context, status=422 if form.is_bound else 200)


def _game(request: PersonRequest, usual: str = "") -> engine.Game:
    wanted = request.GET.get("game", "") or request.POST.get("game", "") or usual
    return next((each for each in games() if each.name == wanted), games()[0])


@login_required
@never_cache
@require_safe
def page(request: PersonRequest, pk: int) -> HttpResponse:
    """One challenge: its answer for who was asked; who asked waits here, and is led to the table or the answer."""
    row = _challenge_or_404(request, pk)
    later = PersonChallenge.objects.filter(earlier=row).first()
    if request.headers.get("HX-Request") and (ahead := row.match or later):
        return HttpResponse(headers={"HX-Redirect": ahead.get_absolute_url()})
    return render(request, "games/meeting/challenge.html", {"row": row, "later": later})


@login_required
@require_POST
def accept(request: PersonRequest, pk: int) -> HttpResponse:
    row = _challenge_or_404(request, pk)
    try:
        row = challenges.accept(person=request.user, challenge=row)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(row.match or row)


@login_required
@require_POST
def decline(request: PersonRequest, pk: int) -> HttpResponse:
    row = _challenge_or_404(request, pk)
    with flash_outcome(request, _("You have declined.")):
        challenges.decline(person=request.user, challenge=row)
    return redirect("games:challenges")


@login_required
@require_POST
def withdraw(request: PersonRequest, pk: int) -> HttpResponse:
    row = _challenge_or_404(request, pk)
    with flash_outcome(request, _("Your challenge is withdrawn.")):
        challenges.withdraw(person=request.user, challenge=row)
    return redirect("games:challenges")


def _challenge_or_404(request: PersonRequest, pk: int) -> PersonChallenge:
    return get_object_or_404(challenges.visible_to(request.user), pk=pk)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: PersonRequest) -> HttpResponse:
    """Say what you like to play; then the page waits until there is a table."""
    form = PairingForm(form_data(request))
    if form.is_valid():
        try:
            wish = quick_pairing.seek(person=request.user, **form.cleaned_data)
            return redirect(wish.match or "games:quick-pairing")
        except Refused as refused:
            form.add_error(None, refused.message)
    context = dict(form=form, **_waiting(None if form.is_bound else quick_pairing.wish_of(request.user)))
    return render(request, "games/meeting/quick_pairing.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def stay(request: PersonRequest) -> HttpResponse:
    """A page that waits is still open: how it stands, or the way to the table."""
    wish = quick_pairing.stay(person=request.user)
    ahead = wish.match if wish else None
    if wish is None or ahead is not None:
        where = ahead.get_absolute_url() if ahead else request.path.replace("stay/", "")
        return HttpResponse(headers={"HX-Redirect": where})
    return render(request, "games/meeting/_waiting.html", _waiting(wish))


@login_required
@require_POST
def leave(request: PersonRequest) -> HttpResponse:
    quick_pairing.leave(person=request.user)
    return redirect("games:quick-pairing")


def _waiting(wish: PairingWish | None) -> dict[str, Any]:
    if wish is None:
        return {"wish": None}
    return {
        "wish": wish,
        "titles": [game_title(name) for name in wish.games if name in engine.GAMES],
        "others": quick_pairing.count_waiting() - (wish.match is None),
        "bots_after": int(quick_pairing.BOTS_AFTER.total_seconds()),
    }
