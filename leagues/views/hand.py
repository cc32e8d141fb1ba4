from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.views.common import PersonRequest
from leagues.core import format_catalogue
from leagues.core.reason_text import unique_names
from leagues.entries import attendance
from leagues.formats.hand import DrawCost
from leagues.models import Entrant, Undoable
from leagues.rounds import hand
from leagues.rounds.hand_text import cost_rows, points_words, verdict_words, warning_words
from leagues.seasons import undo
from leagues.views.common import entrant_of, round_of, run_season, show

# The most people for whom every possible exchange is assessed beforehand.
MOST_COMPARED = 128


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Change a draw by hand: tap one person, then the other; or drag one onto the other."""
    season = run_season(request, slug, number)
    current = round_of(request, season, pk)
    if current.is_published or not format_catalogue.format_of(current.stage).exchanges:
        return redirect("leagues:round", slug, number, pk)
    if request.method == "POST":
        try:
            if "undo" in request.POST:
                step = _last_exchange(current.pk)
                if step is not None:
                    undo.undo(actor=request.user, undoable=step)
            else:
                one, other = (entrant_of(season, row_number(request.POST.get(name, ""))) for name in ("one", "other"))
                hand.exchange(actor=request.user, round=current, one=one, other=other)
        except Refused as refused:
            messages.error(request, refused.message)
        return redirect("leagues:round-hand", slug, number, pk)
    board = hand.board(current)
    places = {each.number: each.table for each in current.pairings.all()}
    entrants = Entrant.objects.named().filter(pk__in=[*_people(board)])
    names = unique_names(entrants)
    chosen = row_number(request.GET["first"]) if request.GET.get("first") else 0
    if chosen and chosen not in names:
        raise Http404
    return show(
        request,
        season,
        "rounds/hand.html",
        "rounds",
        round=current,
        division=current.stage.division,
        listed=attendance.attendance(current.stage, current.number),
        chosen=chosen,
        chosen_name=names.get(chosen, ""),
        tables=_tables(board, places, names, chosen),
        byes=[_person(board, who, names, chosen) for who in sorted(board.byes, key=names.__getitem__)],
        bye_warnings=[warning_words(each, names) for each in board.now.warnings if not each.table],
        costs=cost_rows(board.now.cost, board.machine.cost),
        verdict=verdict_words(board.now.cost, board.machine.cost),
        last=_last_exchange(current.pk),
        # The part reloads itself with the choice that was made.
        address=reverse("leagues:round-hand", args=[slug, number, pk]) + (f"?first={chosen}" if chosen else ""),
        level=board.level,
    )


def _last_exchange(round_id: int) -> Undoable | None:
    kept = Undoable.objects.filter(kind="exchange", data__round=round_id, undone_at=None)
    return kept.select_related("season__league__club").order_by("-pk").first()


def _people(board: hand.Board) -> list[int]:
    return [who for table in board.tables for who in table.entrants] + list(board.byes)


def _tables(board: hand.Board, places: dict[int, int], names: dict[int, str], chosen: int) -> list[dict[str, Any]]:
    return [
        {
            "number": table.number,
            "table": places.get(table.number, table.number),
            "people": [dict(**_person(board, seat.entrant, names, chosen), seat=seat.number) for seat in table.seats],
            "warnings": [warning_words(each, names) for each in board.now.warnings if each.table == table.number],
        }
        for table in board.tables
    ]


def _person(board: hand.Board, who: int, names: dict[int, str], chosen: int) -> dict[str, Any]:
    row: dict[str, Any] = {
        "pk": who,
        "name": names[who],
        "score": points_words(board.field.score[who]),
        "is_chosen": who == chosen,
        "change": "",
    }
    if chosen and who != chosen and len(names) <= MOST_COMPARED and not {who, chosen} <= board.byes:
        after = board.after(chosen, who).cost
        row["change"], row["is_worse"] = _change_words(board.now.cost, after), after > board.now.cost
    return row


def _change_words(now: DrawCost, after: DrawCost) -> str:
    """What an exchange would change, in a few words: its most important difference."""
    parts: tuple[tuple[int, int, str, Callable[[int], str]], ...] = (
        (now.apart, after.apart, _("not kept apart: %(change)s"), str),
        (now.byes, after.byes, _("second byes: %(change)s"), str),
        (now.repeats, after.repeats, _("meetings again: %(change)s"), str),
        (now.distance, after.distance, _("distance: %(change)s"), points_words),
        (now.seats, after.seats, _("same seat: %(change)s"), str),
    )
    for before, then, words, number in parts:
        if before != then:
            return words % {"change": f"{'+' if then > before else '−'}{number(abs(then - before))}"}
    return _("no difference")
