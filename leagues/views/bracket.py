"""The bracket of a knock-out: click a match, enter the score, and the winner moves on."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome
from leagues.core import access, format_catalogue
from leagues.core.access import Permission
from leagues.forms.result import ResultForm
from leagues.models import Pairing, Result, Season, Stage
from leagues.results import reporting
from leagues.rounds import draw
from leagues.standings import bracket_presentation
from leagues.standings.bracket_presentation import ShownBracket, ShownMatch
from leagues.views.common import run_season, season_or_404, show, stage_of
from leagues.views.pairing import outcome_text


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The drawing; with `match` the form of that match, which is sent to the same address."""
    season = season_or_404(request, slug, number)
    stage = stage_of(season, pk)
    bracket = bracket_presentation.shown_bracket(stage)
    if bracket is None or stage.status == Stage.Status.PLANNED:
        raise Http404
    chosen = _chosen(request, season, bracket)
    if request.method != "POST":
        form = _form_of(chosen) if chosen else None
        return _page(request, season, stage, bracket, chosen, form)
    if chosen is None:
        # Meanwhile it was decided, or others meet there: what was typed counts for nothing.
        messages.error(request, _("This match cannot be entered now: look at the bracket again."))
        return redirect("leagues:bracket", slug, number, pk)
    form = _form_of(chosen, request)
    if form.is_valid() and isinstance(request.user, User):
        try:
            made = _enter(request.user, form)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, outcome_text(made))
            return redirect("leagues:bracket", slug, number, pk)
    return _page(request, season, stage, bracket, chosen, form)


def _page(
    request: HttpRequest,
    season: Season,
    stage: Stage,
    bracket: ShownBracket,
    chosen: ShownMatch | None,
    form: ResultForm | None,
) -> HttpResponse:
    wrong = form is not None and form.is_bound
    return show(
        request,
        season,
        "standings/bracket.html",
        "standings",
        status=422 if wrong else 200,
        stage=stage,
        best_of=format_catalogue.best_of(stage),
        bracket=bracket,
        chosen=chosen,
        form=form,
        # A part that reloads itself must not ask for the match that was just entered.
        address=request.path,
    )


def _chosen(request: HttpRequest, season: Season, bracket: ShownBracket) -> ShownMatch | None:
    """The match whose result the reader may enter, from the query or the form."""
    wanted = bracket.match(request.POST.get("match") or request.GET.get("match", ""))
    if wanted is None or not may_enter(request, season, wanted):
        return None
    return wanted


def may_enter(request: HttpRequest, season: Season, shown: ShownMatch) -> bool:
    """Whether it is played at the club now, and the reader organises or plays."""
    if not shown.is_open or shown.pairing is None or shown.pairing.where != Pairing.Where.CLUB:
        return False
    if access.may(request.user, Permission.ORGANISE, season):
        return True
    shown.pairing.round.stage.division.season = season
    return access.may(request.user, Permission.SIT, shown.pairing)


def _form_of(chosen: ShownMatch, request: HttpRequest | None = None) -> ResultForm:
    assert chosen.pairing is not None
    form = ResultForm(request.POST if request else None, pairing=chosen.pairing)
    # In the order of the drawing, not of the seats: whoever types 17 and 12 reads them there.
    form.listed = sorted(form.seats, key=lambda seat: chosen.match.entrants.index(seat.entrant_id))
    first = next((row["score"] for row in form.rows if row["score"]), None)
    if first:
        first.field.widget.attrs["autofocus"] = True
    return form


def _enter(person: User, form: ResultForm) -> Result:
    pairing, places, grade = form.pairing, form.places(), form.grade()
    if access.may(person, Permission.ORGANISE, pairing):
        return reporting.enter_result(actor=person, pairing=pairing, places=places, grade=grade)
    return reporting.report(person=person, pairing=pairing, places=places, grade=grade)


@login_required
@require_POST
def open_matches(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Publish the first matches; all others open by themselves."""
    season = run_season(request, slug, number)
    stage = stage_of(season, pk)
    with flash_outcome(request, _("The first matches are open: the players have been notified.")):
        draw.open_bracket(actor=request.user, stage=stage)
    return redirect("leagues:bracket", slug, number, pk)
