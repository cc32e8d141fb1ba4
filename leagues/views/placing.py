"""One table and the calendar: every slot with what speaks for and against it."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.errors import Refused
from accounts.views.common import PersonRequest
from leagues.models import Pairing, Placement, Slot
from leagues.scheduling import grid, placing
from leagues.scheduling.said import Clock
from leagues.views.calendar import calendar_page
from leagues.views.common import run_pairing, season_of, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, key: str) -> HttpResponse:
    """Choose a slot from a list, without dragging; and whatever is done to a table's place is sent here."""
    pairing = run_pairing(request, key)
    if request.method == "POST":
        return _done(request, pairing)
    season = season_of(pairing)
    context: dict[str, Any] = {
        "pairing": pairing,
        "chip": grid.chip(pairing, request.user),
        "placement": Placement.objects.filter(pairing=pairing).select_related("slot__night__venue").first(),
        "options": placing.options(pairing, grid.slots_ahead(season)),
        "clock": Clock(season.league.club),
    }
    return show(request, season, "placing.html", "calendar", **context)


@login_required
@require_safe
def options(request: PersonRequest, key: str) -> HttpResponse:
    """For whoever drags a table: every slot and every board that is taken, with what speaks against it."""
    pairing = run_pairing(request, key)
    found = placing.options(pairing, grid.slots_ahead(season_of(pairing)))
    slots = {
        each.slot.pk: {
            "against": _told(each.conflicts),
            "boards": {board: _told(against) for board, against in each.boards.items()},
        }
        for each in found
    }
    return JsonResponse({"slots": slots})


def _told(conflicts: Sequence[placing.Conflict]) -> list[dict[str, Any]]:
    return [{"words": each.words, "hard": each.hard} for each in conflicts]


def _done(request: PersonRequest, pairing: Pairing) -> HttpResponse:
    try:
        said, refused = _do(request, pairing), False
    except Refused as error:
        said, refused = error.message, True
    season = season_of(pairing)
    if request.headers.get("HX-Request"):
        return calendar_page(request, season, said, refused)
    (messages.error if refused else messages.success)(request, said)
    if refused:
        return redirect("leagues:placing", key=pairing.key)
    return redirect(f"{reverse('leagues:calendar', args=[season.league.slug, season.number])}#table-{pairing.key}")


def _do(request: PersonRequest, pairing: Pairing) -> str:
    match request.POST.get("do", ""):
        case "place":
            made = placing.place(
                actor=request.user,
                pairing=pairing,
                slot=_slot(request.POST.get("slot", "")),
                board=_number(request.POST.get("board", "")),
                lock=bool(request.POST.get("lock")),
            )
            known = {"table": pairing.number, "when": Clock(season_of(pairing).league.club).slot(made.slot)}
            return _("Table %(table)s: %(when)s, board %(board)s.") % dict(**known, board=made.board)
        case "lock":
            placing.lock(actor=request.user, pairing=pairing)
            return _("Table %(table)s is locked: it stays here when all others are placed anew.") % {
                "table": pairing.number
            }
        case "unlock":
            placing.unlock(actor=request.user, pairing=pairing)
            return _("Table %(table)s is not locked any more.") % {"table": pairing.number}
        case "clear":
            placing.clear(actor=request.user, pairing=pairing)
            return _("Table %(table)s has no place any more.") % {"table": pairing.number}
        case _:
            raise Http404


def _slot(number: str) -> Slot:
    found = Slot.objects.filter(pk=_number(number) or 0).first()
    if found is None:
        raise Refused(_("Choose a slot."))
    return found


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 10 else None
