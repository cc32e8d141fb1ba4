"""The table over plain HTTP: for programs, and for pages whose socket is down."""

import json

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.rest import throttling
from games import access
from games.live import topics
from games.views.common import match_or_404

STATUS = {"stale": 409, "illegal": 422, "foreign": 403, "malformed": 400, "declined": 409, "old-rules": 409}


@require_safe
@never_cache
def state(request: HttpRequest, key: str) -> HttpResponse:
    """The same frame that the socket sends, from the ply the page has."""
    match = match_or_404(request, key)
    seat = None if match.is_open else access.seat_of(request.user, match)
    after = request.GET.get("after", "")
    text = topics.catch_up(match.pk, seat.index if seat else None, int(after) if after.isdecimal() else None)
    return HttpResponse(text or "{}", content_type="application/json")


@require_POST
def play(request: HttpRequest, key: str) -> HttpResponse:
    """`{"ply": 12, "move": "recruit 2-17"}`, as on the socket; 200 with the table as it stands, or why not."""
    match = match_or_404(request, key)
    if throttling.too_often(request):
        flood = topics.refusal(match, "too-often", gettext("Too many requests: wait a moment."))
        return HttpResponse(flood, content_type="application/json", status=429)
    try:
        message = json.loads(request.body)
    except (ValueError, RecursionError):
        message = None
    refused = topics.receive_move(request.user, match, message)
    if refused is not None:
        return HttpResponse(refused, content_type="application/json", status=STATUS[json.loads(refused)["code"]])
    seat = access.seat_of(request.user, match)
    text = topics.catch_up(match.pk, seat.index if seat else None, message["ply"])
    return HttpResponse(text or "{}", content_type="application/json")
