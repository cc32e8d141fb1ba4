"""The table over plain HTTP: for programs, and for pages whose socket is down."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.infra.input import Unreadable, parse_json, whole_number
from accounts.infra.permissions import NotAllowed
from accounts.infra.rest import throttling
from accounts.views.common import open_to_trials
from games import access, topics
from games.access import Permission
from games.models import Match
from games.play.final_moves import final_moves
from games.presentation.replay_frames import serialize_plies
from games.views.common import match_or_404, number_in

STATUS = {"stale": 409, "illegal": 422, "foreign": 403, "malformed": 400, "declined": 409, "old-rules": 409}


@require_safe
@never_cache
@open_to_trials
def state(request: HttpRequest, key: str) -> HttpResponse:
    """The same frame that the socket sends, from the ply the page has."""
    match = match_or_404(request, key)
    seat = None if match.is_open else access.seat_of(request.user, match)
    after = request.GET.get("after", "")
    text = topics.catch_up(match.pk, seat.index if seat else None, whole_number(after))
    return HttpResponse(text or "{}", content_type="application/json")


@require_POST
@open_to_trials
def play(request: HttpRequest, key: str) -> HttpResponse:
    """`{"ply": 12, "move": "recruit 2-17"}`, as on the socket; 200 with the current table, or the reason why not."""
    match = match_or_404(request, key)
    if throttling.too_often(request):
        flood = topics.refusal(match, "too-often", gettext("Too many requests: wait a moment."))
        return HttpResponse(flood, content_type="application/json", status=429)
    try:
        message = parse_json(request.body)
    except (Unreadable, RawPostDataException):  # the second: it was sent as a form
        message = None
    return _answered(request, match, topics.receive_move(request.user, match, message), message)


@require_POST
@open_to_trials
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """`{"pass": "turn"}`, `{"hold": true}`, `{"ask": true}`, `{"go": true}`, `{"tempo": "quick"}`: as on the socket."""
    match = match_or_404(request, key)
    if throttling.too_often(request):
        flood = topics.refusal(match, "too-often", gettext("Too many requests: wait a moment."))
        return HttpResponse(flood, content_type="application/json", status=429)
    try:
        message = parse_json(request.body)
    except (Unreadable, RawPostDataException):
        message = None
    return _answered(request, match, topics.receive_answer(request.user, match, message), {})


def _answered(request: HttpRequest, match: Match, said: str | None, message: Any) -> HttpResponse:
    """The reason why not, or the table as it is now."""
    if said is not None and (code := json.loads(said).get("code")):
        return HttpResponse(said, content_type="application/json", status=STATUS[code])
    seat = access.seat_of(request.user, match)
    text = said or topics.catch_up(match.pk, seat.index if seat else None, message.get("ply"))
    return HttpResponse(text or "{}", content_type="application/json")


@require_safe
@never_cache
@open_to_trials
def past(request: HttpRequest, key: str) -> HttpResponse:
    """Earlier plies of a match, as the reader saw them then: a player from their own seat, all others as spectators."""
    match = match_or_404(request, key)
    start = number_in(request, "from") or 0
    if match.started_at is None or start > match.ply:
        raise Http404
    seat = access.seat_of(request.user, match)
    return JsonResponse({"plies": serialize_plies(match, seat.index if seat else None, start)})


@require_safe
@never_cache
@open_to_trials
def final(request: HttpRequest, key: str) -> HttpResponse:
    """Which of the reader's legal moves cannot be taken back."""
    match = match_or_404(request, key)
    seat = access.seat_of(request.user, match)
    if seat is None or not access.may(request.user, Permission.PLAY, match):
        raise NotAllowed(Permission.PLAY)
    return JsonResponse({"ply": match.ply, "final": final_moves(match, seat.index) if match.is_current else []})
