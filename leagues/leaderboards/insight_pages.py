"""Insights in words: what their pages, files and pictures show.

Each is a chart, one or more lists, or both. A chart always has its numbers in a list behind it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts.infra.input import whole_number
from accounts.infra.text import escape_formula
from accounts.models import User
from leagues.elo.result_types import SCALE, points
from leagues.leaderboards import chart_svg, insights, number_format, periods
from leagues.leaderboards.board_query import Board, board_from_query, role_label
from leagues.leaderboards.change_breakdown import scenario_label, size_label
from leagues.leaderboards.chart_svg import Columns, Lanes, TimeChart
from leagues.leaderboards.insights import Curve, Reign
from leagues.leaderboards.rows import LATELY

LABELS = {
    "distribution": gettext_lazy("Distribution"),
    "climbers": gettext_lazy("Climbers"),
    "records": gettext_lazy("Records"),
    "tables": gettext_lazy("By size of table"),
    "curves": gettext_lazy("Curves"),
    "story": gettext_lazy("Leaders over time"),
}
MAX_LANES = 8
MAX_REIGNS = 100
"""How many changes at the top a page lists; the file has all of them."""


@dataclass(frozen=True)
class Cell:
    """One field of a list. `text` is what people read."""

    text: str
    person: User | None = None
    href: str = ""
    trend: str = ""


@dataclass(frozen=True)
class Heading:
    label: str
    is_number: bool = False


@dataclass(frozen=True)
class Listing:
    """A list with its headings. The first cell with a person is the head of its row."""

    title: str
    headings: list[Heading]
    rows: list[list[Cell]]
    empty: str
    marked: frozenset[int] = frozenset()
    """The rows that are the reader's own, by their index."""


@dataclass(frozen=True)
class PictureRow:
    text: str
    note: str


@dataclass(frozen=True)
class Insight:
    name: str
    board: Board
    lead: str
    listings: list[Listing]
    csv: list[list[Any]]
    counted_at: datetime | None
    query: dict[str, str] = field(default_factory=dict)
    """What the address says beside the board."""
    chart: Columns | TimeChart | Lanes | None = None
    chart_label: str = ""
    legend: list[str] = field(default_factory=list)
    marks: frozenset[int] = frozenset()
    picture_rows: list[PictureRow] = field(default_factory=list)

    @property
    def label(self) -> str:
        return str(LABELS[self.name])

    @property
    def title(self) -> str:
        parts = [self.label, role_label(self.board.game, self.board.role) if self.board.role else ""]
        if self.board.club:
            parts.append(self.board.club.name)
        if self.name in WINDOWED and not self.board.window.is_all_time:
            parts.append(self.board.window.label)
        if players := self.query.get("players"):
            parts.append(_("Tables of %(players)s") % {"players": players})
        return " · ".join(part for part in parts if part)

    @property
    def is_bars(self) -> bool:
        return isinstance(self.chart, Columns)

    @property
    def is_curves(self) -> bool:
        return isinstance(self.chart, TimeChart)

    @property
    def is_lanes(self) -> bool:
        return isinstance(self.chart, Lanes)

    @property
    def is_empty(self) -> bool:
        return not any(listing.rows for listing in self.listings)

    def address(self, kind: str = "") -> str:
        """The address of the page, or of its file or picture of some kind: `csv`, `svg`, `png`."""
        return address_of(self.board, self.name, kind, **self.query)

    @property
    def csv_address(self) -> str:
        return self.address("csv")

    @property
    def svg_address(self) -> str:
        return self.address("svg")

    @property
    def png_address(self) -> str:
        return self.address("png")


WINDOWED = frozenset({"curves", "story"})
ROLES = frozenset({"distribution", "curves", "story"})
CLUBS = frozenset({"distribution", "climbers"})


def narrowed(board: Board, name: str) -> Board:
    """The board without what this insight does not know: it is counted for people, and not for every period."""
    return Board(
        board.game,
        board.role if name in ROLES else "",
        board.club if name in CLUBS else None,
        board.window if name in WINDOWED else Board(board.game).window,
    )


def address_of(board: Board, name: str, kind: str = "", **more: str) -> str:
    route = "boards:insight-file" if kind else "boards:insight"
    query = urlencode(narrowed(board, name).query | {key: value for key, value in more.items() if value}, safe=",")
    return reverse(route, args=[board.game, name, *([kind] if kind else [])]) + (f"?{query}" if query else "")


def picture_of(board: Board, kind: str = "png") -> str:
    """The address of a board's own picture."""
    query = urlencode(board.query)
    return reverse("boards:picture", args=[board.game, kind]) + (f"?{query}" if query else "")


def insight(request: HttpRequest, game: str, name: str) -> Insight:
    """What an address asks for. 404 for what does not exist, 400 for what cannot be read."""
    board = narrowed(board_from_query(game, request.GET, request.user), name)
    return BUILDERS[name](request, board)


def _distribution(request: HttpRequest, board: Board) -> Insight:
    handle = request.GET.get("around", "")
    person: User | None = request.user if isinstance(request.user, User) else None
    if handle:
        people = User.objects.filter(is_active=True, is_guest=False)
        person = get_object_or_404(people, handle__iexact=handle.replace("\0", ""))
    told = insights.distribution(board, person)
    bars, you = told.bars, told.you
    mine = frozenset(at for at, bar in enumerate(bars) if you and bar.low <= you.points < bar.high)
    lead = ngettext(
        "%(players)s player has a place on this board.", "%(players)s players have a place on this board.", told.players
    ) % {"players": told.players}
    if you:
        lead += " " + _("%(name)s has %(points)s points: more than %(percent)s%% of them.") % {
            "name": you.user.name,
            "points": you.points,
            "percent": you.percent,
        }
    listing = Listing(
        _("Players by rating"),
        [Heading(_("Rating")), Heading(_("Players"), True), Heading(_("Share"), True)],
        [
            [
                Cell(_("%(low)s to %(high)s") % {"low": bar.low, "high": bar.high - 1}),
                Cell(str(bar.players)),
                Cell(f"{round(100 * bar.players / told.players)}%"),
            ]
            for bar in bars
        ],
        _("Nobody has a place on this board yet."),
        mine,
    )
    return Insight(
        "distribution",
        board,
        lead,
        [listing],
        [["from", "to", "players"], *([bar.low, bar.high, bar.players] for bar in bars)],
        told.counted_at,
        {"around": person.handle} if handle and person else {},
        chart_svg.columns(bars[0].low, bars[0].high - bars[0].low, [bar.players for bar in bars]) if bars else None,
        _("How the ratings are spread"),
        marks=mine,
    )


def _climbers(request: HttpRequest, board: Board) -> Insight:
    counted_at, climbers = insights.climbers(board)
    rows = [
        [
            Cell(str(place)),
            _person(each.user),
            Cell(number_format.signed(points(each.gained)), trend="up"),
            Cell(str(points(each.number))),
            Cell(str(each.games)),
        ]
        for place, each in enumerate(climbers, start=1)
    ]
    listing = Listing(
        _("Climbers of the month"),
        [
            Heading(_("Place"), True),
            Heading(_("Player")),
            Heading(_("Gained"), True),
            Heading(_("Rating"), True),
            Heading(_("Games"), True),
        ],
        rows,
        _("Nobody has climbed yet: it takes three games within thirty days."),
        _own(request, [each.user for each in climbers]),
    )
    header = ["place", "handle", "name", "gained", "rating", "games"]
    lines = [
        [place, *_named(each.user), each.gained / SCALE, each.number / SCALE, each.games]
        for place, each in enumerate(climbers, start=1)
    ]
    lead = _("Who has won most points in the last %(days)s days, with a settled rating all the time.") % {
        "days": LATELY.days
    }
    picture = [
        PictureRow(f"{place}. {each.user.name}", number_format.signed(points(each.gained)))
        for place, each in enumerate(climbers, start=1)
    ]
    return Insight("climbers", board, lead, [listing], [header, *lines], counted_at, picture_rows=picture)


def _tables(request: HttpRequest, board: Board) -> Insight:
    sizes = insights.sizes_of(board.game)
    given = request.GET.get("players", "")
    players = whole_number(given, maximum=99) if given else sizes[0]
    if players is None:
        raise BadRequest("players is a number")
    counted_at, rows = insights.at_tables_of(board, players)
    listing = Listing(
        _("Tables of %(players)s") % {"players": players},
        [
            Heading(_("Place"), True),
            Heading(_("Player")),
            Heading(_("Points"), True),
            Heading(_("Games"), True),
            Heading(_("Won"), True),
        ],
        [
            [
                Cell(str(row.place)),
                _person(row.user),
                Cell(number_format.signed(points(row.gained)), trend=number_format.trend(row.gained)),
                Cell(str(row.games)),
                Cell(f"{round(100 * row.wins / row.games)}%"),
            ]
            for row in rows
        ],
        _("Nobody has a place here yet: it takes five games at tables of this size."),
        _own(request, [row.user for row in rows]),
    )
    lead = _(
        "How many points of their rating players have won at tables of this size. "
        "All sizes together are what their games have changed."
    )
    header = ["place", "handle", "name", "points", "games", "wins"]
    lines = [[row.place, *_named(row.user), row.gained / SCALE, row.games, row.wins] for row in rows]
    picture = [PictureRow(f"{row.place}. {row.user.name}", number_format.signed(points(row.gained))) for row in rows]
    query = {"players": str(players)} if given else {}
    return Insight("tables", board, lead, [listing], [header, *lines], counted_at, query, picture_rows=picture)


def _records(request: HttpRequest, board: Board) -> Insight:
    told = insights.records(board, request.user)
    runs = Listing(
        _("Longest run of wins"),
        [Heading(_("Player")), Heading(_("Wins"), True), Heading(_("From")), Heading(_("Until"))],
        [[_person(run.user), Cell(str(run.wins)), _day(run.first), _day(run.last)] for run in told.runs],
        _("No run of wins yet."),
        _own(request, [run.user for run in told.runs]),
    )
    most = Listing(
        _("Most matches"),
        [Heading(_("Player")), Heading(_("Games"), True), Heading(_("Won"), True)],
        [
            [_person(each.user), Cell(str(each.games)), Cell(f"{round(100 * each.wins / each.games)}%")]
            for each in told.most_matches
        ],
        _("No rated match yet."),
        _own(request, [each.user for each in told.most_matches]),
    )
    header = ["record", "handle", "name", "value", "opponent", "from", "to"]
    lines: list[list[Any]] = [
        ["run", *_named(run.user), run.wins, "", run.first.isoformat(), run.last.isoformat()] for run in told.runs
    ]
    for upset in told.upsets:
        opponent = upset.loser.user.handle if upset.loser else upset.change.result.scenario
        day = upset.change.at.date().isoformat()
        lines.append(["upset", *_named(upset.change.user), upset.gap / SCALE, escape_formula(opponent), day, day])
    lines += [["matches", *_named(each.user), each.games, "", "", ""] for each in told.most_matches]
    picture = []
    if told.runs:
        picture.append(PictureRow(f"{runs.title}: {told.runs[0].user.name}", str(told.runs[0].wins)))
    upsets = _upsets(board, told.upsets)
    if told.upsets:
        first = told.upsets[0]
        picture.append(PictureRow(f"{upsets.title}: {_winners(first)}", str(points(first.gap))))
    if told.most_matches:
        picture.append(PictureRow(f"{most.title}: {most.rows[0][0].text}", str(told.most_matches[0].games)))
    lead = _("From public games of players with a settled rating.")
    lists = [runs, upsets, most]
    return Insight("records", board, lead, lists, [header, *lines], told.counted_at, picture_rows=picture)


def _upsets(board: Board, upsets: Sequence[insights.Upset]) -> Listing:
    """A win against more points; in a cooperative game against a harder scenario."""
    if board.is_cooperative:
        headings = [Heading(_("Team")), Heading(_("Scenario"))]
        rows = [
            [Cell(_winners(upset)), Cell(f"{_scenario(upset)}, {size_label(upset.change.players)}")] for upset in upsets
        ]
    else:
        headings = [Heading(_("Winner")), Heading(_("Against"))]
        rows = [[_person(upset.change.user), _person(upset.loser.user)] for upset in upsets if upset.loser]
    ends = [
        [
            Cell(str(points(upset.gap)), href=reverse("boards:change", args=[upset.change.pk])),
            _day(upset.change.at.date(), upset.change.result.match if upset.winner.may_open else None),
        ]
        for upset in upsets
    ]
    return Listing(
        _("Biggest upset"),
        [*headings, Heading(_("Points behind"), True), Heading(_("Day"))],
        [[*row, *end] for row, end in zip(rows, ends)],
        _("No upset yet."),
    )


def _winners(upset: insights.Upset) -> str:
    if upset.loser:
        return upset.change.user.name
    return ", ".join(seat.user.name for seat in upset.winner.table)


def _scenario(upset: insights.Upset) -> str:
    return scenario_label(upset.change.pool.game, upset.change.result.scenario)


def _curves(request: HttpRequest, board: Board) -> Insight:
    handles = request.GET.get("people", "")
    people = insights.people_named(board, handles)
    curves = insights.curves(board, people, request.user)
    listing = Listing(
        _("The curves in numbers"),
        [
            Heading(_("Player")),
            Heading(pgettext("rating", "First"), True),
            Heading(pgettext("rating", "Latest"), True),
            Heading(_("Highest"), True),
            Heading(_("Lowest"), True),
            Heading(_("Games"), True),
        ],
        [_curve_row(curve) for curve in curves],
        _("Choose players whose ratings you want to see together."),
        _own(request, people),
    )
    lines = [[day.day.isoformat(), *_named(curve.user), day.number / SCALE] for curve in curves for day in curve.days]
    picture_size = [[(day.day, day.number / SCALE) for day in curve.days] for curve in curves]
    return Insight(
        "curves",
        board,
        _("Several players in one chart, day by day."),
        [listing],
        [["day", "handle", "name", "rating"], *lines],
        None,
        {"people": ",".join(person.handle for person in people)} if handles else {},
        chart_svg.over_time(picture_size),
        _("Ratings of %(names)s") % {"names": ", ".join(person.name for person in people)},
        [person.name for person in people],
    )


def _curve_row(curve: Curve) -> list[Cell]:
    numbers = [day.number for day in curve.days]
    ends = [numbers[0], numbers[-1], max(numbers), min(numbers)] if numbers else []
    cells = [str(points(number)) for number in ends] or ["–"] * 4
    return [_person(curve.user), *(Cell(text) for text in (*cells, str(curve.games)))]


def _story(request: HttpRequest, board: Board) -> Insight:
    counted_at, reigns = insights.story(board)
    leaders = _by_leader(reigns)
    latest = reigns[::-1][:MAX_REIGNS]
    listing = Listing(
        _("Leaders over time"),
        [
            Heading(_("Player")),
            Heading(_("From")),
            Heading(_("Until")),
            Heading(_("Days"), True),
            Heading(_("Rating"), True),
        ],
        [
            [
                _person(reign.user),
                _day(reign.first),
                _day(reign.last),
                Cell(str(reign.days)),
                Cell(str(points(reign.number))),
            ]
            for reign in latest
        ],
        _("Nobody led this board in that time."),
        _own(request, [reign.user for reign in latest]),
    )
    lines = [
        [reign.first.isoformat(), reign.last.isoformat(), *_named(reign.user), reign.number / SCALE] for reign in reigns
    ]
    shown = list(leaders.values())[:MAX_LANES]
    return Insight(
        "story",
        board,
        _("Who was first at the end of each day, in the last two years."),
        [listing],
        [["from", "to", "handle", "name", "rating"], *lines],
        counted_at,
        {},
        chart_svg.lanes([[(reign.first, reign.last) for reign in own] for own in shown]),
        _("Leaders over time"),
        [own[0].user.name for own in shown],
    )


def _by_leader(reigns: Sequence[Reign]) -> dict[int, list[Reign]]:
    """The reigns of each leader, whoever led for most days first."""
    own: dict[int, list[Reign]] = {}
    for reign in reigns:
        own.setdefault(reign.user.pk, []).append(reign)
    return dict(sorted(own.items(), key=lambda each: -sum(reign.days for reign in each[1])))


def _person(user: User) -> Cell:
    return Cell(user.name, person=user)


def _named(user: User) -> list[str]:
    return [escape_formula(user.handle), escape_formula(user.name)]


def _day(day: date, match: Any = None) -> Cell:
    return Cell(periods.format_day(day), href=match.get_absolute_url() if match else "")


def _own(request: HttpRequest, users: Sequence[User]) -> frozenset[int]:
    return frozenset(at for at, user in enumerate(users) if user.pk == request.user.pk)


BUILDERS: dict[str, Callable[[HttpRequest, Board], Insight]] = {
    "distribution": _distribution,
    "climbers": _climbers,
    "records": _records,
    "tables": _tables,
    "curves": _curves,
    "story": _story,
}
