"""Counts over all players of a pool: no index can answer them, so a worker makes them and pages read the result.

Everything is computed from ratings and their changes, so a digest may be deleted at any time. It holds numbers of rows
only: names and permissions are looked up when it is read.
"""

import heapq
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Avg, Count, F, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

import engine
from games.models import Match
from leagues.elo.deviation import PROVISIONAL_VARIANCE, overall, sure_days, utc_day
from leagues.elo.result_types import SCALE, RatingKind
from leagues.leaderboards import encounters
from leagues.leaderboards.board_query import Board, roles_of
from leagues.leaderboards.rows import ACTIVE, LATELY, ranked
from leagues.models import BoardDigest, Rating, RatingChange, RatingPool

SOONEST = timedelta(seconds=20)
SHARE = 30
"""Counting takes at most one part in so many of a worker's time."""
LOST = timedelta(hours=1)
"""After so long a count that has not ended is begun again."""
STEP = 50
"""The width of a bar of the distribution, in points."""
LISTED, RECORDS = 50, 20
CLIMBED_IN, AT_SIZE = 3, 5
"""How many games a climber has played in the month, and a player at tables of one size."""
HORIZON = timedelta(days=730)
FOLLOWED = 50

Leaders = dict[date, tuple[int, int]]
"""By day: the player who led at its end, and their number."""


def due() -> list[int]:
    """The pools that should be counted now."""
    pools = RatingPool.objects.filter(Q(digest=None) | _is_due("digest__"))
    return list(pools.order_by("pk").values_list("pk", flat=True))


def _is_due(prefix: str = "") -> Q:
    now = timezone.now()
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    wanted = Q(**{f"{prefix}is_stale": True}) | Q(**{f"{prefix}made_at__lt": today})
    return Q(**{f"{prefix}next_at__lte": now}) & wanted


def refresh(*, pool_id: int) -> bool:
    """Count a pool if that is due, and say whether it was. Of two workers one counts."""
    pool = RatingPool.objects.filter(pk=pool_id).first()
    if pool is None:
        return False
    BoardDigest.objects.get_or_create(pool=pool)
    mine = BoardDigest.objects.filter(pool=pool)
    begun_at = timezone.now()
    # A result that is counted from now on makes it stale again.
    if not mine.filter(_is_due()).update(is_stale=False, next_at=begun_at + LOST):
        return False
    start = time.perf_counter()
    data = count(pool.game)
    pause = timedelta(seconds=SHARE * (time.perf_counter() - start))
    mine.update(data=data, made_at=begun_at, next_at=timezone.now() + max(SOONEST, pause))
    return True


def count(game: str) -> dict[str, Any]:
    """Everything a digest holds, as JSON."""
    boards = [Board(game, role) for role in ("", *roles_of(game))]
    return {
        "distribution": {board.role: distribution(board) for board in boards},
        "climbers": climbers(boards[0]),
        "most_matches": most_matches(boards[0]),
        "runs": runs(boards[0]),
        "upsets": upsets(boards[0]),
        "tables": {str(players): at_tables_of(boards[0], players) for players in engine.game(game).players},
        "story": {board.role: story(board) for board in boards},
    }


# -- those who have a place now


def _placed(board: Board) -> QuerySet[Any]:
    """People with a place. A club's own board has guests too; nothing that is counted here has."""
    return ranked(board).filter(is_guest=False).order_by()


def distribution(board: Board) -> list[list[int]]:
    """How many of the ranked players are in each bar: the points at its beginning, and the players."""
    bars = _placed(board).annotate(bar=F("number") / (STEP * SCALE))
    counted = bars.values_list("bar").annotate(players=Count("pk")).order_by("bar")
    return [[bar * STEP, players] for bar, players in counted]


def climbers(board: Board) -> list[list[int]]:
    """Who has won most points in the last month: player, thousandths, games.

    Only players whose number was sure in all of these games: a newcomer's first estimate moves far and means little.
    """
    people = _placed(board).values("user_id")
    lately = RatingChange.objects.standing().filter(pool=board.pool, at__gte=timezone.now() - LATELY)
    moved = (
        lately.filter(user_id__in=people)
        .order_by()
        .values("user_id")
        .annotate(gained=Sum(F("after") - F("before")), played=Count("pk"), least=Min("variance"), most=Max("variance"))
        .filter(gained__gt=0, played__gte=CLIMBED_IN, least__gt=0, most__lte=PROVISIONAL_VARIANCE)
        .order_by("-gained", "user_id")
    )
    return [list(row) for row in moved.values_list("user_id", "gained", "played")[:LISTED]]


def at_tables_of(board: Board, players: int) -> list[list[int]]:
    """What tables of one size did to ratings: player, thousandths, games, wins.

    Of games that anyone may know of: a rating is public, but not at how large a table of a private league it was won.
    """
    people = _placed(board).values("user_id")
    changes = public(RatingChange.objects.standing().filter(pool=board.pool, players=players, user_id__in=people))
    moved = (
        changes.order_by()
        .values("user_id")
        .annotate(gained=Sum(F("after") - F("before")), played=Count("pk"), wins=Count("pk", filter=Q(won=True)))
        .filter(played__gte=AT_SIZE)
        .order_by("-gained", "user_id")
    )
    return [list(row) for row in moved.values_list("user_id", "gained", "played", "wins")[:LISTED]]


# -- records


def sure_people(pool: RatingPool | None) -> QuerySet[Rating]:
    """People, neither bots nor guests, whose rating is not provisional today."""
    sure = Rating.objects.filter(pool=pool, is_bot=False, is_guest=False)
    return sure.filter(sure_until__gte=utc_day(timezone.now()))


def public(changes: QuerySet[RatingChange]) -> QuerySet[RatingChange]:
    """Changes by games that anyone may know of: none of private clubs and leagues, none at tables by link."""
    nobody = AnonymousUser()
    listed = Q(result__match=None) | Q(result__match__in=Match.objects.listed_for(nobody).values("pk"))
    return changes.filter(listed).exclude(result__source__in=encounters.hidden_sources(nobody))


def most_matches(board: Board) -> list[list[int]]:
    most = sure_people(board.pool).order_by("-games", "user_id")
    return [list(row) for row in most.values_list("user_id", "games", "wins")[:RECORDS]]


def runs(board: Board) -> list[list[Any]]:
    """The longest runs of wins in public games: player, wins, first and last day."""
    people = sure_people(board.pool)
    changes = public(RatingChange.objects.standing().filter(pool=board.pool))
    likely = list(people.order_by("-wins", "user_id").values_list("user_id", flat=True)[:500])
    best = _longest(changes.filter(user_id__in=likely))
    if len(likely) == 500:
        # Nobody with fewer wins than the shortest of these runs can have a longer one.
        least = best[-1][1] if len(best) == RECORDS else 0
        best = _longest(changes.filter(user_id__in=people.filter(wins__gt=least).values("user_id")), best)
    return [[user, wins, first.isoformat(), last.isoformat()] for user, wins, first, last in best]


def _longest(changes: QuerySet[RatingChange], known: Iterable[Any] = ()) -> list[tuple[int, int, date, date]]:
    best = {run[0]: run for run in known}
    games = changes.order_by("user_id", "at", "pk").values_list("user_id", "won", "at")
    least = 0
    for user, played in groupby(games.iterator(chunk_size=5000), itemgetter(0)):
        run = _best_run(played)
        if run is None or run[0] < least:
            continue
        best[user] = (user, *run)
        if len(best) > 4 * RECORDS:
            best = {one[0]: one for one in _first(best.values())}
            least = min(one[1] for one in best.values())
    return _first(best.values())


def _best_run(played: Iterable[tuple[int, bool, datetime]]) -> tuple[int, date, date] | None:
    """The longest run of wins: how many, and its first and last day."""
    best: tuple[int, date, date] | None = None
    length, begun = 0, None
    for _user, won, at in played:
        if not won:
            length = 0
            continue
        begun = at if length == 0 else begun
        length += 1
        if begun and (best is None or length > best[0]):
            best = (length, utc_day(begun), utc_day(at))
    return best


def _first(runs: Iterable[tuple[int, int, date, date]]) -> list[tuple[int, int, date, date]]:
    """The longest runs; of equal ones the earlier."""
    return sorted(runs, key=lambda run: (-run[1], run[3], run[0]))[:RECORDS]


def upsets(board: Board) -> list[list[int]]:
    """Public games that were won against the largest difference: result, thousandths, winner's and loser's change.

    In a cooperative game it is how much harder the scenario was than the team was strong.
    """
    people = sure_people(board.pool).values("user_id")
    changes = public(RatingChange.objects.standing().filter(pool=board.pool, user_id__in=people))
    sure = {"variance__gt": 0, "variance__lte": PROVISIONAL_VARIANCE}
    if board.is_cooperative:
        won = (
            changes.filter(won=True, **sure).order_by().values("result_id").annotate(gap=Max("offset") - Avg("before"))
        )
        found = won.filter(gap__gt=0).order_by("-gap", "result_id").values_list("result_id", "gap")[:RECORDS]
        return [[result, round(gap)] for result, gap in found]
    other = {f"result__changes__{name}": value for name, value in sure.items()}
    beaten = changes.filter(
        won=False,
        **sure,
        **other,
        result__changes__won=True,
        result__changes__superseded_by=None,
        result__changes__user_id__in=people,
    )
    gap = F("before") + F("role_before") - F("result__changes__before") - F("result__changes__role_before")
    largest = beaten.order_by().annotate(gap=gap, winner=F("result__changes__pk")).filter(gap__gt=0)
    rows = largest.order_by("-gap", "result_id", "seat").values_list("result_id", "gap", "winner", "pk")
    # A winner may have beaten several at one table: the strongest of them counts.
    once: dict[int, list[int]] = {}
    for row in rows[: 12 * RECORDS]:
        once.setdefault(row[0], list(row))
    return list(once.values())[:RECORDS]


# -- who led when


def story(board: Board) -> list[list[Any]]:
    """Who led the board at the end of each day: first and last day, player, thousandths on the last."""
    if board.pool is None:
        return []
    today = utc_day(timezone.now())
    first = today - HORIZON
    begin = datetime(first.year, first.month, first.day, tzinfo=UTC) - ACTIVE
    changes = RatingChange.objects.standing().filter(
        pool=board.pool, at__gte=begin, user__is_bot=False, user__is_guest=False
    )
    if board.role:
        changes = changes.filter(role=board.role)
    numbered: Any = changes.annotate(number=F("after") + F("role_after") if board.role else F("after"))
    floor = ranked(board).values_list("number", flat=True)[FOLLOWED - 1 : FOLLOWED]
    leaders: Leaders = {}
    upto = today
    for number in floor:
        # Where somebody as strong as this had a place, nobody weaker led: only such players need to be followed.
        strong = numbered.filter(number__gte=number).order_by().values("user_id")
        followed = _leaders(board, numbered.filter(user_id__in=strong), first, today)
        leaders = {day: led for day, led in followed.items() if led[1] >= number}
        upto = max((day for day in _days(first, today) if day not in leaders), default=first - timedelta(days=1))
    if upto >= first:
        end = datetime(upto.year, upto.month, upto.day, tzinfo=UTC) + timedelta(days=1)
        leaders = {day: led for day, led in leaders.items() if day > upto}
        leaders |= _leaders(board, numbered.filter(at__lt=end), first, upto)
    return _reigns(leaders)


def _days(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=day) for day in range((last - first).days + 1))


def _leaders(board: Board, changes: QuerySet[RatingChange], first: date, last: date) -> Leaders:
    columns = ("user_id", "at", "number", "variance_after", "other_variance_after", "covariance_after")
    rows = changes.order_by("at", "pk").values_list(*columns).iterator(chunk_size=5000)
    by_mean = board.kind is RatingKind.ONE_VS_MANY and not board.role
    known: dict[int, tuple[int, int, date]] = {}
    heap: list[tuple[int, int, date]] = []
    leaders: Leaders = {}
    row = next(rows, None)
    for day in _days(first, last):
        while row is not None and utc_day(row[1]) <= day:
            user, at, number, variance, other, covariance = row
            sure = sure_days(overall(variance, other, covariance) if by_mean else variance)
            # Somebody who is not sure, or no longer, stands in the heap under no number.
            known.pop(user, None)
            if sure is not None:
                known[user] = (-number, user, utc_day(at) + timedelta(days=min(sure, ACTIVE.days)))
                heapq.heappush(heap, known[user])
            row = next(rows, None)
        while heap and (known.get(heap[0][1]) != heap[0] or heap[0][2] < day):
            heapq.heappop(heap)
        if heap:
            leaders[day] = (heap[0][1], -heap[0][0])
    return leaders


def _reigns(leaders: Leaders) -> list[list[Any]]:
    """Days in a row with one leader, the earliest first."""
    reigns: list[list[Any]] = []
    before = None
    for day in sorted(leaders):
        user, number = leaders[day]
        if reigns and reigns[-1][2] == user and before == day - timedelta(days=1):
            reigns[-1][1], reigns[-1][3] = day.isoformat(), number
        else:
            reigns.append([day.isoformat(), day.isoformat(), user, number])
        before = day
    return reigns
