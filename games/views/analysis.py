"""The analysis of a finished match, beside its replay."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, open_to_trials
from games import access
from games.analysis import presentation
from games.analysis import request as requests
from games.models import Match
from games.views.replay import finished_or_refusal


@require_safe
@open_to_trials
def read(request: HttpRequest, key: str) -> HttpResponse:
    """The panel alone; an open page reads it again when the analysis is done."""
    return _panel(request, finished_or_refusal(request, key))


@open_to_trials
@login_required
@require_POST
def ask(request: PersonRequest, key: str) -> HttpResponse:
    match = finished_or_refusal(request, key)
    try:
        requests.ask(person=request.user, match=match)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:replay", key)
    if request.headers.get("HX-Request"):
        return _panel(request, match)
    return redirect("games:replay", key)


def _panel(request: HttpRequest, match: Match) -> HttpResponse:
    mine = access.seat_of(request.user, match)
    panel = presentation.panel(match, list(match.seats.all()), mine.index if mine else None)
    return render(request, "games/_analysis.html", {"match": match, "panel": panel})
