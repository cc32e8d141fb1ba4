from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.views.common import PersonRequest
from leagues.core.text import join_names
from leagues.forms.result import ResultForm
from leagues.forms.time_proposals import UntilForm
from leagues.models import Extension, Pairing, Result, Season
from leagues.results import reporting
from leagues.views.common import run_pairing, run_season, season_of, show
from leagues.windows import extensions, outcomes


@login_required
@require_safe
def queue(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    return queue_page(request, run_season(request, slug, number))


def queue_page(
    request: PersonRequest,
    season: Season,
    wrong: ResultForm | None = None,
    late: tuple[int, UntilForm] | None = None,
) -> HttpResponse:
    """Everything that waits for an organiser, with all versions of a result side by side."""
    rows = []
    for pairing in reporting.disputed_pairings(season):
        pairing.round.stage.division.season = season
        versions = sorted(pairing.results.all(), key=lambda result: result.version)
        form = wrong if wrong and wrong.pairing.pk == pairing.pk else None
        rows.append(
            {
                "pairing": pairing,
                "versions": latest_of_each(versions),
                "form": form or ResultForm(pairing=pairing, prefix=f"t{pairing.pk}", auto_id="id_%s"),
                "late": bool(versions and versions[-1].late),
                "opened": form is not None,
            }
        )
    requests = [_request(each, season, late) for each in extensions.waiting(season)]
    status = 422 if wrong or late else 200
    return show(request, season, "results/disputes.html", "disputes", status=status, rows=rows, late=requests)


def _request(extension: Extension, season: Season, late: tuple[int, UntilForm] | None) -> dict[str, Any]:
    """A table that waits for more time or a decision, and what happens without more time."""
    pairing = extension.pairing
    pairing.round.stage.division.season = season
    form = late[1] if late and late[0] == extension.pk else UntilForm(prefix=f"e{extension.pk}")
    return {
        "request": extension,
        "pairing": pairing,
        "names": join_names(seat.entrant.name for seat in pairing.seats.all()),
        "form": form,
        "can_refuse": not extensions.is_over(extension, pairing, timezone.now()) or extensions.can_be_decided(pairing),
        "then": _then(extension, pairing),
    }


def _then(extension: Extension, pairing: Pairing) -> str:
    now = timezone.now()
    if not extensions.is_over(extension, pairing, now):
        return _("The deadline stays as it is.")
    if extension.cause == Extension.Cause.NO_SHOW:
        seats = outcomes.missing_seats(pairing, now)
    else:
        seats = outcomes.idle_seats(pairing)
    if not seats:
        return _("Then nobody scores: everybody did something, and it was not played.")
    return _("Then the players who did nothing lose: %(names)s.") % {
        "names": join_names(seat.entrant.name for seat in seats)
    }


def latest_of_each(versions: list[Result]) -> list[Result]:
    """The last report of each person."""
    latest: dict[int | None, Result] = {}
    for result in versions:
        if result.kind in (Result.Kind.REPORTED, Result.Kind.DISPUTED):
            latest[result.by_id] = result
    return sorted(latest.values(), key=lambda result: result.version)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settle(request: PersonRequest, key: str) -> HttpResponse:
    """Choose one of the reported versions, or enter another result."""
    pairing = run_pairing(request, key)
    season = season_of(pairing)
    if request.method != "POST":
        return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
    number = request.POST.get("version", "")
    if number:
        chosen = pairing.results.filter(version=row_number(number)).first()
        if chosen is None:
            messages.error(request, _("There is no such version."))
            return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
        try:
            _count(request, pairing, chosen.places, chosen.grade)
        except Refused as refused:
            messages.error(request, refused.message)
        return redirect("leagues:disputes", slug=season.league.slug, number=season.number)
    form = ResultForm(request.POST, pairing=pairing, prefix=f"t{pairing.pk}", auto_id="id_%s")
    if not form.is_valid():
        return queue_page(request, season, form)
    try:
        _count(request, pairing, form.places(), form.grade())
    except Refused as refused:
        form.add_error(None, refused.message)
        return queue_page(request, season, form)
    return redirect("leagues:disputes", slug=season.league.slug, number=season.number)


def _count(request: PersonRequest, pairing: Pairing, places: list[dict[str, Any]], grade: list[Any]) -> None:
    reporting.enter_result(actor=request.user, pairing=pairing, places=places, grade=grade)
    messages.success(request, _("Table %(table)s is settled.") % {"table": pairing.table})
