"""After the match: replay, transcript, verification, and a picture to share."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import engine
from engine import transcript as transcripts
from games import access, fairness, referee
from games import card as cards
from games.access import NotAllowed, Permission
from games.models import Match, Move
from games.views.common import bare_state, links, match_or_404
from games.views.table import module_of

PLIES_AT_ONCE = 40
FOR_EVER = "private, max-age=86400"


@require_safe
def replay(request: HttpRequest, key: str) -> HttpResponse:
    """Step through a finished match, from any seat."""
    match = _finished(request, key)
    seats = list(match.seats.all())
    mine = access.seat_of(request.user, match)
    state = dict(
        **bare_state(match, seats),
        key=match.key,
        links=links(match),
        last=match.ply,
        seat=mine.index if mine else None,
        plies=told(match, mine.index if mine else None, 0, min(PLIES_AT_ONCE, match.ply + 1)),
    )
    context = {
        "match": match,
        "seats": seats,
        "state": state,
        "mine": mine,
        "module": module_of(match.game),
        "help": select_template([f"games/rules/{match.game}.html", "games/rules/none.html"]),
    }
    return render(request, "games/replay.html", context)


@require_safe
def plies(request: HttpRequest, key: str) -> HttpResponse:
    """Some plies of a finished match as one seat saw them: `?seat=0&from=40`, without a seat as spectators did."""
    match = _finished(request, key)
    seat, start = _number(request, "seat"), _number(request, "from") or 0
    if (seat is not None and seat >= match.players) or start > match.ply:
        raise Http404
    answer = JsonResponse({"plies": told(match, seat, start, min(start + PLIES_AT_ONCE, match.ply + 1))})
    answer["Cache-Control"] = FOR_EVER
    return answer


def told(match: Match, seat: int | None, start: int, stop: int) -> list[dict[str, Any]]:
    """The view at each of these plies and what had just happened there."""
    if not match.is_current:
        return []
    moves = list(Move.objects.filter(match=match).order_by("ply").values_list("seat", "notation"))
    played = referee.dealt(match)
    found = []
    for ply in range(stop):
        if ply:
            played.repeat(*moves[ply - 1])
        if ply >= start:
            found.append({"v": ply, "view": played.view(seat), "events": played.events(seat, ply)})
    return found


@require_safe
def transcript(request: HttpRequest, key: str) -> HttpResponse:
    """The record as a file that `python -m engine verify` reads."""
    match = _finished(request, key)
    text = transcripts.dumps(engine.replay(fairness.record_of(match)))
    name = f"{match.game}-{match.key}.json"
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})


@require_safe
def verify(request: HttpRequest, key: str) -> HttpResponse:
    match = _finished(request, key)
    verdict = fairness.verify(match=match)
    words = [seat.word for seat in match.seats.all() if seat.word]
    context = {"match": match, "verdict": verdict, "words": words, "seed": fairness.seed_of(match)}
    return render(request, "games/verify.html", context)


@require_safe
def card(request: HttpRequest, key: str) -> HttpResponse:
    """The picture that a shared link shows."""
    match = match_or_404(request, key)
    drawn = cards.drawing(match, list(match.seats.all()))
    tag = cards.tag(drawn)
    unchanged = get_conditional_response(request, etag=tag)
    answer = unchanged or HttpResponse(cards.painted(drawn), content_type="image/png", headers={"ETag": tag})
    # A club's table is for its members alone, and so is a copy of its picture.
    reach = "private" if match.visibility == Match.Visibility.CLUB else "public"
    answer["Cache-Control"] = f"{reach}, max-age=60"
    return answer


def _finished(request: HttpRequest, key: str) -> Match:
    match = match_or_404(request, key)
    if not access.may(request.user, Permission.READ_RECORD, match):
        raise NotAllowed(Permission.READ_RECORD)  # type: ignore[arg-type]
    return match


def _number(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 6 else None
