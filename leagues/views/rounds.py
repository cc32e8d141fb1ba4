from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, telling
from leagues import access, agenda, catalogue, close, draw, returning, scorecard
from leagues.access import Permission
from leagues.formats.values import Kind
from leagues.forms.competition import PublishForm
from leagues.models import Pairing, Round, Season, Stage
from leagues.views.common import round_of, run_season, season_or_404, show, stage_of
from leagues.words import names, said


@require_safe
def index(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    runs = access.may(request.user, Permission.ORGANISE, season)
    todo = agenda.for_organiser(season) if runs else []
    divisions = agenda.divisions(season, drawn=runs)
    return show(request, season, "rounds.html", "rounds", divisions=divisions, todo=todo)


@require_safe
def page(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """A round: every table and everybody who sits out, with the reason in words."""
    season = season_or_404(request, slug, number)
    current = round_of(request, season, pk)
    context = round_context(request, season, current)
    return show(request, season, "round.html", "rounds", **context)


@require_safe
def sheet(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The round on paper: to hang up, and one code a table to put on it."""
    season = season_or_404(request, slug, number)
    current = round_of(request, season, pk)
    return show(request, season, "sheet.html", "rounds", **round_context(request, season, current))


def round_context(request: HttpRequest, season: Season, current: Round) -> dict[str, Any]:
    called = names(current.stage)
    tables = (
        Pairing.objects.filter(round=current)
        .select_related("match", "placement__slot__night__venue")
        .prefetch_related("seats__entrant__user", "seats__entrant__members__user", "results")
        .order_by("number")
    )
    rows: list[dict[str, Any]] = []
    for pairing in tables:
        pairing.round = current
        counts = next((result for result in pairing.results.all() if result.in_force), None)
        seats = scorecard.seats_of(pairing)
        own = isinstance(request.user, User) and any(access.plays_as(request.user, seat.entrant) for seat in seats)
        rows.append(
            {
                "pairing": pairing,
                "seats": [(seat, scorecard.role_words(pairing, seat)) for seat in seats],
                "lines": scorecard.lines(pairing, counts) if counts else [],
                "headline": scorecard.headline(pairing, counts) if counts else "",
                "why": said(pairing.reason, called),
                "mine": own,
                "scoring": scorecard.scoring(pairing).value,
            }
        )
    byes = current.byes.select_related("entrant__user")
    shown = [bye for bye in byes if bye.kind not in (Kind.NP.name, Kind.WD.name)]
    left = sum(row["pairing"].is_open for row in rows)
    later = Round.objects.filter(stage=current.stage, number__gt=current.number).exists()
    return {
        "round": current,
        "division": current.stage.division,
        "rows": rows,
        "byes": [{"bye": bye, "words": said(bye.reason, called)} for bye in shown],
        "left": left,
        "is_latest": not later,
        "was_played": draw.was_played(current),
        "around": list(Round.objects.filter(stage=current.stage).order_by("number")),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Start the season; where people still have time to answer, their names come first, and a question."""
    season = run_season(request, slug, number)
    if request.method != "POST":
        return _ask_to_start(request, season) if returning.unanswered(season) else redirect(season)
    formats = Stage.objects.filter(division__season=season, position=1).values_list("format", flat=True)
    drawn = any(catalogue.FORMATS[code].rounds for code in formats)
    try:
        draw.start(actor=request.user, season=season, do_not_wait=request.POST.get("do_not_wait") == "yes")
    except returning.StillAsked:
        return redirect("leagues:start", slug=slug, number=number)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        free = _("The season has started: the players make their games themselves.")
        messages.success(request, _("The season has started. Draw the first round.") if drawn else free)
    return redirect(season)


def _ask_to_start(request: PersonRequest, season: Season) -> HttpResponse:
    questions = returning.unanswered(season)
    return show(request, season, "start.html", "season", call=questions[0].call, questions=questions)


@login_required
@require_POST
def draw_next(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    wanted = request.POST.get("number", "")
    try:
        # The number makes pressing twice the same as pressing once.
        drawn = draw.pair(actor=request.user, stage=stage, number=int(wanted) if wanted.isdecimal() else None)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("leagues:rounds", slug=slug, number=number)
    return redirect("leagues:round", slug=slug, number=number, pk=drawn.pk)


@login_required
@require_POST
def draw_all(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    try:
        drawn = len(draw.pair_all(actor=request.user, stage=stage))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        words = ngettext("%(count)s round is drawn.", "%(count)s rounds are drawn.", drawn)
        messages.success(request, words % {"count": drawn})
    return redirect("leagues:rounds", slug=slug, number=number)


STEPS: dict[str, Callable[..., Any]] = {
    "publish": draw.publish,
    "take-back": draw.take_back,
    "close": close.close_round,
    "reopen": close.reopen_round,
}


@login_required
@require_POST
def step(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Publish a round, take it back, close it or open it again."""
    season = run_season(request, slug, number)
    current = round_of(request, season, pk)
    wanted = request.POST.get("step", "")
    if wanted not in STEPS:
        raise Http404
    known = {"round": current.number}
    done = {
        "publish": _("Round %(round)s is published: the players have been told.") % known,
        "take-back": _("Round %(round)s is taken back.") % known,
        "close": _("Round %(round)s is closed.") % known,
        "reopen": _("Round %(round)s is open again.") % known,
    }
    how: dict[str, Any] = {}
    if wanted == "publish":
        form = PublishForm(request.POST)
        if not form.is_valid():
            messages.error(request, " ".join(map(str, form.errors["closes_at"])))
            return redirect("leagues:round", slug=slug, number=number, pk=pk)
        how = {"closes_at": form.cleaned_data["closes_at"]}
    with telling(request, done[wanted]):
        STEPS[wanted](actor=request.user, round=current, **how)
    if wanted in ("publish", "reopen"):
        return redirect("leagues:round", slug=slug, number=number, pk=pk)
    return redirect(season)
