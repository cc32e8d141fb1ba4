"""A player's record in every game: the rating curve, and results by role, seat, table size and opponents."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from accounts.models import User
from games.catalogue import terms
from games.titles import game_title
from leagues.elo.result_types import PROVISIONAL, SCALE, RatingKind, points
from leagues.leaderboards import chart_svg, encounters, number_format, rows
from leagues.leaderboards.board_query import Board, role_label, roles_of
from leagues.leaderboards.change_breakdown import scenario_label, size_label
from leagues.leaderboards.chart_svg import Chart
from leagues.leaderboards.encounters import Tally
from leagues.leaderboards.rows import Share
from leagues.models import Rating, RatingChange

RECENT = 3


class Point(NamedTuple):
    """One rated game of the person, with only the fields needed for counting."""

    pk: int
    result_id: int
    game: str
    role: str
    seat: int
    players: int
    won: bool
    before: int
    after: int


@dataclass(frozen=True)
class Number:
    """A rating with its label: overall, or in a role."""

    label: str
    number: int
    games: int
    deviation: float

    @property
    def points(self) -> int:
        return points(self.number)

    @property
    def plus_minus(self) -> int:
        return number_format.plus_minus(self.deviation)

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL


@dataclass(frozen=True)
class GameSummary:
    """A game as shown at a mark on the curve or in a list."""

    change: RatingChange
    table: list[RatingChange]
    may_open: bool

    @property
    def others(self) -> list[RatingChange]:
        return [seat for seat in self.table if seat.user_id != self.change.user_id]

    @property
    def names(self) -> str:
        return ", ".join(seat.user.name for seat in self.others)

    @property
    def moved(self) -> int:
        """The difference between the two rounded ratings."""
        return points(self.change.after) - points(self.change.before)

    @property
    def before(self) -> int:
        return points(self.change.before)

    @property
    def after(self) -> int:
        return points(self.change.after)

    @property
    def outcome(self) -> str:
        return outcome_text(self.change)


@dataclass(frozen=True)
class Mark:
    """A dot on the curve and its game."""

    dot: chart_svg.Dot
    summary: GameSummary


@dataclass(frozen=True)
class Line:
    """Games and wins of one kind: a role, a seat, a table size."""

    label: str
    share: Share

    @property
    def percent(self) -> int:
        return self.share.percent

    @property
    def count(self) -> int:
        return self.share.games


@dataclass(frozen=True)
class Taken:
    """The share of points won from opponents of one kind; one table has several opponents."""

    label: str
    met: int
    twice: int

    @property
    def percent(self) -> int:
        return round(100 * self.twice / (2 * self.met))

    @property
    def count(self) -> int:
        return self.met


@dataclass(frozen=True)
class Streaks:
    """Games won or lost in a row: the current run, and the longest run of wins."""

    won: bool
    now: int
    longest: int


@dataclass(frozen=True)
class Record:
    """One player's record in one game."""

    game: str
    rating: Rating
    numbers: list[Number]
    place: int | None
    chart: Chart | None
    marks: list[Mark]
    by_role: list[Line]
    by_seat: list[Line]
    by_size: list[Line]
    streaks: Streaks
    opponents: list[Tally]
    mates: list[Tally]
    best: GameSummary | None
    best_of: RatingChange | None
    recent: list[GameSummary]

    @property
    def title(self) -> str:
        return game_title(self.game)

    @property
    def kind(self) -> RatingKind:
        return self.rating.pool.kind

    @property
    def is_cooperative(self) -> bool:
        return self.kind is RatingKind.COOPERATIVE

    @property
    def board(self) -> Board:
        return Board(self.game, bots=self.rating.is_bot)

    @property
    def best_strength(self) -> int:
        """The rating of the best win's opponent on that day, role included."""
        return points(self.best_of.before + self.best_of.role_before) if self.best_of else 0

    @property
    def best_text(self) -> str:
        """The hardest scenario ever beaten."""
        if self.best_of is None:
            return ""
        scenario = scenario_label(self.game, self.best_of.result.scenario)
        return f"{scenario}, {size_label(self.best_of.players)} ({points(self.best_of.offset)})"

    @property
    def by_opponent(self) -> list[Taken]:
        """Points won from people and from bots, separately."""
        rating = self.rating
        both = ((_("People"), rating.met_people, rating.took_people), (_("Bots"), rating.met_bots, rating.took_bots))
        return [Taken(label, met, took) for label, met, took in both if met]


def records(person: User, reader: object) -> list[Record]:
    """A record for each game with rated games, the most played first."""
    ratings = list(Rating.objects.filter(user=person).select_related("pool").order_by("-games", "pool"))
    if not ratings:
        return []
    points_by_game: dict[str, list[Point]] = {rating.pool.game: [] for rating in ratings}
    for point in _points(person, reader):
        points_by_game[point.game].append(point)
    tallies = encounters.tallies(person, reader)
    best = {game: encounters.best_win(person, game, reader) for game in points_by_game}
    shown_results = {point.result_id for points in points_by_game.values() for point in _points_on_the_curve(points)}
    tables = encounters.tables_of(shown_results | {change.result_id for change in best.values() if change})
    open_to_reader = encounters.linkable_matches(reader, tables.values())
    return [
        _record(person, rating, points_by_game[rating.pool.game], tallies, best, tables, open_to_reader)
        for rating in ratings
    ]


def _points(person: User, reader: object) -> Iterable[Point]:
    fields = ("pk", "result_id", "pool__game", "role", "seat", "players", "won", "before", "after")
    changes = RatingChange.objects.standing().filter(user=person).order_by("at", "pk")
    changes = changes.exclude(result__source__in=encounters.hidden_sources(reader))
    return map(Point._make, changes.values_list(*fields))


def _points_on_the_curve(points: Sequence[Point]) -> list[Point]:
    """Games with a mark on the curve, and the latest ones."""
    marked = {at - 1 for at in chart_svg.chosen(len(points) + 1) if at > 0}
    marked.update(range(max(len(points) - RECENT, 0), len(points)))
    return [points[at] for at in sorted(marked)]


def _record(
    person: User,
    rating: Rating,
    points: list[Point],
    tallies: dict[str, list[Tally]],
    best: dict[str, RatingChange | None],
    tables: dict[int, list[RatingChange]],
    open_to_reader: set[int],
) -> Record:
    game = rating.pool.game

    def summary_of(result_id: int, pk: int | None = None) -> GameSummary:
        table = tables[result_id]
        seat_of_person = next(seat for seat in table if seat.pk == pk or (pk is None and seat.user_id == person.pk))
        return GameSummary(seat_of_person, table, seat_of_person.result.match_id in open_to_reader)

    chart, marks = None, []
    if points:
        numbers = [points[0].before / SCALE, *(point.after / SCALE for point in points)]
        chart = chart_svg.chart(numbers)
        marks = [Mark(dot, summary_of(points[dot.at - 1].result_id, points[dot.at - 1].pk)) for dot in chart.dots]
    best_of = best[game]
    met = tallies.get(game, [])
    return Record(
        game=game,
        rating=rating,
        numbers=_numbers(rating),
        place=rows.place_of(Board(game, bots=rating.is_bot), person),
        chart=chart,
        marks=marks,
        by_role=_by_role(game, points),
        by_seat=_lines(points, "seat", lambda seat: _("Seat %(seat)s") % {"seat": seat + 1}),
        by_size=_lines(points, "players", _table_of),
        streaks=streaks([point.won for point in points]),
        opponents=[tally for tally in met if not tally.beside],
        mates=[tally for tally in met if tally.beside],
        best=summary_of(best_of.result_id) if best_of else None,
        best_of=best_of,
        recent=[summary_of(point.result_id, point.pk) for point in reversed(points[-RECENT:])],
    )


def _numbers(rating: Rating) -> list[Number]:
    game = rating.pool.game
    label = role_label(game, "") if roles_of(game) else ""
    numbers = [Number(label, rating.rating, rating.games, rating.deviation)]
    for role, side in zip(roles_of(game), ("solo", "team")):
        if games := getattr(rating, f"{side}_games"):
            number: int = getattr(rating, f"as_{side}")
            numbers.append(Number(role_label(game, role), number, games, rating.deviation_on(side=side)))
    return numbers


def _by_role(game: str, points: Sequence[Point]) -> list[Line]:
    labels = terms.of_game(game)
    roles = roles_of(game)
    return _lines(points, "role", lambda role: labels.get(role, role), roles) if roles else []


def _lines(points: Sequence[Point], field: str, label: Callable[[Any], str], listed: Sequence[Any] = ()) -> list[Line]:
    """A line for each value that occurs, in the order of `listed`, or else ascending."""
    games = Counter(getattr(point, field) for point in points)
    wins = Counter(getattr(point, field) for point in points if point.won)
    order = [value for value in listed if value in games] or sorted(games)
    return [Line(label(value), Share(str(value), games[value], wins[value])) for value in order]


def _table_of(players: int) -> str:
    return _("Table of %(players)s") % {"players": players}


def streaks(won: Sequence[bool]) -> Streaks:
    """The current run, and the longest run of wins."""
    longest = run = 0
    for each in won:
        run = run + 1 if each else 0
        longest = max(longest, run)
    now = 0
    for each in reversed(won):
        if each != won[-1]:
            break
        now += 1
    return Streaks(bool(won) and won[-1], now, longest)


def outcome_text(change: RatingChange) -> str:
    """How the game ended for this player, in a few words."""
    if change.left:
        return _("left the table")
    kind = change.pool.kind
    if kind is RatingKind.COOPERATIVE or kind is RatingKind.ONE_VS_MANY:
        return _("won") if change.won else _("lost")
    return _("place %(rank)s of %(players)s") % {"rank": change.rank, "players": change.players}
