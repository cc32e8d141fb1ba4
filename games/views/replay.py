"""After the match: replay, transcript, verification, and a picture to share."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import engine
from accounts.infra.permissions import NotAllowed
from accounts.views.common import open_to_trials
from engine import transcript as transcripts
from games import access, bot_levels, fairness
from games.access import Permission
from games.analysis import presentation
from games.catalogue.spec import spec
from games.models import Match
from games.presentation import share_card as cards
from games.presentation.replay_frames import serialize_plies
from games.views.common import bare_state, links, match_or_404, number_in
from games.views.table import module_of

FOR_EVER = "private, max-age=86400"


@require_safe
@open_to_trials
def replay(request: HttpRequest, key: str) -> HttpResponse:
    """Step through a finished match, from any seat."""
    match = finished_or_refusal(request, key)
    seats = list(match.seats.all())
    mine = access.seat_of(request.user, match)
    state = dict(
        **bare_state(match, seats),
        key=match.key,
        links=links(match),
        last=match.ply,
        seat=mine.index if mine else None,
        plies=serialize_plies(match, mine.index if mine else None, 0),
    )
    context = {
        "match": match,
        "seats": seats,
        "state": state,
        "mine": mine,
        "panel": presentation.panel(match, seats, mine.index if mine else None),
        "levels": bot_levels.options(match.game, bot_levels.known(request.user)),
        "has_hands": not engine.game(match.game).cooperative,
        "module": module_of(match.game),
        "help": select_template([spec(match.game).rules_template, "games/rules/none.html"]),
    }
    return render(request, "games/replay.html", context)


@require_safe
@open_to_trials
def plies(request: HttpRequest, key: str) -> HttpResponse:
    """Some plies of a finished match as one seat saw them: `?seat=0&from=40`, without a seat as spectators did."""
    match = finished_or_refusal(request, key)
    seat, start = number_in(request, "seat"), number_in(request, "from") or 0
    if (seat is not None and seat >= match.players) or start > match.ply:
        raise Http404
    answer = JsonResponse({"plies": serialize_plies(match, seat, start)})
    answer["Cache-Control"] = FOR_EVER
    return answer


@require_safe
@open_to_trials
def transcript(request: HttpRequest, key: str) -> HttpResponse:
    """The record as a file that `python -m engine verify` reads."""
    match = finished_or_refusal(request, key)
    text = transcripts.dumps(engine.replay(fairness.transcript_of(match)))
    name = f"{match.game}-{match.key}.json"
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})


@require_safe
@open_to_trials
def verify(request: HttpRequest, key: str) -> HttpResponse:
    match = finished_or_refusal(request, key)
    verdict = fairness.verify(match=match)
    words = [seat.word for seat in match.seats.all() if seat.word]
    context = {"match": match, "verdict": verdict, "words": words, "seed": fairness.seed_of(match)}
    return render(request, "games/verify.html", context)


@require_safe
@open_to_trials
def card(request: HttpRequest, key: str) -> HttpResponse:
    """The picture that a shared link shows."""
    match = match_or_404(request, key)
    drawn = cards.render_svg(match, list(match.seats.all()))
    tag = cards.tag(drawn)
    unchanged = get_conditional_response(request, etag=tag)
    answer = unchanged or HttpResponse(cards.render_png(drawn), content_type="image/png", headers={"ETag": tag})
    # A club's table is for members only, so shared caches must not keep its picture.
    scope = "private" if match.visibility == Match.Visibility.CLUB else "public"
    answer["Cache-Control"] = f"{scope}, max-age=60"
    return answer


def finished_or_refusal(request: HttpRequest, key: str) -> Match:
    """A match whose record this person may read."""
    match = match_or_404(request, key)
    if not access.may(request.user, Permission.READ_RECORD, match):
        raise NotAllowed(Permission.READ_RECORD)
    return match
