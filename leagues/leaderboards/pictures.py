"""Pictures of boards, lists and charts for shared links, as SVG and as PNG."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response

from games.presentation import share_card
from leagues.leaderboards.board_query import Board, role_label
from leagues.leaderboards.insight_pages import Insight, PictureRow
from leagues.leaderboards.rows import LeaderboardRow

KINDS = {"svg": "image/svg+xml", "png": "image/png"}
SHOWN = 6
HALF = share_card.ROOM - 220
CHART_WIDTH, CHART_HEIGHT = share_card.ROOM, 372


def of_insight(insight: Insight) -> str:
    chart = insight.chart
    scale = round(min(CHART_WIDTH / chart.width, CHART_HEIGHT / chart.height), 3) if chart else 1
    legend = insight.legend if insight.is_curves else []
    return _drawn(
        insight.board.title,
        insight.title,
        [] if chart else insight.picture_rows,
        insight=insight,
        chart=chart,
        scale=scale,
        legend=legend,
        legend_size=share_card.fit_font_size("   ".join(legend), 26, share_card.ROOM),
    )


def of_board(board: Board, rows: Sequence[LeaderboardRow]) -> str:
    parts = [role_label(board.game, board.role), board.club.name if board.club else "", board.window.label]
    listed = [PictureRow(f"{row.place_text}. {row.user.name}", row.points_text) for row in rows if row.eligible]
    return _drawn(board.title, " · ".join(part for part in parts if part), listed)


def _drawn(title: str, heading: str, rows: Sequence[PictureRow], **more: object) -> str:
    lines = [
        {
            "y": 262 + at * 58,
            "text": row.text,
            "size": share_card.fit_font_size(row.text, 36, HALF),
            "note": row.note,
            "mark": share_card.PALETTE[at % len(share_card.PALETTE)],
        }
        for at, row in enumerate(rows[:SHOWN])
    ]
    return render_to_string(
        "leaderboards/picture.svg",
        dict(
            width=share_card.WIDTH,
            height=share_card.HEIGHT,
            title=title,
            title_size=share_card.fit_font_size(title, 60, share_card.ROOM),
            heading=heading,
            heading_size=share_card.fit_font_size(f"Gauntlet · {heading}", 34, share_card.ROOM),
            rows=lines,
            stones=share_card.PALETTE,
            **more,
        ),
    )


def response(request: HttpRequest, drawn: str, kind: str) -> HttpResponse:
    """The picture, for the reader's own cache: what it shows depends on who asks."""
    tag = share_card.tag(drawn)
    answer = get_conditional_response(request, etag=tag)
    if answer is None:
        content = share_card.render_png(drawn) if kind == "png" else drawn
        answer = HttpResponse(content, content_type=KINDS[kind], headers={"ETag": tag})
    answer["Cache-Control"] = "private, max-age=60"
    return answer
