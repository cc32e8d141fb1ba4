from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.views.common import PersonRequest
from engine import Scoring
from leagues.core import format_catalogue
from leagues.forms.result import ResultForm
from leagues.models import Pairing, Result
from leagues.results import reporting
from leagues.views.common import round_of, run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """All open tables of a round in one form, saved together or not at all."""
    season = run_season(request, slug, number)
    current = round_of(request, season, pk)
    tables = (
        Pairing.objects.open()
        .filter(round=current, where=Pairing.Where.CLUB)
        .prefetch_related("seats__entrant__user")
        .order_by("number")
    )
    data = request.POST if request.method == "POST" else None
    sheets = []
    for pairing in tables:
        pairing.round = current
        sheets.append(ResultForm(data, pairing=pairing, prefix=f"t{pairing.pk}"))
    if data is not None:
        filled = [sheet for sheet in sheets if not sheet.is_empty]
        if not filled:
            messages.info(request, _("Nothing was filled in."))
        elif not any(sheet.errors for sheet in filled) and (entered := _enter_results(request, filled)):
            _announce_entered(request, entered)
            return redirect("leagues:round", slug=slug, number=number, pk=pk)
    wrong = any(sheet.is_bound and not sheet.is_empty and sheet.errors for sheet in sheets)
    context = {
        "round": current,
        "sheets": sheets,
        "wrong": wrong,
        "has_places": any(sheet.asks == Scoring.ORDER for sheet in sheets),
        "best_of": format_catalogue.best_of(current.stage),
    }
    return show(request, season, "results/enter_round.html", "rounds", status=422 if wrong else 200, **context)


def _enter_results(request: PersonRequest, sheets: list[ResultForm]) -> list[Result]:
    """The results that were written: all, or none, and the sheets have the reasons."""
    try:
        return reporting.enter_round_results(
            actor=request.user,
            rows={sheet.pairing: sheet.places() for sheet in sheets},
            grades={sheet.pairing: sheet.grade() for sheet in sheets},
        )
    except reporting.RoundEntryErrors as refused:
        for sheet in sheets:
            if sheet.pairing.pk in refused.rows:
                sheet.add_error(None, refused.rows[sheet.pairing.pk])
        return []


def _announce_entered(request: PersonRequest, entered: list[Result]) -> None:
    """An organiser who plays too only reports the result of their own table."""
    words = ngettext("%(count)s result is entered.", "%(count)s results are entered.", len(entered))
    messages.success(request, words % {"count": len(entered)})
    for result in entered:
        if result.kind == Result.Kind.REPORTED:
            words = _("You play at table %(table)s yourself: its result waits for somebody else to confirm it.")
            messages.info(request, words % {"table": result.pairing.table})
