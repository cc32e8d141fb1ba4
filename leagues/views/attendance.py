from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.views.common import PersonRequest
from leagues.core import access
from leagues.core.access import Permission
from leagues.entries import attendance
from leagues.entries.attendance_text import attendance_words, planned_words
from leagues.models import ClubNight, Entrant, Stage
from leagues.rounds import attending
from leagues.views.common import entrant_of, season_or_404, show, stage_of

MOST_NIGHTS = 12


@login_required
@require_safe
def now(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The round that is drawn next, or drawn and not published; the last one when all are published."""
    season = season_or_404(request, slug, number)
    stage = stage_of(season, pk)
    current = attendance.current_number(stage)
    return redirect("leagues:attendance", slug, number, pk, min(current, stage.planned or current))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int, pk: int, round: int) -> HttpResponse:
    """Who is here for a round: one tap for each person, by themselves or an organiser."""
    season = season_or_404(request, slug, number)
    access.require(request.user, Permission.SEE_COMERS, season.league.club)
    stage = stage_of(season, pk)
    if not 1 <= round <= (stage.planned or attending.MOST_ROUNDS):
        raise Http404
    if request.method == "POST":
        try:
            _change(request, stage, round)
        except Refused as refused:
            messages.error(request, refused.message)
        return redirect("leagues:attendance", slug, number, pk, round)
    listed = attendance.attendance(stage, round)
    runs = access.may(request.user, Permission.ORGANISE, season)
    rows = [
        {
            "row": row,
            "words": attendance_words(row, listed.night),
            "may": listed.is_open and listed.draw_follows and (runs or access.plays_as(request.user, row.entrant)),
        }
        for row in listed.rows
    ]
    # Whoever may tap comes first: their own name is what a player looks for.
    rows.sort(key=lambda each: runs or not each["may"])
    return show(
        request,
        season,
        "rounds/attendance.html",
        "rounds",
        stage=stage,
        division=stage.division,
        listed=listed,
        rows=rows,
        # Only organisers know that an unpublished round is drawn.
        drawn=listed.drawn if runs else None,
        planned=planned_words(stage),
        nights=list(attendance.nights_to_choose(season)[:MOST_NIGHTS]) if runs and season.where != "online" else [],
        gone=_gone(stage) if runs and listed.is_open and listed.draw_follows else [],
        current=attendance.current_number(stage),
        last=stage.planned,
    )


def _gone(stage: Stage) -> list[Entrant]:
    """Who has withdrawn, or had not checked in when the season started: they may come after all."""
    rows = Entrant.objects.named().filter(division=stage.division, status=Entrant.Status.WITHDRAWN)
    return sorted(rows, key=lambda each: (each.name.casefold(), each.pk))


def _change(request: PersonRequest, stage: Stage, round_number: int) -> None:
    season = stage.division.season
    if "night" in request.POST:
        key = request.POST["night"]
        night = get_object_or_404(ClubNight, key=key, club=season.league.club) if key else None
        attending.choose_night(actor=request.user, stage=stage, number=round_number, night=night)
        return
    entrant = entrant_of(season, row_number(request.POST.get("entrant", "")))
    said = request.POST.get("here", "")
    if said not in ("yes", "no"):
        raise Refused(_("The answer is yes or no."))
    attending.set_attendance(actor=request.user, entrant=entrant, stage=stage, number=round_number, here=said == "yes")
