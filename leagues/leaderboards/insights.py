"""What can be read from a board beyond its places: distribution, climbers, records, table sizes, curves, story.

A game's own are read from its digest: one row, whatever the number of players. Those of a club are counted at once,
over its members only. Permissions and names are looked up here, for the few rows that are shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.core.exceptions import BadRequest
from django.db.models import F
from django.db.models.functions import Lower
from django.http import Http404
from django.utils import timezone

import engine
from accounts.access import Actor
from accounts.models import User
from leagues.elo.deviation import utc_day
from leagues.elo.result_types import SCALE, points
from leagues.leaderboards import digests, encounters
from leagues.leaderboards.board_query import Board
from leagues.leaderboards.player_records import GameSummary
from leagues.leaderboards.rows import ranked
from leagues.models import BoardDigest, Rating, RatingChange

MAX_CURVES = 6
MAX_GAMES = 2000
"""The latest games of a player that a curve is drawn from."""
USUAL = 3

FEW = 500
"""So many players are counted one by one for the place of one of them."""


@dataclass(frozen=True)
class Bar:
    """Players from `low` to below `high` points."""

    low: int
    high: int
    players: int


@dataclass(frozen=True)
class Standpoint:
    """Where a player is in the distribution."""

    user: User
    points: int
    percent: int
    """How many of a hundred players have fewer points."""


@dataclass(frozen=True)
class Distribution:
    counted_at: datetime | None
    bars: list[Bar]
    you: Standpoint | None

    @property
    def players(self) -> int:
        return sum(bar.players for bar in self.bars)


@dataclass(frozen=True)
class Climber:
    user: User
    number: int
    gained: int
    games: int


@dataclass(frozen=True)
class AtTable:
    """What tables of one size did to a player's rating."""

    place: int
    user: User
    gained: int
    games: int
    wins: int


@dataclass(frozen=True)
class Run:
    user: User
    wins: int
    first: date
    last: date


@dataclass(frozen=True)
class Upset:
    """A game won against the odds. In a cooperative game nobody lost, and the team is the summary's."""

    winner: GameSummary
    loser: RatingChange | None
    gap: int

    @property
    def change(self) -> RatingChange:
        return self.winner.change


@dataclass(frozen=True)
class MostMatches:
    user: User
    games: int
    wins: int


@dataclass(frozen=True)
class Records:
    counted_at: datetime | None
    runs: list[Run]
    upsets: list[Upset]
    most_matches: list[MostMatches]


@dataclass(frozen=True)
class Day:
    day: date
    number: int


@dataclass(frozen=True)
class Curve:
    """A player's number at the end of each day with a game."""

    user: User
    days: list[Day]
    games: int


@dataclass(frozen=True)
class Reign:
    user: User
    first: date
    last: date
    number: int

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def digest_of(board: Board) -> BoardDigest | None:
    """The counted numbers of the board's game; None if they have not been counted yet."""
    return BoardDigest.objects.filter(pool=board.pool, made_at__isnull=False).first() if board.pool else None


def distribution(board: Board, person: User | None) -> Distribution:
    """The ranked players by points, with the place of one of them."""
    counted_at, counted = _counted(board)
    bars = [Bar(low, low + digests.STEP, players) for low, players in _without_gaps(counted)]
    number = ranked(board).filter(user=person).values_list("number", flat=True).first() if person else None
    you = Standpoint(person, points(number), _percent(board, bars, number)) if person and number is not None else None
    return Distribution(counted_at, bars, you)


def _counted(board: Board) -> tuple[datetime | None, list[Any]]:
    if board.pool is None:
        return None, []
    if board.club:
        return timezone.now(), digests.distribution(board)
    digest = digest_of(board)
    return (digest.made_at, digest.data["distribution"].get(board.role, [])) if digest else (None, [])


def _without_gaps(counted: list[Any]) -> list[tuple[int, int]]:
    if not counted:
        return []
    known: dict[int, int] = dict(counted)
    return [(low, known.get(low, 0)) for low in range(min(known), max(known) + 1, digests.STEP)]


def _percent(board: Board, bars: Sequence[Bar], number: int) -> int:
    """The share of players below a number. Where they are many, those inside its bar count as evenly spread."""
    of = sum(bar.players for bar in bars)
    if of <= FEW:
        return min(99, 100 * ranked(board).filter(number__lt=number).count() // of) if of else 0
    below = 0.0
    for bar in bars:
        inside = (number / SCALE - bar.low) / (bar.high - bar.low)
        below += bar.players * min(max(inside, 0), 1)
    return min(99, int(100 * below / of))


def climbers(board: Board) -> tuple[datetime | None, list[Climber]]:
    """Who has won most points in the last thirty days."""
    counted_at: datetime | None = timezone.now()
    rows: list[Any] = []
    if not board.club:
        digest = digest_of(board)
        counted_at, rows = (digest.made_at, digest.data["climbers"]) if digest else (None, [])
    elif board.pool:
        rows = digests.climbers(board)
    known = _ranked_now(board, (row[0] for row in rows))
    return counted_at, [
        Climber(known[user].user, known[user].rating, gained, games) for user, gained, games in rows if user in known
    ]


def at_tables_of(board: Board, players: int) -> tuple[datetime | None, list[AtTable]]:
    """What tables of one size did to ratings, most points first."""
    if players not in engine.game(board.game).players:
        raise Http404
    digest = digest_of(board)
    if digest is None:
        return None, []
    rows = digest.data["tables"].get(str(players), [])
    known = _ranked_now(board, (row[0] for row in rows))
    seen = [row for row in rows if row[0] in known]
    return digest.made_at, [
        AtTable(place, known[user].user, gained, games, wins)
        for place, (user, gained, games, wins) in enumerate(seen, start=1)
    ]


def records(board: Board, reader: Actor) -> Records:
    digest = digest_of(board)
    if digest is None:
        return Records(None, [], [], [])
    data = digest.data
    users = {row[0] for row in (*data["runs"], *data["most_matches"])}
    sure = digests.sure_people(board.pool).filter(user_id__in=users).select_related("user")
    known = {rating.user_id: rating.user for rating in sure}
    runs = [
        Run(known[user], wins, date.fromisoformat(first), date.fromisoformat(last))
        for user, wins, first, last in data["runs"]
        if user in known
    ]
    most = [MostMatches(known[user], games, wins) for user, games, wins in data["most_matches"] if user in known]
    return Records(digest.made_at, runs, _upsets(board, data["upsets"], reader), most)


def _upsets(board: Board, rows: Sequence[Sequence[int]], reader: Actor) -> list[Upset]:
    """Asked again what is public: a league may have become private since these were counted."""
    results = [row[0] for row in rows]
    shown = digests.public(RatingChange.objects.standing().filter(result__in=results)).values_list("pk", "result_id")
    open_results = {result for _pk, result in shown}
    tables = encounters.tables_of(open_results)
    open_to_reader = encounters.linkable_matches(reader, tables.values())
    upsets = []
    for result, gap, *pair in rows:
        seats = {seat.pk: seat for seat in tables.get(result, [])}
        if not seats or not set(pair) <= seats.keys():
            continue
        first = next(iter(seats.values()))
        winner = seats[pair[0]] if pair else first
        may_open = first.result.match_id in open_to_reader
        loser = seats[pair[1]] if pair else None
        upsets.append(Upset(GameSummary(winner, list(seats.values()), may_open), loser, gap))
    return upsets


def _ranked_now(board: Board, users: Iterable[int]) -> dict[int, Rating]:
    """Who of these has a place today: whoever became unsure or inactive since the count is left out."""
    found = ranked(board).filter(user_id__in=list(users)).select_related("user").order_by()
    return {rating.user_id: rating for rating in found} if board.pool else {}


def curves(board: Board, people: Sequence[User], reader: Actor) -> list[Curve]:
    """The curves of some players over the board's window, in the order asked for."""
    changes = RatingChange.objects.standing().filter(pool=board.pool, user__in=people)
    changes = changes.exclude(result__source__in=encounters.hidden_sources(reader))
    if board.role:
        changes = changes.filter(role=board.role)
    if board.window.since:
        changes = changes.filter(at__gte=board.window.since)
    if board.window.until:
        changes = changes.filter(at__lt=board.window.until)
    number = F("after") + F("role_after") if board.role else F("after")
    latest = changes.annotate(number=number).order_by("-at", "-pk")
    drawn = []
    for person in people:
        games = list(latest.filter(user=person).values_list("at", "number")[:MAX_GAMES]) if board.pool else []
        by_day = {utc_day(at): number for at, number in reversed(games)}
        drawn.append(Curve(person, [Day(day, number) for day, number in by_day.items()], len(games)))
    return drawn


def people_named(board: Board, handles: str) -> list[User]:
    """The players that an address names, in its order; without any, the first of the board."""
    wanted = list(dict.fromkeys(handle.strip().lower() for handle in handles.split(",") if handle.strip()))
    if not wanted:
        first = ranked(board).select_related("user")[:USUAL] if board.pool else []
        return [rating.user for rating in first if not rating.user.deleted_at]
    if len(wanted) > MAX_CURVES:
        raise BadRequest(f"at most {MAX_CURVES} players")
    named = User.objects.annotate(lower=Lower("handle")).filter(lower__in=wanted, is_active=True, is_guest=False)
    found = {user.handle.lower(): user for user in named} if "\0" not in handles else {}
    if len(found) < len(wanted):
        raise Http404
    return [found[handle] for handle in wanted]


def story(board: Board) -> tuple[datetime | None, list[Reign]]:
    """Who led the board when, within its window; the earliest first."""
    digest = digest_of(board)
    if digest is None:
        return None, []
    window = board.window
    since = utc_day(window.since) if window.since else date.min
    until = utc_day(window.until - timedelta(microseconds=1)) if window.until else date.max
    rows = [
        (user, max(date.fromisoformat(first), since), min(date.fromisoformat(last), until), number)
        for first, last, user, number in digest.data["story"].get(board.role, [])
    ]
    rows = [row for row in rows if row[1] <= row[2]]
    users = User.objects.in_bulk({row[0] for row in rows})
    return digest.made_at, [Reign(users[user], first, last, number) for user, first, last, number in rows]


def sizes_of(game: str) -> list[int]:
    return list(engine.game(game).players)
