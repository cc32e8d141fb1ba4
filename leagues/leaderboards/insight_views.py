"""Pages, files and pictures of what can be read from a board beyond its places."""

import csv
import io
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import engine
from accounts.models import Club, User
from leagues.leaderboards import insight_pages, insights, periods, pictures
from leagues.leaderboards import rows as leaderboards_rows
from leagues.leaderboards.board_query import Board, board_from_query, role_label, roles_of
from leagues.leaderboards.insight_pages import Insight
from leagues.leaderboards.periods import Window

MAX_CLUBS = 30


@dataclass(frozen=True)
class Choice:
    """A link of a choice, and whether it leads to what is shown."""

    label: str
    href: str
    is_this: bool = False


@require_safe
def page(request: HttpRequest, game: str, insight: str) -> HttpResponse:
    known = _known(request, game, insight)
    words = request.GET.get("add", "").strip()[:60]
    found: list[User] = []
    if insight == "curves" and words:
        shown = known.listings[0].rows
        handles = [row[0].person.handle for row in shown if row[0].person]
        found = [
            one for one in leaderboards_rows.find_players(Board(game, bots=True), words) if one.handle not in handles
        ]
        exact = [one for one in found if words.lower() in (one.handle.lower(), one.name.lower())]
        if len(chosen := exact or found) == 1 and len(handles) < insights.MAX_CURVES:
            more = ",".join([*handles, chosen[0].handle])
            return redirect(insight_pages.address_of(known.board, "curves", people=more))
    return render(request, "leaderboards/insight.html", _context(request, known, words, found))


def _context(request: HttpRequest, known: Insight, words: str, found: list[User]) -> dict[str, Any]:
    board, name = known.board, known.name
    people = [row[0].person for row in known.listings[0].rows] if name == "curves" else []
    handles = [person.handle for person in people if person]
    return {
        "board": board,
        "insight": known,
        "views": views_of(board, name),
        "games": [
            Choice(other.title, insight_pages.address_of(other, name), other.game == board.game)
            for other in map(Board, engine.GAMES)
        ],
        "roles": _roles(known) if name in insight_pages.ROLES else [],
        "sizes": _sizes(known) if name == "tables" else [],
        "windows": _windows(board) if name in insight_pages.WINDOWED else [],
        "people": [
            Choice(person.name, insight_pages.address_of(board, "curves", people=",".join(_without(handles, person))))
            for person in people
            if person
        ],
        "may_add": len(handles) < insights.MAX_CURVES,
        "words": words,
        "found": [
            Choice(person.name, insight_pages.address_of(board, "curves", people=",".join([*handles, person.handle])))
            for person in found
        ],
        "handles": ",".join(handles),
        "picture": request.build_absolute_uri(known.png_address),
        "link": request.build_absolute_uri(known.address()),
        "clubs": clubs_for(request, board) if name in insight_pages.CLUBS else [],
    }


def views_of(board: Board, name: str) -> list[Choice]:
    """The ways to look at a board: its places, and everything beyond them."""
    places = Choice(_("Places"), board.but(window=Board(board.game).window).address(), not name)
    return [
        places,
        *(
            Choice(str(label), insight_pages.address_of(board, other), other == name)
            for other, label in insight_pages.LABELS.items()
        ),
    ]


def _roles(known: Insight) -> list[Choice]:
    board = known.board
    roles = roles_of(board.game)
    return [
        Choice(
            role_label(board.game, role),
            insight_pages.address_of(board.but(role=role), known.name, **known.query),
            role == board.role,
        )
        for role in ("", *roles)
        if roles
    ]


def _sizes(known: Insight) -> list[Choice]:
    sizes = insights.sizes_of(known.board.game)
    shown = known.query.get("players", str(sizes[0]))
    return [
        Choice(
            _("Tables of %(players)s") % {"players": size},
            insight_pages.address_of(known.board, "tables", players=str(size)),
            str(size) == shown,
        )
        for size in sizes
    ]


def _windows(board: Board) -> list[Window]:
    """All time, some last days, and the game's latest public seasons; always with the one that is shown."""
    latest = periods.seasons(board.game).order_by("-starts_at", "-pk")[: periods.SEASONS]
    windows = [*periods.offered(board.game, None), *(periods.of_season(season) for season in latest)]
    return windows if any(window.query == board.window.query for window in windows) else [board.window, *windows]


def clubs_for(request: HttpRequest, board: Board) -> list[Club]:
    """The clubs to choose from: the reader's own, otherwise the first ones; always includes the one that is shown."""
    clubs = Club.objects.open().seen_by(request.user).order_by("name", "pk")
    if isinstance(request.user, User):
        clubs = clubs.filter(memberships__user=request.user)
    clubs_shown = list(clubs[:MAX_CLUBS])
    return clubs_shown if board.club is None or board.club in clubs_shown else [board.club, *clubs_shown]


def _without(handles: list[str], person: User) -> list[str]:
    return [handle for handle in handles if handle != person.handle]


@require_safe
def file(request: HttpRequest, game: str, insight: str, kind: str) -> HttpResponse:
    """The same as a file for spreadsheets, or as a picture."""
    if kind not in ("csv", *pictures.KINDS):
        raise Http404
    known = _known(request, game, insight)
    if kind != "csv":
        return pictures.response(request, pictures.of_insight(known), kind)
    text = io.StringIO()
    csv.writer(text).writerows(known.csv)
    headers = {"Content-Disposition": f'attachment; filename="{game}-{insight}.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


@require_safe
def board_picture(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """The first of a board, as a picture."""
    if kind not in pictures.KINDS:
        raise Http404
    board = board_from_query(game, request.GET, request.user)
    rows = leaderboards_rows.page(board, 0, pictures.SHOWN)
    return pictures.response(request, pictures.of_board(board, rows), kind)


def _known(request: HttpRequest, game: str, insight: str) -> Insight:
    if insight not in insight_pages.LABELS:
        raise Http404
    return insight_pages.insight(request, game, insight)
