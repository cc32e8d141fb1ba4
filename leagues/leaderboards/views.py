"""Pages: leaderboards, the record between two players, and the calculation of a rating change."""

from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

import engine
from accounts.infra.input import whole_number
from accounts.models import Theme, User
from games.access import Permission, may
from games.models import Match
from leagues.core import embedding
from leagues.leaderboards import (
    change_breakdown,
    encounters,
    exports,
    head_to_head,
    insight_pages,
    match_rating_panel,
    periods,
    published_offsets,
)
from leagues.leaderboards import rows as leaderboards_rows
from leagues.leaderboards.board_query import Board, board_from_query, role_label, roles_of
from leagues.leaderboards.insight_views import clubs_for, views_of
from leagues.leaderboards.periods import Window
from leagues.leaderboards.rows import PAGE_SIZE, LeaderboardRow
from leagues.models import RatingChange

TOP = 5
LAST_PAGE = 10**6
EMBEDDED = 10
LARGEST = 200


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every game's first few."""
    boards = [Board(game, window=periods.all_time()) for game in engine.GAMES]
    tops = [{"board": board, "rows": leaderboards_rows.page(board, 0, TOP)} for board in boards]
    return render(request, "leaderboards/index.html", {"tops": tops, "is_empty": not any(top["rows"] for top in tops)})


@require_safe
@vary_on_headers("HX-Request")
def page(request: HttpRequest, game: str) -> HttpResponse:
    board = board_from_query(game, request.GET, request.user)
    search = request.GET.get("q", "").strip()[:60]
    players = leaderboards_rows.find_players(board, search) if search else []
    if len(players) == 1:
        return redirect(board.address(around=players[0].handle) + f"#p-{players[0].handle}")
    marked = _marked(request)
    number = _page(board, marked) if marked else _number(request, "page", LAST_PAGE)
    rows, more = _rows(board, number, PAGE_SIZE)
    if not rows and number > 1:
        return redirect(board.address(page=max(1, -(-leaderboards_rows.size(board) // PAGE_SIZE))))
    context = dict(
        **_frame(request, board),
        rows=rows,
        number=number,
        previous=board.address(page=number - 1 if number > 2 else None) if number > 1 else "",
        next=board.address(page=number + 1) if more else "",
        marked=marked,
        words=search,
        found=players,
    )
    response = render(request, "leaderboards/leaderboard.html", context)
    if request.headers.get("HX-Trigger") == "board-choice":
        response["HX-Push-Url"] = board.address()
    return response


def _frame(request: HttpRequest, board: Board) -> dict[str, Any]:
    """Context for everything around the rows."""
    published = published_offsets.published(board)
    return {
        "board": board,
        "games": [Board(game) for game in engine.GAMES],
        "roles": [
            {"board": board.but(role=role), "label": role_label(board.game, role), "is_this": role == board.role}
            for role in ["", *roles_of(board.game)]
        ],
        "windows": _windows(board),
        "clubs": clubs_for(request, board),
        "share_roles": [role_label(board.game, role) for role in roles_of(board.game)],
        "offsets": published,
        "ranks_everyone": leaderboards_rows.ranks_everyone(board),
        "active_days": leaderboards_rows.ACTIVE.days,
        "method_changed_at": change_breakdown.method_changed_at(board.pool.pk) if board.pool else None,
        "seats": range(1, max((len(one.points) for one in published), default=0) + 1),
        "json": board.address("json"),
        "csv": board.address("csv"),
        "views": views_of(board, ""),
        "picture": request.build_absolute_uri(insight_pages.picture_of(board)),
        "embed": request.build_absolute_uri(board.address("embed")),
    }


def _windows(board: Board) -> list[Window]:
    """The periods to choose from; always includes the one that is shown."""
    windows = periods.offered(board.game, board.club)
    return windows if any(window.query == board.window.query for window in windows) else [board.window, *windows]


@xframe_options_exempt
@require_safe
def embed(request: HttpRequest, game: str) -> HttpResponse:
    """The rows alone, to embed in another site."""
    board = board_from_query(game, request.GET, request.user)
    number = _number(request, "page", LAST_PAGE)
    theme = request.GET.get("theme", Theme.AUTO)
    if theme not in Theme.values:
        raise BadRequest("not a valid theme")
    rows, _more = _rows(board, number, _number(request, "size", LARGEST, EMBEDDED))
    shares = [role_label(game, role) for role in roles_of(game)]
    context = {"board": board, "rows": rows, "theme": theme, "share_roles": shares, "full": board.address()}
    response = render(request, "leaderboards/embed.html", context)
    response["Content-Security-Policy"] = embedding.FRAMED_CSP
    return response


@require_safe
def as_json(request: HttpRequest, game: str) -> HttpResponse:
    board = board_from_query(game, request.GET, request.user)
    number = _number(request, "page", LAST_PAGE)
    rows, more = _rows(board, number, PAGE_SIZE)
    answer = exports.as_json(request, board, rows, number, more)
    return JsonResponse(answer, headers={"Access-Control-Allow-Origin": "*"})


@require_safe
def as_csv(request: HttpRequest, game: str) -> HttpResponse:
    board = board_from_query(game, request.GET, request.user)
    number = _number(request, "page", LAST_PAGE)
    rows, _more = _rows(board, number, _number(request, "size", LARGEST, LARGEST))
    headers = {
        "Content-Disposition": f'attachment; filename="{board.game}.csv"',
        "Access-Control-Allow-Origin": "*",
    }
    return HttpResponse(exports.as_csv(board, rows), content_type="text/csv; charset=utf-8", headers=headers)


@require_safe
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """One rating change and its calculation; without the page around it where a list unfolds it."""
    rating_change = get_object_or_404(RatingChange.objects.select_related("pool", "user", "result__match"), pk=pk)
    if not encounters.may_see_table(request.user, rating_change.result.source):
        raise Http404
    breakdown = change_breakdown.change_breakdown(rating_change)
    context = {
        "opened": breakdown,
        "change": rating_change,
        "method_changed_at": None if breakdown.explained else change_breakdown.method_changed_at(rating_change.pool_id),
        "may_open": bool(encounters.linkable_matches(request.user, [breakdown.table])),
    }
    folded = request.headers.get("HX-Request") == "true"
    response = render(request, "leaderboards/_breakdown.html" if folded else "leaderboards/rating_change.html", context)
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    return response


@require_safe
def two(request: HttpRequest, left: str, right: str) -> HttpResponse:
    """The record between two players."""
    people = [get_object_or_404(User, handle__iexact=handle, is_active=True) for handle in (left, right)]
    if people[0] == people[1]:
        raise Http404
    if [person.handle for person in people] != [left, right]:
        return redirect("boards:between", *(person.handle for person in people), permanent=True)
    pairs = head_to_head.pairs(people[0], people[1], request.user)
    context = {
        "left": people[0],
        "right": people[1],
        "games": head_to_head.by_game(people[0], people[1], pairs),
        "pairs": pairs[: head_to_head.SHOWN],
        "tables": len(pairs),
    }
    return render(request, "leaderboards/head_to_head.html", context)


@require_safe
def of_match(request: HttpRequest, key: str) -> HttpResponse:
    """What a match changed in its players' ratings: the panel on the table's page after the end."""
    match = Match.objects.filter(key=key).first()
    if match is None or not may(request.user, Permission.SEE, match):
        raise Http404
    return render(
        request, "leaderboards/_match_rating_panel.html", match_rating_panel.match_rating_panel(match, request.user)
    )


def _rows(board: Board, number: int, count: int) -> tuple[list[LeaderboardRow], bool]:
    """The rows of a page, and whether more follow."""
    rows = leaderboards_rows.page(board, (number - 1) * count, count + 1)
    return rows[:count], len(rows) > count


def _marked(request: HttpRequest) -> User | None:
    """The player that the address marks."""
    handle = request.GET.get("around", "")
    if not handle:
        return None
    return get_object_or_404(User, handle__iexact=handle.replace("\0", ""), is_active=True)


def _page(board: Board, person: User) -> int:
    offset = leaderboards_rows.offset_of(board, person)
    return 1 if offset is None else offset // PAGE_SIZE + 1


def _number(request: HttpRequest, name: str, maximum: int, usual: int = 1) -> int:
    value = request.GET.get(name, "")
    if not value:
        return usual
    number = whole_number(value, minimum=1)
    if number is None:
        raise BadRequest(f"{name} is a number from 1")
    return min(number, maximum)
