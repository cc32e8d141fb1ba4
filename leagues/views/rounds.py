from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import whole_number
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome
from leagues.calendar.presentation import hide_private_places
from leagues.core import access, format_catalogue
from leagues.core.access import Permission
from leagues.core.reason_text import entrant_names, render_reason
from leagues.entries import attendance
from leagues.entries.attendance_text import left_out_words
from leagues.formats.hand import Concern
from leagues.formats.values import Kind
from leagues.forms.season import PublishForm
from leagues.models import MeetingRule, Pairing, Round, Season, Stage
from leagues.results import presentation
from leagues.rounds import all_divisions, closing, draw, hand
from leagues.rounds.hand_text import warning_words
from leagues.seasons import organiser_tasks, overview, renewal
from leagues.standings.presentation import BYES, facts_before
from leagues.views.common import round_of, run_season, season_or_404, show, stage_of


@require_safe
def index(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    season = season_or_404(request, slug, number)
    runs = access.may(request.user, Permission.ORGANISE, season)
    todo = organiser_tasks.organiser_tasks(season) if runs else []
    divisions = overview.divisions(season, drawn=runs)
    sees_comers = access.may(request.user, Permission.SEE_COMERS, season.league.club)
    return show(request, season, "rounds/list.html", "rounds", divisions=divisions, todo=todo, sees_comers=sees_comers)


@require_safe
def page(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """A round: every table and every bye, with the reason."""
    season = season_or_404(request, slug, number)
    current = round_of(request, season, pk)
    context = round_context(request, season, current)
    return show(request, season, "rounds/detail.html", "rounds", **context)


@require_safe
def sheet(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The round for printing, with a QR code for each table."""
    season = season_or_404(request, slug, number)
    current = round_of(request, season, pk)
    return show(request, season, "rounds/print_sheet.html", "rounds", **round_context(request, season, current))


def round_context(request: HttpRequest, season: Season, current: Round) -> dict[str, Any]:
    called = entrant_names(current.stage)
    drawn = (
        Pairing.objects.filter(round=current)
        .select_related("match", "placement__slot__night__venue", "placement__slot__night__club")
        .prefetch_related("seats__entrant__user", "seats__entrant__members__user", "results")
    )
    tables = sorted(drawn, key=lambda pairing: (pairing.table, pairing.number))
    facts = facts_before(current)
    rows: list[dict[str, Any]] = []
    best_of = format_catalogue.best_of(current.stage)
    hide_private_places(tables, request.user)
    for pairing in tables:
        pairing.round = current
        counts = next((result for result in pairing.results.all() if result.in_force), None)
        seats = presentation.seats_of(pairing)
        own = isinstance(request.user, User) and any(access.plays_as(request.user, seat.entrant) for seat in seats)
        rows.append(
            {
                "pairing": pairing,
                "seats": [(seat, presentation.role_words(pairing, seat)) for seat in seats],
                "lines": presentation.result_rows(pairing, counts) if counts else [],
                "headline": presentation.result_headline(pairing, counts) if counts else "",
                "facts": {seat.entrant_id: facts[seat.entrant_id] for seat in seats if seat.entrant_id in facts},
                "why": render_reason(pairing.reason, called),
                "mine": own,
                "scoring": "series" if best_of > 1 else presentation.scoring(pairing).value,
                "score_label": presentation.score_label(pairing),
            }
        )
    byes = current.byes.select_related("entrant__user")
    shown = [bye for bye in byes if bye.kind not in (Kind.NP.name, Kind.WD.name)]
    left = sum(row["pairing"].is_open for row in rows)
    later = Round.objects.filter(stage=current.stage, number__gt=current.number).exists()
    is_draft = not current.is_published and format_catalogue.format_of(current.stage).requested_byes
    listed = attendance.attendance(current.stage, current.number) if is_draft else None
    return {
        "listed": listed,
        "exchanges": format_catalogue.format_of(current.stage).exchanges,
        "best_of": best_of,
        "left_out": left_out_words(listed) if listed else "",
        "round": current,
        "division": current.stage.division,
        "rows": rows,
        "byes": [
            {"bye": bye, "kind": BYES.get(bye.kind, ""), "words": render_reason(bye.reason, called)} for bye in shown
        ],
        "left": left,
        "is_latest": not later,
        "next_number": None if later or left else _next_number(current),
        "was_played": draw.was_played(current),
        "around": list(Round.objects.filter(stage=current.stage).order_by("number")),
    }


def _next_number(current: Round) -> int | None:
    """The round that can be drawn after this one, where the number of rounds is the organiser's choice."""
    stage = current.stage
    goes_on = stage.status == Stage.Status.RUNNING and format_catalogue.FORMATS[stage.format].has_chosen_length
    return current.number + 1 if goes_on and closing.can_draw(stage, current.number) else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Start the season. If people still have time to answer, first ask for confirmation with their names."""
    season = run_season(request, slug, number)
    if request.method != "POST":
        return _ask_to_start(request, season) if renewal.unanswered(season) else redirect(season)
    formats = Stage.objects.filter(division__season=season, position=1).values_list("format", flat=True)
    known = [format_catalogue.FORMATS[code] for code in formats]
    drawn = any(each.rounds for each in known)
    brackets = bool(known) and all(each.has_bracket for each in known)
    try:
        draw.start(actor=request.user, season=season, do_not_wait=request.POST.get("do_not_wait") == "yes")
    except renewal.StillAsked:
        return redirect("leagues:start", slug=slug, number=number)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        words = _("The season has started: players start their games themselves.")
        if drawn:
            words = _("The season has started. Draw the first round.")
        if brackets:
            words = _("The season has started. Open the bracket when everybody is ready.")
        messages.success(request, words)
    return redirect(season)


def _ask_to_start(request: PersonRequest, season: Season) -> HttpResponse:
    questions = renewal.unanswered(season)
    return show(request, season, "seasons/start.html", "season", call=questions[0].call, questions=questions)


@login_required
@require_POST
def draw_next(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    wanted = request.POST.get("number", "")
    try:
        # With the number, pressing twice draws only one round.
        drawn = draw.draw_next_round(actor=request.user, stage=stage, number=whole_number(wanted))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("leagues:rounds", slug=slug, number=number)
    _warn_of_separated_pairs(request, drawn)
    return redirect("leagues:round", slug=slug, number=number, pk=drawn.pk)


def _warn_of_separated_pairs(request: PersonRequest, drawn: Round) -> None:
    if drawn.is_published or not MeetingRule.objects.filter(season=drawn.stage.division.season).exists():
        return
    broken = [each for each in hand.board(drawn).now.warnings if each.concern is Concern.APART]
    if broken:
        called = entrant_names(drawn.stage)
        words = _("A rule of the season could not be kept: %(what)s")
        messages.warning(request, words % {"what": " ".join(warning_words(each, called) for each in broken)})


@login_required
@require_POST
def redraw(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Draw a round again that is not published, with those who are here now."""
    season = run_season(request, slug, number)
    current = round_of(request, season, pk)
    try:
        drawn = draw.draw_again(actor=request.user, round=current)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("leagues:round", slug=slug, number=number, pk=pk)
    messages.success(request, _("Round %(round)s is drawn again.") % {"round": drawn.number})
    _warn_of_separated_pairs(request, drawn)
    return redirect("leagues:round", slug=slug, number=number, pk=drawn.pk)


@login_required
@require_POST
def draw_all(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    try:
        drawn = len(draw.draw_all_rounds(actor=request.user, stage=stage))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        words = ngettext("%(count)s round is drawn.", "%(count)s rounds are drawn.", drawn)
        messages.success(request, words % {"count": drawn})
    return redirect("leagues:rounds", slug=slug, number=number)


@login_required
@require_POST
def draw_divisions(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Draw and publish the next round of all divisions that are ready."""
    season = run_season(request, slug, number)
    seen = whole_number(request.POST.get("seen", ""))
    try:
        published = all_divisions.draw_and_publish_all(actor=request.user, season=season, seen=seen)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        words = ngettext(
            "%(count)s round is drawn and published: the players have been notified.",
            "%(count)s rounds are drawn and published: the players have been notified.",
            len(published),
        )
        messages.success(request, words % {"count": len(published)})
    return redirect("leagues:rounds", slug=slug, number=number)


STEPS: dict[str, Callable[..., Any]] = {
    "publish": draw.publish,
    "take-back": draw.delete_round,
    "close": closing.close_round,
    "reopen": closing.reopen_round,
}


@login_required
@require_POST
def step(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Publish a round, delete it, close it or reopen it."""
    season = run_season(request, slug, number)
    current = round_of(request, season, pk)
    wanted = request.POST.get("step", "")
    if wanted not in STEPS:
        raise Http404
    known = {"round": current.number}
    done = {
        "publish": _("Round %(round)s is published: the players have been notified.") % known,
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
    with flash_outcome(request, done[wanted]):
        STEPS[wanted](actor=request.user, round=current, **how)
    if wanted in ("publish", "reopen") and Round.objects.filter(pk=pk).exists():
        return redirect("leagues:round", slug=slug, number=number, pk=pk)
    return redirect(season)
