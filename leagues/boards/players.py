"""A player's record: the curve of every game, and how it came about by role, seat, table and company."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

import engine
from accounts.models import User
from games import terms
from leagues.boards import curves, meetings, places, words
from leagues.boards.board import Board, role_label, roles_of
from leagues.boards.curves import Chart
from leagues.boards.meetings import Tally
from leagues.boards.places import Share
from leagues.boards.sums import scenario_words, size_words
from leagues.models import Rating, RatingChange
from leagues.ratings.kinds import PROVISIONAL, SCALE, Kind, points

RECENT = 5


class Point(NamedTuple):
    """One rated game of the person, as little of it as all the counting needs."""

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
    """A rating with its name: overall, or in a role."""

    label: str
    number: int
    games: int
    deviation: float

    @property
    def points(self) -> int:
        return points(self.number)

    @property
    def plus_minus(self) -> int:
        return words.plus_minus(self.deviation)

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL


@dataclass(frozen=True)
class Told:
    """A game as a mark on the curve or a line in a list tells it."""

    change: RatingChange
    table: list[RatingChange]
    may_open: bool

    @property
    def company(self) -> list[RatingChange]:
        return [seat for seat in self.table if seat.user_id != self.change.user_id]

    @property
    def names(self) -> str:
        return ", ".join(seat.user.name for seat in self.company)

    @property
    def moved(self) -> int:
        """Between the two numbers that people saw."""
        return points(self.change.after) - points(self.change.before)

    @property
    def before(self) -> int:
        return points(self.change.before)

    @property
    def after(self) -> int:
        return points(self.change.after)

    @property
    def outcome(self) -> str:
        return outcome_words(self.change)


@dataclass(frozen=True)
class Mark:
    """A dot of the curve and the game that it stands for."""

    dot: curves.Dot
    told: Told


@dataclass(frozen=True)
class Line:
    """Games and wins of one kind: of a role, a seat, a size of table."""

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
    """How much of what there was to take from opponents of one kind was taken; a table has several of them."""

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
    """Games won, or lost, one after another: the present run, and the longest of wins."""

    won: bool
    now: int
    longest: int


@dataclass(frozen=True)
class Record:
    """All about one player in one game."""

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
    best: Told | None
    best_of: RatingChange | None
    recent: list[Told]

    @property
    def title(self) -> str:
        return engine.game(self.game).title

    @property
    def kind(self) -> Kind:
        return self.rating.pool.kind

    @property
    def is_cooperative(self) -> bool:
        return self.kind is Kind.COOPERATIVE

    @property
    def board(self) -> Board:
        return Board(self.game, bots=self.rating.is_bot)

    @property
    def best_strength(self) -> int:
        """How strong the opponent of the best win was that day, role included."""
        return points(self.best_of.before + self.best_of.role_before) if self.best_of else 0

    @property
    def best_words(self) -> str:
        """The hardest scenario that was ever beaten."""
        if self.best_of is None:
            return ""
        scenario = scenario_words(self.game, self.best_of.result.scenario)
        return f"{scenario}, {size_words(self.best_of.players)} ({points(self.best_of.offset)})"

    @property
    def company(self) -> list[Taken]:
        """Points taken from people and from bots, kept apart."""
        rating = self.rating
        both = ((_("People"), rating.met_people, rating.took_people), (_("Bots"), rating.met_bots, rating.took_bots))
        return [Taken(label, met, took) for label, met, took in both if met]


def records(person: User, reader: object) -> list[Record]:
    """One a game that the person has rated games in, the most played first."""
    ratings = list(Rating.objects.filter(user=person).select_related("pool").order_by("-games", "pool"))
    if not ratings:
        return []
    points_by_game: dict[str, list[Point]] = {rating.pool.game: [] for rating in ratings}
    for point in _points(person):
        points_by_game[point.game].append(point)
    tallies = meetings.tallies(person)
    best = {game: meetings.best_win(person, game) for game in points_by_game}
    shown = {point.result_id for found in points_by_game.values() for point in _shown(found)}
    tables = meetings.tables_of(shown | {change.result_id for change in best.values() if change})
    open_to_reader = meetings.open_to(reader, tables.values())
    return [
        _record(person, rating, points_by_game[rating.pool.game], tallies, best, tables, open_to_reader)
        for rating in ratings
    ]


def _points(person: User) -> Iterable[Point]:
    fields = ("pk", "result_id", "pool__game", "role", "seat", "players", "won", "before", "after")
    mine = RatingChange.objects.standing().filter(user=person).order_by("at", "pk")
    return map(Point._make, mine.values_list(*fields))


def _shown(found: Sequence[Point]) -> list[Point]:
    """Those with a mark on the curve, and the latest."""
    marked = {at - 1 for at in curves.chosen(len(found) + 1) if at > 0}
    marked.update(range(max(len(found) - RECENT, 0), len(found)))
    return [found[at] for at in sorted(marked)]


def _record(
    person: User,
    rating: Rating,
    found: list[Point],
    tallies: dict[str, list[Tally]],
    best: dict[str, RatingChange | None],
    tables: dict[int, list[RatingChange]],
    open_to_reader: set[int],
) -> Record:
    game = rating.pool.game

    def told(result_id: int, pk: int | None = None) -> Told:
        table = tables[result_id]
        mine = next(seat for seat in table if seat.pk == pk or (pk is None and seat.user_id == person.pk))
        return Told(mine, table, mine.result.match_id in open_to_reader)

    chart, marks = None, []
    if found:
        numbers = [found[0].before / SCALE, *(point.after / SCALE for point in found)]
        chart = curves.chart(numbers)
        marks = [Mark(dot, told(found[dot.at - 1].result_id, found[dot.at - 1].pk)) for dot in chart.dots]
    best_of = best[game]
    met = tallies.get(game, [])
    return Record(
        game=game,
        rating=rating,
        numbers=_numbers(rating),
        place=places.place_of(Board(game, bots=rating.is_bot), person),
        chart=chart,
        marks=marks,
        by_role=_by_role(game, found),
        by_seat=_lines(found, "seat", lambda seat: _("Seat %(seat)s") % {"seat": seat + 1}),
        by_size=_lines(found, "players", _table_of),
        streaks=streaks([point.won for point in found]),
        opponents=[tally for tally in met if not tally.beside],
        mates=[tally for tally in met if tally.beside],
        best=told(best_of.result_id) if best_of else None,
        best_of=best_of,
        recent=[told(point.result_id, point.pk) for point in reversed(found[-RECENT:])],
    )


def _numbers(rating: Rating) -> list[Number]:
    game = rating.pool.game
    label = role_label(game, "") if roles_of(game) else ""
    found = [Number(label, rating.rating, rating.games, rating.deviation)]
    for role, side in zip(roles_of(game), ("solo", "team")):
        if games := getattr(rating, f"{side}_games"):
            number: int = getattr(rating, f"as_{side}")
            found.append(Number(role_label(game, role), number, games, rating.deviation_on(side=side)))
    return found


def _by_role(game: str, found: Sequence[Point]) -> list[Line]:
    words = terms.of_game(game)
    return _lines(found, "role", lambda role: words.get(role, role)) if roles_of(game) else []


def _lines(found: Sequence[Point], field: str, words: Callable[[Any], str]) -> list[Line]:
    games = Counter(getattr(point, field) for point in found)
    wins = Counter(getattr(point, field) for point in found if point.won)
    # Thanos sits first and is told first; sizes and seats go upwards.
    order = sorted(games) if field != "role" else sorted(games, reverse=True)
    return [Line(words(value), Share(str(value), games[value], wins[value])) for value in order]


def _table_of(players: int) -> str:
    return _("Table of %(players)s") % {"players": players}


def streaks(won: Sequence[bool]) -> Streaks:
    """The run that the last game belongs to, and the longest run of wins."""
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


def outcome_words(change: RatingChange) -> str:
    """How it ended for this player, as one would say it in passing."""
    if change.left:
        return _("left the table")
    kind = change.pool.kind
    if kind is Kind.COOPERATIVE or kind is Kind.ONE_VS_MANY:
        return _("won") if change.won else _("lost")
    return _("place %(rank)s of %(players)s") % {"rank": change.rank, "players": change.players}
