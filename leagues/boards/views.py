"""The pages: leaderboards in every form, the record between two players, and the sum behind a change."""

from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

import engine
from accounts.models import Club, Theme, User
from games.access import Permission, may
from games.models import Match
from leagues.boards import after, between, exports, meetings, offsets, places, sums, windows
from leagues.boards.board import Board, asked, role_label, roles_of
from leagues.boards.places import A_PAGE, Row
from leagues.boards.windows import Window
from leagues.models import RatingChange

TOP = 5
MOST_CLUBS = 30
LAST_PAGE = 10**6
EMBEDDED = 10
LARGEST = 200
FRAMED_CSP = settings.CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every game's first few."""
    boards = [Board(game, window=windows.all_time()) for game in engine.GAMES]
    tops = [{"board": board, "rows": places.page(board, 0, TOP)} for board in boards]
    return render(request, "boards/index.html", {"tops": tops, "is_empty": not any(top["rows"] for top in tops)})


@require_safe
@vary_on_headers("HX-Request")
def page(request: HttpRequest, game: str) -> HttpResponse:
    board = asked(game, request.GET)
    words = request.GET.get("q", "").strip()[:60]
    found = places.named(board, words) if words else []
    if len(found) == 1:
        return redirect(board.address(around=found[0].handle) + f"#p-{found[0].handle}")
    marked = _marked(request)
    number = _page(board, marked) if marked else _number(request, "page", LAST_PAGE)
    rows, more = _rows(board, number, A_PAGE)
    if not rows and number > 1:
        return redirect(board.address(page=max(1, -(-places.size(board) // A_PAGE))))
    context = {
        **_frame(request, board),
        "rows": rows,
        "number": number,
        "previous": board.address(page=number - 1 if number > 2 else None) if number > 1 else "",
        "next": board.address(page=number + 1) if more else "",
        "marked": marked,
        "words": words,
        "found": found,
    }
    response = render(request, "boards/board.html", context)
    if request.headers.get("HX-Trigger") == "board-choice":
        response["HX-Push-Url"] = board.address()
    return response


def _frame(request: HttpRequest, board: Board) -> dict[str, Any]:
    """What stands around the rows."""
    published = offsets.published(board)
    return {
        "board": board,
        "games": [Board(game) for game in engine.GAMES],
        "roles": [
            {"board": board.but(role=role), "label": role_label(board.game, role), "is_this": role == board.role}
            for role in ["", *roles_of(board.game)]
        ],
        "windows": _windows(board),
        "clubs": _clubs(request, board),
        "share_roles": [role_label(board.game, role) for role in roles_of(board.game)],
        "offsets": published,
        "method_changed_at": sums.method_changed_at(board.pool.pk) if board.pool else None,
        "seats": range(1, max((len(one.points) for one in published), default=0) + 1),
        "json": board.address("json"),
        "csv": board.address("csv"),
        "embed": request.build_absolute_uri(board.address("embed")),
    }


def _windows(board: Board) -> list[Window]:
    """Those to choose from; the one that is shown is always there."""
    found = windows.offered(board.game, board.club)
    return found if any(window.query == board.window.query for window in found) else [board.window, *found]


def _clubs(request: HttpRequest, board: Board) -> list[Club]:
    """Those to choose from: the reader's own, else the first of all; the one that is shown is always there."""
    clubs = Club.objects.open().order_by("name", "pk")
    if isinstance(request.user, User):
        clubs = clubs.filter(memberships__user=request.user)
    found = list(clubs[:MOST_CLUBS])
    return found if board.club is None or board.club in found else [board.club, *found]


@xframe_options_exempt
@require_safe
def embed(request: HttpRequest, game: str) -> HttpResponse:
    """The rows alone, for another site's page."""
    board = asked(game, request.GET)
    number = _number(request, "page", LAST_PAGE)
    theme = request.GET.get("theme", Theme.AUTO)
    if theme not in Theme.values:
        raise BadRequest("a theme that is none")
    rows, _more = _rows(board, number, _number(request, "size", LARGEST, EMBEDDED))
    shares = [role_label(game, role) for role in roles_of(game)]
    context = {"board": board, "rows": rows, "theme": theme, "share_roles": shares, "full": board.address()}
    response = render(request, "boards/embed.html", context)
    response["Content-Security-Policy"] = FRAMED_CSP
    return response


@require_safe
def as_json(request: HttpRequest, game: str) -> HttpResponse:
    board = asked(game, request.GET)
    number = _number(request, "page", LAST_PAGE)
    rows, more = _rows(board, number, A_PAGE)
    answer = exports.as_json(request, board, rows, number, more)
    return JsonResponse(answer, headers={"Access-Control-Allow-Origin": "*"})


@require_safe
def as_csv(request: HttpRequest, game: str) -> HttpResponse:
    board = asked(game, request.GET)
    number = _number(request, "page", LAST_PAGE)
    rows, _more = _rows(board, number, _number(request, "size", LARGEST, LARGEST))
    headers = {
        "Content-Disposition": f'attachment; filename="{board.game}.csv"',
        "Access-Control-Allow-Origin": "*",
    }
    return HttpResponse(exports.as_csv(board, rows), content_type="text/csv; charset=utf-8", headers=headers)


@require_safe
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """One rating change and the whole sum behind it; alone where a list folds it out."""
    found = get_object_or_404(RatingChange.objects.select_related("pool", "user", "result__match"), pk=pk)
    opened = sums.opened(found)
    context = {
        "opened": opened,
        "change": found,
        "method_changed_at": None if opened.explained else sums.method_changed_at(found.pool_id),
        "may_open": bool(meetings.open_to(request.user, [opened.table])),
    }
    folded = request.headers.get("HX-Request") == "true"
    response = render(request, "boards/_sum.html" if folded else "boards/change.html", context)
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    return response


@require_safe
def two(request: HttpRequest, left: str, right: str) -> HttpResponse:
    """All that has been between two players."""
    people = [get_object_or_404(User, handle__iexact=handle, is_active=True) for handle in (left, right)]
    if people[0] == people[1]:
        raise Http404
    if [person.handle for person in people] != [left, right]:
        return redirect("boards:between", *(person.handle for person in people), permanent=True)
    found = between.pairs(people[0], people[1], request.user)
    context = {
        "left": people[0],
        "right": people[1],
        "games": between.by_game(people[0], people[1], found),
        "pairs": found[: between.SHOWN],
        "tables": len(found),
    }
    return render(request, "boards/between.html", context)


@require_safe
def of_match(request: HttpRequest, key: str) -> HttpResponse:
    """What a match has done to its players' ratings: the panel that the table's page shows after the end."""
    match = Match.objects.filter(key=key).first()
    if match is None or not may(request.user, Permission.SEE, match):
        raise Http404
    return render(request, "boards/_match.html", after.told(match))


def _rows(board: Board, number: int, count: int) -> tuple[list[Row], bool]:
    """A page's rows, and whether more follow."""
    rows = places.page(board, (number - 1) * count, count + 1)
    return rows[:count], len(rows) > count


def _marked(request: HttpRequest) -> User | None:
    """The player that the address points at."""
    handle = request.GET.get("around", "")
    if not handle:
        return None
    return get_object_or_404(User, handle__iexact=handle.replace("\0", ""), is_active=True)


def _page(board: Board, person: User) -> int:
    offset = places.offset_of(board, person)
    return 1 if offset is None else offset // A_PAGE + 1


def _number(request: HttpRequest, name: str, most: int, usual: int = 1) -> int:
    given = request.GET.get(name, "")
    if not given:
        return usual
    if not (given.isascii() and given.isdigit() and given.strip("0")):
        raise BadRequest(f"{name} is a number from 1")
    return min(int(given), most) if len(given) < 20 else most
