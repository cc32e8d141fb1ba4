"""Leaderboards with few and with many players: the same number of queries, and hardly more time.

It fills databases of its own: SQLite always, PostgreSQL where a server is available. The time of a page is that of the
whole response, from the request to the last byte. It is compared with one SQL query that ranks everyone and returns
the same rows. What is counted over everybody is counted by a worker: that time is shown beside one grouping of all
changes by player, which no way of counting can do without.
"""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
from _pytest.outcomes import Skipped
from django.core.management import call_command
from django.db import connection, connections
from django.db.models import F, Model, QuerySet, Sum, Window
from django.db.models.functions import Rank
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from psycopg import conninfo, sql

from accounts.models import User
from deploy import preflight
from deploy.bench import Row
from deploy.harness import prepared_state, services
from leagues.elo.result_types import RatingKind
from leagues.leaderboards import digests, insight_pages
from leagues.leaderboards import rows as leaderboards_rows
from leagues.leaderboards.board_query import Board
from leagues.models import BoardDigest, RatedResult, Rating, RatingChange
from leagues.ratings import ledger

GAME = "splendor-marvel"
MATCHES_EACH = 3
YEARS = timedelta(days=2 * 365)
SECONDS = 10
AT_ONCE = 20_000
BOARD = f"/leaderboards/{GAME}/"
PLAIN = "ranking all in SQL"
INSIGHTS = {name: f"{BOARD}{name}/" for name in insight_pages.LABELS}


@dataclass(frozen=True)
class Size:
    """Numbers of players, small and large, and how often each page is requested."""

    few: int = 1_000
    many: int = 1_000_000
    times: int = 60


QUICK = Size(few=60, many=240, times=2)


def rows(*, quick: bool = False) -> Iterator[Row]:
    size = QUICK if quick else Size()
    if not preflight.static_is_fresh():
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    with sqlite():
        yield from both_sizes("SQLite", size)
    try:
        with postgres():
            yield from both_sizes("PostgreSQL", size)
    except Skipped as reason:
        yield Row(f"leaderboard, PostgreSQL: left out, {reason}", 0, "")


def both_sizes(kind: str, size: Size) -> Iterator[Row]:
    times = size.times
    fill(0, size.few)
    digests.refresh(pool_id=ledger.pool_for(GAME).pk)
    few, few_queries = page_time(BOARD, times)
    insights_of_few = {name: page_time(path, times) for name, path in INSIGHTS.items()}
    plain = timed(plain_query(), times)
    yield Row(f"leaderboard of {size.few:,} players, {kind}", few, "ms", None, PLAIN, plain, True)
    fill(size.few, size.many)
    many, many_queries = page_time(BOARD, times)
    plain = timed(plain_query(), times)
    yield Row(f"leaderboard of {size.many:,} players, {kind}", many, "ms", 2 * plain, PLAIN, plain, True)
    name = f"leaderboard, database queries, {kind}"
    yield Row(name, many_queries, "queries", few_queries, f"{size.few:,} players", few_queries, True)
    name = f"leaderboard, {size.many // size.few} times the players, {kind}"
    yield Row(name, many / few, "x time", 1.5, lower_is_better=True)
    yield Row(f"leaderboard, of this the query for its rows, {kind}", timed(own_query(0), times), "ms")
    middle = size.many // 2 // leaderboards_rows.PAGE_SIZE + 1
    deep, _queries = page_time(f"{BOARD}?page={middle}", times)
    yield Row(f"leaderboard from place {size.many // 2 + 1:,} on, {kind}", deep, "ms", 2 * plain, PLAIN, plain, True)
    lately, _queries = page_time(f"{BOARD}?window=90", times)
    yield Row(f"leaderboard of the last 90 days, {kind}", lately, "ms", 2 * plain, PLAIN, plain, True)
    grouped = once(bare(per_player()))
    BoardDigest.objects.update(is_stale=True, next_at=timezone.now())
    counting = once(lambda: digests.refresh(pool_id=ledger.pool_for(GAME).pk))
    name = f"counting {size.many:,} players for their insights, {kind}"
    yield Row(name, counting, "ms", 40 * grouped, "grouping all changes", grouped, True)
    for name, path in INSIGHTS.items():
        before, queries_before = insights_of_few[name]
        now, queries = page_time(path, times)
        about, least = f"{name}, {size.many:,} players, {kind}", f"{size.few:,} players"
        yield Row(about, now, "ms", max(2 * before, before + 20), least, before, True)
        yield Row(
            f"{about}, queries", queries, "queries", queries_before, f"{size.few:,} players", queries_before, True
        )


def per_player() -> QuerySet[Any]:
    """How many points everybody has won: the least that a count over all players takes."""
    changes = RatingChange.objects.standing().filter(pool__game=GAME).order_by()
    return changes.values("user_id").annotate(won=Sum(F("after") - F("before"))).order_by("-won")[:50]


def once(work: Callable[[], Any]) -> float:
    """Milliseconds of one run, for work that takes seconds."""
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def page_time(path: str, times: int) -> tuple[float, int]:
    """Milliseconds for the whole response, and the number of database queries it takes."""
    client = Client(SERVER_NAME="localhost")
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200, path
    # Before the next request, which empties the log.
    count = len(queries)
    return timed(lambda: client.get(path), times), count


def own_query(offset: int) -> Callable[[], None]:
    """The query of the page for its rows: first which players are on the page, then details of those only."""
    board = Board(GAME)
    here = leaderboards_rows.ranked(board).values("user_id")[offset : offset + leaderboards_rows.PAGE_SIZE + 1]
    return bare(leaderboards_rows.detailed(board, here))


def plain_query() -> Callable[[], None]:
    """The simplest query, without curves and changes: rank everyone and take the top."""
    board = Board(GAME)
    everyone = Rating.objects.filter(pool=board.pool, is_bot=False).select_related("user")
    ranks = everyone.annotate(place=Window(Rank(), order_by=F("rating").desc()))
    return bare(ranks.order_by("place", "user_id")[: leaderboards_rows.PAGE_SIZE])


def bare(query: QuerySet[Any]) -> Callable[[], None]:
    """Send a query and fetch the rows, without making objects of them."""
    statement, parameters = query.query.sql_with_params()

    def ask() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters)
            cursor.fetchall()

    return ask


def timed(work: Callable[[], Any], times: int) -> float:
    """Milliseconds, the best of several: other work on the machine can only add to it."""
    work()
    best, until = float("inf"), time.perf_counter() + SECONDS
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
        if time.perf_counter() > until:
            break
    return 1000 * best


# -- temporary databases


@contextmanager
def sqlite() -> Iterator[None]:
    with tempfile.TemporaryDirectory(dir=services.folder()) as folder:
        quick = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-200000;"
        name = shutil.copy(prepared_state.folder("off") / "gauntlet.sqlite3", folder)
        with using({"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": {"init_command": quick}}):
            yield


@contextmanager
def postgres() -> Iterator[None]:
    server = services.postgres()
    name = f"bench_{uuid4().hex[:12]}"
    where = conninfo.conninfo_to_dict(server)
    prepared_state.create_database(name)
    with psycopg.connect(server, autocommit=True) as admin:
        try:
            engine = {"ENGINE": "django.db.backends.postgresql", "NAME": name}
            given = {key.upper(): str(where.get(key, "")) for key in ("user", "password", "host", "port")}
            with using(engine | given):
                yield
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def using(settings: dict[str, Any]) -> Iterator[None]:
    """Everything in the block uses this database."""
    before, kept = connections.settings["default"], connections["default"]
    connections.settings["default"] = connections.configure_settings({"default": settings})["default"]
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = before
        connections["default"] = kept


# -- players and matches in bulk


def fill(first: int, last: int) -> None:
    """Create players with these numbers, and some two-player matches for each, spread over two years."""
    now = timezone.now()
    pool = ledger.pool_for(GAME)
    assert pool.kind is RatingKind.FREE_FOR_ALL
    for begin in range(first, last, AT_ONCE):
        people = [
            User(pk=at + 1, handle=f"p{at}", display_name=f"Player {at}", search=f"player {at} p{at}")
            for at in range(begin, min(begin + AT_ONCE, last))
        ]
        User.objects.bulk_create(people, batch_size=5000)
        Rating.objects.bulk_create((rating_of(pool.pk, each.pk, now) for each in people), batch_size=5000)
    numbers = {"pool": pool.pk, "first": first * MATCHES_EACH + 1, "last": last * MATCHES_EACH, "people": last}
    with connection.cursor() as cursor, without_indexes(cursor, RatedResult, RatingChange):
        insert(cursor, RatedResult, results(), numbers)
        for seat in (0, 1):
            insert(cursor, RatingChange, changes(seat), numbers)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def rating_of(pool: int, user: int, now: Any) -> Rating:
    number = 1_200_000 + user * 7919 % 700_000
    last = now - timedelta(minutes=user * 104_729 % 1_000_000)
    numbers = {"rating": number, "as_solo": number, "as_team": number, "games": 20, "wins": 9}
    certainty = {"variance": 60**2 * 1000, "sure_until": (last + timedelta(days=300)).date()}
    return Rating(pool_id=pool, user_id=user, is_bot=False, last_at=last, **numbers, **certainty)


def results() -> dict[str, str]:
    return {
        "id": "n",
        "source": "'bench:' || n",
        "version": "1",
        "pool_id": "{pool}",
        "finished_at": moment(),
        "batch": "''",
        "counts_at": moment(),
        "recorded_at": moment(),
        "scenario": "''",
        "seats": "'[]'",
        "reason": "''",
        "counts": true(),
        "folded": true(),
        "bots_only": false(),
        "void": false(),
    }


def changes(seat: int) -> dict[str, str]:
    """Two different players in each match; the ratings mean nothing."""
    first = "(n * 48271 % {people})"
    user = first if seat == 0 else f"(({first} + 1 + n % ({{people}} - 1)) % {{people}})"
    number = f"1200000 + ({user} * 7919 + n * 31) % 700000"
    unused = (
        "role_before",
        "role_after",
        "role_games",
        "offset",
        "offset_games",
        "offset_variance",
        "entry",
    )
    others = (
        "idle_days",
        "other_before",
        "other_after",
        "other_variance",
        "other_variance_after",
        "covariance",
        "covariance_after",
    )
    usual = dict.fromkeys((*unused, *others), "0")
    met = dict.fromkeys(("met_people", "took_people", "met_bots", "took_bots"), "0")
    return (
        usual
        | met
        | {
            "id": f"2 * n + {seat}",
            "pool_id": "{pool}",
            "result_id": "n",
            "user_id": f"{user} + 1",
            "at": moment(),
            "seat": str(seat),
            "players": "2",
            "role": "''",
            "rank": str(seat + 1),
            "won": false() if seat else true(),
            "left": false(),
            "before": number,
            "after": f"{number} + 7000",
            "games": "20",
            "variance": "3600000",
            "variance_after": "3600000",
        }
    )


def insert(cursor: Any, model: type[Model], values: dict[str, str], numbers: dict[str, int]) -> None:
    """One statement for all rows. A column without a value is an error, unless it may be null."""
    needed = {field.column for field in model._meta.concrete_fields if not field.null}
    assert needed <= set(values), needed - set(values)
    columns = ", ".join(connection.ops.quote_name(name) for name in values)
    selected = ", ".join(value.format(**numbers) for value in values.values())
    series = "WITH RECURSIVE s(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM s WHERE n < {last})"
    if connection.vendor == "postgresql":
        series = "WITH s(n) AS (SELECT generate_series({first}::bigint, {last}))"
    table, series = model._meta.db_table, series.format(**numbers)
    statement = f"INSERT INTO {table} ({columns}) {series} SELECT {selected} FROM s"  # noqa: S608
    if connection.vendor == "postgresql":
        # Foreign keys are checked by triggers, row by row; these rows are known to be correct.
        cursor.execute("SET session_replication_role = replica")
    cursor.execute(statement)
    if connection.vendor == "postgresql":
        cursor.execute("SET session_replication_role = DEFAULT")


@contextmanager
def without_indexes(cursor: Any, *models: type[Model]) -> Iterator[None]:
    """Filling first and building the indexes afterwards takes a tenth of the time."""
    tables = [model._meta.db_table for model in models]
    if connection.vendor == "postgresql":
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s) AND indexname NOT IN "
            "(SELECT conname FROM pg_constraint)",
            [tables],
        )
    else:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (%s, %s)",
            tables,
        )
    indexes = cursor.fetchall()
    for name, _definition in indexes:
        cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
    yield
    for _name, definition in indexes:
        cursor.execute(definition)


def moment() -> str:
    """SQL for the time when match n ended: the last one now, the first two years ago, most of them lately.

    The site has grown: so players have climbed in the last month also where there are few.
    """
    share = "(({last} - n) * 1.0 * ({last} - n) / {last} / {last})"
    seconds = int(YEARS.total_seconds())
    if connection.vendor == "postgresql":
        return f"now() - {share} * {seconds} * interval '1 second'"
    return f"strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || CAST({share} * {seconds} AS INTEGER) || ' seconds')"


def true() -> str:
    return "true" if connection.vendor == "postgresql" else "1"


def false() -> str:
    return "false" if connection.vendor == "postgresql" else "0"
