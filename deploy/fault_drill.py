"""Fault drills: parts of a busy site are killed one after another. Matches may only be delayed, never damaged.

The servers are started as the tests start them: real programs, real PostgreSQL and Redis, all of them ours to kill.
"""

import asyncio
import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from deploy.harness import services
from deploy.harness.prepared_state import MANAGE
from deploy.harness.servers import ProductionServers, ServerProcess, children_of

DOWNTIME = 2.0
# Seconds. Long, for a busy machine: the table of the drill shows how long a recovery really took.
FINISH_TIMEOUT, RECOVERY_TIMEOUT = 3600.0, 600.0
PRESENCE_EVERY = 8.0
Kills = dict[str, Callable[[], object]]
RUNNING = "SELECT count(*) FROM games_match WHERE status = 'playing'"
MOVES = "SELECT count(*) FROM games_move"
NOT_TAKEN_IN = (
    "SELECT count(*) FROM games_match WHERE status = 'finished' AND NOT EXISTS (SELECT 1 FROM leagues_pickup"
    " WHERE leagues_pickup.match_id = games_match.id AND leagues_pickup.done_at IS NOT NULL)"
)
NOT_RATED = "SELECT count(*) FROM leagues_ratedresult WHERE counts <> folded"

# A league of bots, one round of it for every part that is killed.
CREATE_LEAGUE = """
from accounts import clubs
from accounts.models import User
from leagues.entries import registration
from leagues.models import Stage
from leagues.rounds import draw
from leagues.seasons import setup
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.create_club(founder=olga, name="Drill")
league = setup.create_league(actor=olga, club=club, name="Drill", game="splendor-marvel")
season = setup.add_season(actor=olga, league=league, where="online")
season.odds = False  # minutes of computing after every result would keep the workers from the matches
season.save(update_fields=["odds"])
division = setup.add_division(actor=olga, season=season, name="Bots")
setup.add_stage(actor=olga, division=division, format="round-robin")
setup.open_registration(actor=olga, season=season)
for _ in range(4):
    for level in ("rookie", "regular"):
        registration.add_bot(actor=olga, division=division, level=level)
draw.start(actor=olga, season=season)
draw.draw_all_rounds(actor=olga, stage=Stage.objects.get())
"""
PUBLISH = """
from accounts.models import User
from leagues.models import Round
from leagues.rounds import draw
drafted = Round.objects.filter(published_at=None).order_by("number").first()
if drafted is not None:
    draw.publish(actor=User.objects.get(handle="olga"), round=drafted)
"""
# Checks every match against its record, every result against its match, every rating against its results.
CHECK = """
import json, engine
from games import fairness
from games.models import Match, Move
from games.play import finish
from leagues.models import Pairing, RatedResult, Result, Round
from leagues.ratings import pending
counts = dict.fromkeys(("finished", "plies", "wrong_records", "wrong_results"), 0)
for match in Match.objects.all():
    kept = list(Move.objects.filter(match=match).order_by("ply").values_list("ply", flat=True))
    counts["plies"] += len(kept)
    counts["finished"] += match.is_finished
    again = engine.replay(fairness.transcript_of(match))
    counts["wrong_records"] += kept != list(range(match.ply)) or again.outcome is None
    ranks = list(match.seats.order_by("index").values_list("rank", flat=True))
    counts["wrong_results"] += again.outcome is None or ranks != finish.final_ranks(
        again.outcome.ranks, [False] * match.players
    )
tables = Pairing.objects.filter(round__in=Round.objects.exclude(published_at=None)).select_related("match")
counts["wrong_tables"] = 0
for table in tables:
    results = list(Result.objects.filter(pairing=table, in_force=True, kind="confirmed", source="match"))
    ranks = sorted(table.match.seats.values_list("rank", flat=True)) if table.match else None
    counts["wrong_tables"] += [sorted(each["rank"] for each in one.places) for one in results] != [ranks]
rated = Match.objects.filter(rated=True, status="finished").count()
counts["unrated"] = rated - RatedResult.objects.filter(counts=True, folded=True).count()
counts["wrong_pools"] = sum(each.report.differs for each in pending.check_all())
print(json.dumps(counts | {"matches": Match.objects.count(), "tables": tables.count(), "rated": rated}))
"""


@dataclass(frozen=True)
class Drill:
    """One part that was killed: what ran at that moment, and how long it took until matches continued."""

    killed: str
    matches: int
    sockets: int
    cut: int
    moved_again: float
    ready_again: float


@dataclass(frozen=True)
class Verdict:
    """The state of all matches and sockets at the end."""

    matches: int
    finished: int
    plies: int
    wrong_records: int
    wrong_results: int
    tables: int
    wrong_tables: int
    rated: int
    unrated: int
    wrong_pools: int
    sockets: int
    sockets_behind: int

    @property
    def is_clean(self) -> bool:
        lost = self.wrong_records + self.wrong_results + self.wrong_tables + abs(self.unrated) + self.wrong_pools
        return self.finished == self.matches and not (lost or self.sockets_behind)


# -- spectators


class Spectators:
    """Sockets that behave as pages do: they reconnect, catch up, and watch a match until its end."""

    def __init__(self, site: ProductionServers, size: int) -> None:
        self.site, self.size, self.cut = site, size, 0
        self.keys: list[str] = []
        self.busy: set[int] = set()
        self.open: set[int] = set()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="spectators", daemon=True)
        self._thread.start()

    async def _run(self) -> None:
        tasks = [asyncio.create_task(self._watch(number)) for number in range(self.size)]
        while not self._is_over.is_set():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self) -> None:
        self._is_over.set()
        self._thread.join(60)

    async def _watch(self, number: int) -> None:
        rng = random.Random(number)
        while True:
            while not self.keys:
                await asyncio.sleep(0.2)
            key = rng.choice(self.keys)
            self.busy.add(number)
            while number in self.busy:
                try:
                    await self._connect(number, key)
                    self.busy.discard(number)
                    with suppress(ValueError):
                        self.keys.remove(key)
                except (OSError, WebSocketException):
                    await asyncio.sleep(rng.uniform(0.3, 1))

    async def _connect(self, number: int, key: str) -> None:
        """Watch a match over one connection until it has ended."""
        web = self.site.webs[number % len(self.site.webs)]
        async with connect(
            web.replace("http", "ws", 1) + "/ws/", origin=Origin(web), compression=None, max_size=None, open_timeout=30
        ) as socket:
            self.open.add(number)
            try:
                await self._listen(socket, f"match.{key}")
            except WebSocketException:
                self.cut += 1
                raise
            finally:
                self.open.discard(number)

    async def _listen(self, socket: ClientConnection, topic: str) -> None:
        seen = -1
        await socket.send(json.dumps({"subscribe": topic}))
        while True:
            try:
                frame = json.loads(await asyncio.wait_for(socket.recv(), PRESENCE_EVERY))
            except TimeoutError:
                frame = {"event": "resync"}
            if frame.get("event") == "match" and frame["v"] >= seen:
                seen = frame["v"]
                if frame["status"] == "finished":
                    return
            elif frame.get("event") == "resync":
                await socket.send(json.dumps({"to": topic, "message": {"here": True, "after": max(seen, 0)}}))


# -- the drills


def run(
    matches: int, sockets: int, site: ProductionServers, kills: Kills, report: Callable[[Drill], object]
) -> Verdict:
    """Kill each part in turn while at least this many matches run and this many sockets are open."""
    site.python(CREATE_LEAGUE)
    spectators = Spectators(site, sockets)
    try:
        for name, kill in kills.items():
            fill(site, spectators, matches)
            report(run_one(site, spectators, name, kill))
        spectators.keys = []  # every socket watches its match to the end and takes no other
        services.wait_until(lambda: not site.rows(RUNNING)[0][0], FINISH_TIMEOUT, "some matches have not ended")
        services.wait_until(lambda: not site.rows(NOT_TAKEN_IN)[0][0], FINISH_TIMEOUT, "some results were lost")
        services.wait_until(lambda: not site.rows(NOT_RATED)[0][0], FINISH_TIMEOUT, "some results are not rated")
        with suppress(AssertionError):
            services.wait_until(lambda: not spectators.busy, RECOVERY_TIMEOUT, "some sockets are behind")
        return check(site, spectators)
    finally:
        spectators.close()


def fill(site: ProductionServers, spectators: Spectators, matches: int) -> None:
    """Start enough matches, connect every spectator to one, and wait until moves are made."""
    site.python(PUBLISH)
    before = site.rows(MOVES)[0][0]

    def is_full() -> bool:
        return len(spectators.open) == spectators.size and site.rows(RUNNING)[0][0] >= matches

    while not is_full():
        site.python(
            "from games.models import Match; from games.tables import exhibition\n"
            f"for _ in range({matches} + {matches} // 4 - Match.objects.filter(status='playing').count()):\n"
            "    exhibition.start_exhibition(game='splendor-marvel', players=4, pace=0)"
        )
        spectators.keys = [key for (key,) in site.rows("SELECT key FROM games_match WHERE status = 'playing'")]
        # Quick bots may have finished some before every spectator was connected: then new ones are started.
        services.wait_until(
            lambda: is_full() or site.rows(RUNNING)[0][0] < matches,
            RECOVERY_TIMEOUT,
            "not all spectators watch",
        )
    services.wait_until(lambda: site.rows(MOVES)[0][0] > before, RECOVERY_TIMEOUT, "no bot moves")


def run_one(site: ProductionServers, spectators: Spectators, name: str, kill: Callable[[], object]) -> Drill:
    running, watched, cut = site.rows(RUNNING)[0][0], len(spectators.open), spectators.cut
    began = time.monotonic()
    kill()
    moved = ready = 0.0
    before = moves(site)

    def has_recovered() -> bool:
        nonlocal moved, ready, before
        now = time.monotonic() - began
        if before is None:
            before = moves(site)
        elif not moved and (moves(site) or 0) > before:
            moved = now
        if not ready and site.is_ready():
            ready = now
        return bool(moved and ready)

    services.wait_until(has_recovered, RECOVERY_TIMEOUT, f"the site has not recovered from killing {name}")
    return Drill(name, running, watched, spectators.cut - cut, moved, ready)


def moves(site: ProductionServers) -> int | None:
    with suppress(psycopg.Error):
        return int(site.rows(MOVES)[0][0])
    return None


def check(site: ProductionServers, spectators: Spectators) -> Verdict:
    """Compare what the site has stored with what it must be."""
    counts = json.loads(site.python(CHECK).splitlines()[-1])
    return Verdict(**counts, sockets=spectators.size, sockets_behind=len(spectators.busy))


# -- ways to kill


def all_kills(site: ProductionServers) -> Kills:
    return {
        "a process of the worker": lambda: kill_children(site.programs["worker"]),
        "the whole worker": lambda: kill_worker(site),
        "beat": lambda: kill_beat(site),
        "one of two web processes": lambda: kill_web(site),
        "Redis": lambda: kill_redis(site),
        "PostgreSQL": kill_postgres,
        "everything at once": lambda: kill_everything(site),
    }


def kill_program(program: ServerProcess) -> None:
    """Kill a program and its children, without warning."""
    for pid in [*children_of(program.process.pid), program.process.pid]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    program.process.wait()


def kill_children(worker: ServerProcess) -> None:
    """Kill the child processes only. The worker has to replace them."""
    for pid in children_of(worker.process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_worker(site: ProductionServers) -> None:
    kill_program(site.programs["worker"])
    time.sleep(DOWNTIME)
    site.start_worker()


def kill_beat(site: ProductionServers) -> None:
    kill_program(site.programs["beat"])
    time.sleep(DOWNTIME)
    site.start_beat()


def kill_web(site: ProductionServers) -> None:
    kill_program(site.programs["web-1"])
    time.sleep(DOWNTIME)
    start_web(site, 1)


def start_web(site: ProductionServers, number: int) -> None:
    """On the same port as before: the proxy and the pages know its address."""
    site.run(f"web-{number}", *MANAGE, "web", "--port", str(urlsplit(site.webs[number - 1]).port))


def kill_redis(site: ProductionServers) -> None:
    site.redis.kill()
    time.sleep(DOWNTIME)
    site.redis.start()


def kill_postgres() -> None:
    services.kill_postgres()
    time.sleep(DOWNTIME)
    services.revive_postgres()


def kill_everything(site: ProductionServers) -> None:
    for program in site.programs.values():
        kill_program(program)
    site.redis.kill()
    services.kill_postgres()
    time.sleep(DOWNTIME)
    services.revive_postgres()
    site.redis.start()
    site.start_worker()
    site.start_beat()
    for number in (1, 2):
        start_web(site, number)
