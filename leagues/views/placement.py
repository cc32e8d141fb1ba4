"""Placing one table: every slot of the calendar with its conflicts."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import whole_number
from accounts.views.common import PersonRequest
from leagues.models import Pairing, Placement, Slot
from leagues.placement import grid
from leagues.placement import service as placement
from leagues.placement.reason_text import Clock
from leagues.views.calendar import calendar_page
from leagues.views.common import run_pairing, season_of, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, key: str) -> HttpResponse:
    """Choose a slot from a list, without dragging. All changes of a table's placement are posted here."""
    pairing = run_pairing(request, key)
    if request.method == "POST":
        return _done(request, pairing)
    season = season_of(pairing)
    context: dict[str, Any] = {
        "pairing": pairing,
        "chip": grid.chip(pairing, request.user),
        "placement": Placement.objects.filter(pairing=pairing).select_related("slot__night__venue").first(),
        "options": placement.options(pairing, grid.slots_ahead(season)),
        "clock": Clock(season.league.club),
    }
    return show(request, season, "placement/choose_slot.html", "calendar", **context)


@login_required
@require_safe
def options(request: PersonRequest, key: str) -> HttpResponse:
    """For dragging a table: every slot and occupied board with its conflicts."""
    pairing = run_pairing(request, key)
    choices = placement.options(pairing, grid.slots_ahead(season_of(pairing)))
    slots = {
        each.slot.pk: {
            "against": _serialize_conflicts(each.conflicts),
            "boards": {board: _serialize_conflicts(against) for board, against in each.boards.items()},
        }
        for each in choices
    }
    return JsonResponse({"slots": slots})


def _serialize_conflicts(conflicts: Sequence[placement.Conflict]) -> list[dict[str, Any]]:
    return [{"words": each.words, "hard": each.hard} for each in conflicts]


def _done(request: PersonRequest, pairing: Pairing) -> HttpResponse:
    try:
        message, refused = _do(request, pairing), False
    except Refused as error:
        message, refused = error.message, True
    season = season_of(pairing)
    if request.headers.get("HX-Request"):
        return calendar_page(request, season, message, refused)
    (messages.error if refused else messages.success)(request, message)
    if refused:
        return redirect("leagues:placing", key=pairing.key)
    return redirect(f"{reverse('leagues:calendar', args=[season.league.slug, season.number])}#table-{pairing.key}")


def _do(request: PersonRequest, pairing: Pairing) -> str:
    match request.POST.get("do", ""):
        case "place":
            made = placement.place(
                actor=request.user,
                pairing=pairing,
                slot=_slot(request.POST.get("slot", "")),
                board=_number(request.POST.get("board", "")),
                lock=bool(request.POST.get("lock")),
            )
            known = {"table": made.board, "when": Clock(season_of(pairing).league.club).slot(made.slot)}
            return _("Table %(table)s: %(when)s.") % known
        case "lock":
            placement.lock(actor=request.user, pairing=pairing)
            return _("Table %(table)s is locked: it stays here when the others are placed again.") % {
                "table": pairing.table
            }
        case "unlock":
            placement.unlock(actor=request.user, pairing=pairing)
            return _("Table %(table)s is not locked any more.") % {"table": pairing.table}
        case "clear":
            placement.clear(actor=request.user, pairing=pairing)
            return _("Table %(table)s has no place any more.") % {"table": pairing.table}
        case _:
            raise Http404


def _slot(number: str) -> Slot:
    slot = Slot.objects.filter(pk=_number(number) or 0).first()
    if slot is None:
        raise Refused(_("Choose a slot."))
    return slot


def _number(text: str) -> int | None:
    return whole_number(text, maximum=10**9)
