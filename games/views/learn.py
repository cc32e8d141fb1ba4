"""After the match: try one's mistakes again, and play on from any position."""

from dataclasses import asdict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import select_template
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import whole_number
from accounts.infra.rest import throttling
from accounts.views.common import PersonRequest, open_to_trials
from engine.bots import FIRST
from games import access, bot_levels
from games.analysis.learn import Lesson
from games.catalogue.spec import spec
from games.models import Match
from games.tables import play_on as verbs
from games.views.common import bare_state, links, number_in
from games.views.replay import finished_or_refusal
from games.views.table import module_of


@require_safe
@open_to_trials
def page(request: HttpRequest, key: str) -> HttpResponse:
    """One mistake of a seat, to be tried again: `?seat=0&number=2`; by default the first of one's own."""
    match = finished_or_refusal(request, key)
    seats = list(match.seats.all())
    seat = _seat(request, match)
    context = {
        "match": match,
        "seats": seats,
        "seat": seat,
        "levels": bot_levels.options(match.game, bot_levels.known(request.user)),
        "name": seats[seat].name,
    }
    try:
        lesson = Lesson(match, seats, seat)
        number = number_in(request, "number") or 1
        if not lesson.turns:
            return render(request, "games/learn_nothing.html", context)
        mistake = lesson.mistake(number)
        state = dict(
            **bare_state(match, seats),
            **lesson.position(number),
            key=match.key,
            links=links(match),
            seat=seat,
            number=number,
        )
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:replay", key)
    shown = dict(
        **context,
        state=state,
        mistake=mistake,
        is_mine=access.seat_of(request.user, match) == seats[seat],
        count=len(lesson.turns),
        next=number + 1 if number < len(lesson.turns) else None,
        module=module_of(match.game),
        help=select_template([spec(match.game).rules_template, "games/rules/none.html"]),
    )
    return render(request, "games/learn.html", shown)


@open_to_trials
@require_POST
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """`seat`, `number` and `move`: how good the new choice is. Nothing is stored."""
    match = finished_or_refusal(request, key)
    if throttling.too_often(request):
        return JsonResponse({"detail": gettext("Too many requests: wait a moment.")}, status=429)
    seat = whole_number(request.POST.get("seat", ""), maximum=99)
    number = whole_number(request.POST.get("number", ""), maximum=9_999)
    try:
        if seat is None or number is None:
            raise Refused(gettext("There is no such mistake."))
        verdict = Lesson(match, list(match.seats.all()), seat).judge(number, request.POST.get("move", ""))
    except Refused as refused:
        return JsonResponse({"detail": refused.message}, status=422)
    return JsonResponse(asdict(verdict))


@open_to_trials
@login_required
@require_POST
def play_on(request: PersonRequest, key: str) -> HttpResponse:
    """`ply`, `seat` and `level`: a new table at that position."""
    match = finished_or_refusal(request, key)
    ply = whole_number(request.POST.get("ply", ""), maximum=999_999)
    seat = request.POST.get("seat", "")
    index = whole_number(seat, maximum=99)
    try:
        if ply is None:
            raise Refused(gettext("This match has no such move."))
        if seat and index is None:
            raise Refused(gettext("There is no such seat at this table."))
        table = verbs.play_on(
            person=request.user, match=match, ply=ply, seat=index, level=request.POST.get("level", FIRST)
        )
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:replay", key)
    return redirect(table)


def _seat(request: HttpRequest, match: Match) -> int:
    """The seat of the address, one's own, or the first."""
    mine = access.seat_of(request.user, match)
    asked = number_in(request, "seat")
    if asked is not None:
        return asked
    return mine.index if mine else 0
