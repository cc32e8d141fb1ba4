"""Puzzles: that of the day, one at the board, the next, and one's own history."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import select_template
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.infra.errors import Refused
from accounts.infra.rest import throttling
from accounts.models import User
from accounts.views.common import PersonRequest, open_to_trials, paginate
from games.catalogue.spec import spec
from games.models import Puzzle, PuzzleTry
from games.puzzles import choosing, presentation, tries
from games.views import texts
from games.views.common import number_in
from games.views.table import module_of

SHOWN = 30
ON_CHART = 200


@require_safe
@never_cache
@open_to_trials
def index(request: HttpRequest) -> HttpResponse:
    """That of the day, the next one, and how one stands."""
    person = _person(request)
    today = choosing.puzzle_of_day(choosing.today())
    context: dict[str, Any] = {"today": today, "count": Puzzle.objects.current().count()}
    if person is not None:
        context = dict(
            **context,
            standing=choosing.standing_of(person),
            done=person.puzzle_tries.aggregate(all=Count("pk"), solved=Count("pk", filter=Q(solved=True))),
            tried=person.puzzle_tries.filter(puzzle=today).first() if today else None,
        )
    return render(request, "games/puzzles/index.html", context)


@require_safe
@never_cache
@open_to_trials
def next_one(request: HttpRequest) -> HttpResponse:
    """Leads to the next puzzle; `?after=7` names the one that a visitor has just tried."""
    found = choosing.next_puzzle(_person(request), number_in(request, "after"))
    if found is None:
        messages.info(request, gettext("You have tried every puzzle there is. New ones are made from new matches."))
        return redirect("puzzles:index")
    return redirect(found)


@require_safe
@never_cache
@open_to_trials
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """One puzzle at the board, as its seat saw the table."""
    puzzle, person = choosing.puzzle_or_404(pk), _person(request)
    language = get_language() or "en"
    tried = person.puzzle_tries.filter(puzzle=puzzle).first() if person else None
    moves = tries.line_of(person, puzzle) if tried is None else []
    try:
        state = dict(
            number=puzzle.pk,
            game=puzzle.game,
            title=puzzle.title,
            language=language,
            words=texts.url_for(puzzle.game, language),
            seats=presentation.seats_of(puzzle),
            seat=puzzle.seat,
            answer=reverse("puzzles:answer", args=[puzzle.pk]),
            moves=moves,
            **presentation.position(puzzle, moves),
        )
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("puzzles:index")
    context = {
        "puzzle": puzzle,
        "rating": round(puzzle.rating / 1000),
        "state": state,
        "name": presentation.seat_names(puzzle)[puzzle.seat],
        "tried": tried,
        "is_rated": person is not None and tried is None and tries.is_rated_for(person, puzzle),
        "module": module_of(puzzle.game),
        "help": select_template([spec(puzzle.game).rules_template, "games/rules/none.html"]),
    }
    return render(request, "games/puzzles/puzzle.html", context)


@require_POST
@open_to_trials
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """`move`: how good the choice is, after those `before` it in a whole turn. Of a visitor nothing is stored."""
    puzzle = choosing.puzzle_or_404(pk)
    if throttling.too_often(request):
        return JsonResponse({"detail": gettext("Too many requests: wait a moment.")}, status=429)
    try:
        before = request.POST.getlist("before")
        verdict = tries.answer(person=_person(request), puzzle=puzzle, move=request.POST.get("move", ""), before=before)
    except Refused as refused:
        return JsonResponse({"detail": refused.message}, status=422)
    return JsonResponse(asdict(verdict))


@require_safe
@never_cache
@open_to_trials
@login_required
def history(request: PersonRequest) -> HttpResponse:
    """All that one has tried, newest first, with one's rating over time."""
    own = PuzzleTry.objects.filter(person=request.user).select_related("puzzle").order_by("-at", "-pk")
    shown = paginate(own, request, SHOWN)
    rated = list(own.filter(rated=True)[:ON_CHART])
    context = {
        "page": shown,
        "lines": [presentation.line(tried) for tried in shown],
        "chart": presentation.chart(rated),
        "standing": choosing.standing_of(request.user),
    }
    return render(request, "games/puzzles/history.html", context)


def _person(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
