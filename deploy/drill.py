"""Fault drills: parts of a full house are killed without a word, one after another, and matches are only delayed.

The house is started as the tests start it: real programs, real PostgreSQL and Redis, all of them our own to kill.
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

from tests import services
from tests.houses import MANAGE, Production, Program, children_of

DOWN = 2.0
# For a machine with much else to do: a drill that heals late shows it in its table.
PATIENCE, HEALING = 3600.0, 600.0
PRESENCE_EVERY = 8.0
Kills = dict[str, Callable[[], object]]
RUNNING = "SELECT count(*) FROM games_match WHERE status = 'playing'"
MOVES = "SELECT count(*) FROM games_move"
NOT_TAKEN_UP = (
    "SELECT count(*) FROM games_match WHERE status = 'finished' AND NOT EXISTS (SELECT 1 FROM leagues_pickup"
    " WHERE leagues_pickup.match_id = games_match.id AND leagues_pickup.done_at IS NOT NULL)"
)
NOT_FOLDED = "SELECT count(*) FROM leagues_ratedresult WHERE counts <> folded"

# A league of bots, one round of it for every part that is killed.
FOUND_LEAGUE = """
from accounts import clubs
from accounts.models import User
from leagues import competitions, draw, enrol
from leagues.models import Stage
olga = User.objects.create_user("olga", "olga@club.test")
club = clubs.found(founder=olga, name="Drill")
league = competitions.found_league(actor=olga, club=club, name="Drill", game="splendor-marvel")
season = competitions.add_season(actor=olga, league=league, where="online")
season.odds = False  # minutes of arithmetic after every result would keep the workers from the matches
season.save(update_fields=["odds"])
division = competitions.add_division(actor=olga, season=season, name="Bots")
competitions.add_stage(actor=olga, division=division, format="round-robin")
competitions.open_registration(actor=olga, season=season)
for _ in range(4):
    for level in ("rookie", "regular"):
        enrol.add_bot(actor=olga, division=division, level=level)
draw.start(actor=olga, season=season)
draw.pair_all(actor=olga, stage=Stage.objects.get())
"""
PUBLISH = """
from accounts.models import User
from leagues import draw
from leagues.models import Round
drafted = Round.objects.filter(published_at=None).order_by("number").first()
if drafted is not None:
    draw.publish(actor=User.objects.get(handle="olga"), round=drafted)
"""
# Every match from its record, every result from its match, every rating from its results.
JUDGE = """
import json, engine
from games import ending, fairness
from games.models import Match, Move
from leagues.models import Pairing, RatedResult, Result, Round
from leagues.ratings import settling
found = dict.fromkeys(("finished", "plies", "wrong_records", "wrong_results"), 0)
for match in Match.objects.all():
    kept = list(Move.objects.filter(match=match).order_by("ply").values_list("ply", flat=True))
    found["plies"] += len(kept)
    found["finished"] += match.is_finished
    again = engine.replay(fairness.record_of(match))
    found["wrong_records"] += kept != list(range(match.ply)) or again.outcome is None
    ranks = list(match.seats.order_by("index").values_list("rank", flat=True))
    found["wrong_results"] += again.outcome is None or ranks != ending.final_ranks(
        again.outcome.ranks, [False] * match.players
    )
tables = Pairing.objects.filter(round__in=Round.objects.exclude(published_at=None)).select_related("match")
found["wrong_tables"] = 0
for table in tables:
    results = list(Result.objects.filter(pairing=table, in_force=True, kind="confirmed", source="match"))
    ranks = sorted(table.match.seats.values_list("rank", flat=True)) if table.match else None
    found["wrong_tables"] += [sorted(each["rank"] for each in one.places) for one in results] != [ranks]
rated = Match.objects.filter(rated=True, status="finished").count()
found["unrated"] = rated - RatedResult.objects.filter(counts=True, folded=True).count()
found["wrong_pools"] = sum(each.report.differs for each in settling.check_all())
print(json.dumps(found | {"matches": Match.objects.count(), "tables": tables.count(), "rated": rated}))
"""


@dataclass(frozen=True)
class Drill:
    """One part that was killed: what ran at that moment, and how long it took until matches went on."""

    killed: str
    matches: int
    sockets: int
    cut: int
    moved_again: float
    ready_again: float


@dataclass(frozen=True)
class Verdict:
    """What all matches and sockets looked like in the end."""

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


# -- the audience


class Audience:
    """Sockets that behave as pages do: they come back, catch up, and watch a match until its end."""

    def __init__(self, house: Production, size: int) -> None:
        self.house, self.size, self.cut = house, size, 0
        self.keys: list[str] = []
        self.busy: set[int] = set()
        self.open: set[int] = set()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._meet()), name="audience", daemon=True)
        self._thread.start()

    async def _meet(self) -> None:
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
        luck = random.Random(number)
        while True:
            while not self.keys:
                await asyncio.sleep(0.2)
            key = luck.choice(self.keys)
            self.busy.add(number)
            while number in self.busy:
                try:
                    await self._sit(number, key)
                    self.busy.discard(number)
                    with suppress(ValueError):
                        self.keys.remove(key)
                except (OSError, WebSocketException):
                    await asyncio.sleep(luck.uniform(0.3, 1))

    async def _sit(self, number: int, key: str) -> None:
        """Watch over one connection until the match has ended."""
        web = self.house.webs[number % len(self.house.webs)]
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


def run(matches: int, sockets: int, house: Production, kills: Kills, tell: Callable[[Drill], object]) -> Verdict:
    """Kill each part in turn while at least so many matches run and so many sockets are open."""
    house.python(FOUND_LEAGUE)
    audience = Audience(house, sockets)
    try:
        for name, kill in kills.items():
            fill(house, audience, matches)
            tell(one(house, audience, name, kill))
        audience.keys = []  # everyone sees their match to its end and takes no other
        services.wait_until(lambda: not house.rows(RUNNING)[0][0], PATIENCE, "some matches have not ended")
        services.wait_until(lambda: not house.rows(NOT_TAKEN_UP)[0][0], PATIENCE, "some results were lost")
        services.wait_until(lambda: not house.rows(NOT_FOLDED)[0][0], PATIENCE, "some results are not rated")
        with suppress(AssertionError):
            services.wait_until(lambda: not audience.busy, HEALING, "some sockets are behind")
        return judge(house, audience)
    finally:
        audience.close()


def fill(house: Production, audience: Audience, matches: int) -> None:
    """Enough matches for a while, everyone in front of one, and moves being made."""
    house.python(PUBLISH)
    before = house.rows(MOVES)[0][0]

    def is_full() -> bool:
        return len(audience.open) == audience.size and house.rows(RUNNING)[0][0] >= matches

    while not is_full():
        house.python(
            "from games import exhibition; from games.models import Match\n"
            f"for _ in range({matches} + {matches} // 4 - Match.objects.filter(status='playing').count()):\n"
            "    exhibition.begin(game='splendor-marvel', players=4, pace=0)"
        )
        audience.keys = [key for (key,) in house.rows("SELECT key FROM games_match WHERE status = 'playing'")]
        # Quick bots may have finished some before everyone had a seat: then there are new ones.
        services.wait_until(
            lambda: is_full() or house.rows(RUNNING)[0][0] < matches, HEALING, "not everyone has a socket and a match"
        )
    services.wait_until(lambda: house.rows(MOVES)[0][0] > before, HEALING, "no bot moves")


def one(house: Production, audience: Audience, name: str, kill: Callable[[], object]) -> Drill:
    running, watched, cut = house.rows(RUNNING)[0][0], len(audience.open), audience.cut
    began = time.monotonic()
    kill()
    moved = ready = 0.0
    before = moves(house)

    def is_well() -> bool:
        nonlocal moved, ready, before
        now = time.monotonic() - began
        if before is None:
            before = moves(house)
        elif not moved and (moves(house) or 0) > before:
            moved = now
        if not ready and house.is_ready():
            ready = now
        return bool(moved and ready)

    services.wait_until(is_well, HEALING, f"the house has not healed after {name}")
    return Drill(name, running, watched, audience.cut - cut, moved, ready)


def moves(house: Production) -> int | None:
    with suppress(psycopg.Error):
        return int(house.rows(MOVES)[0][0])
    return None


def judge(house: Production, audience: Audience) -> Verdict:
    """What the house has kept, against what follows from it."""
    found = json.loads(house.python(JUDGE).splitlines()[-1])
    return Verdict(**found, sockets=audience.size, sockets_behind=len(audience.busy))


# -- ways to die


def every_kill(house: Production) -> Kills:
    return {
        "a process of the worker": lambda: kill_children(house.programs["worker"]),
        "the whole worker": lambda: kill_worker(house),
        "beat": lambda: kill_beat(house),
        "one of two web processes": lambda: kill_web(house),
        "Redis": lambda: kill_redis(house),
        "PostgreSQL": kill_postgres,
        "everything at once": lambda: kill_everything(house),
    }


def shoot(program: Program) -> None:
    """Kill a program and its children without a word."""
    for pid in [*children_of(program.process.pid), program.process.pid]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    program.process.wait()


def kill_children(worker: Program) -> None:
    """Nobody starts them again but the worker itself."""
    for pid in children_of(worker.process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_worker(house: Production) -> None:
    shoot(house.programs["worker"])
    time.sleep(DOWN)
    house.start_worker()


def kill_beat(house: Production) -> None:
    shoot(house.programs["beat"])
    time.sleep(DOWN)
    house.start_beat()


def kill_web(house: Production) -> None:
    shoot(house.programs["web-1"])
    time.sleep(DOWN)
    start_web(house, 1)


def start_web(house: Production, number: int) -> None:
    """Where it was: the proxy and the pages know its address."""
    house.run(f"web-{number}", *MANAGE, "web", "--port", str(urlsplit(house.webs[number - 1]).port))


def kill_redis(house: Production) -> None:
    house.redis.kill()
    time.sleep(DOWN)
    house.redis.start()


def kill_postgres() -> None:
    services.kill_postgres()
    time.sleep(DOWN)
    services.revive_postgres()


def kill_everything(house: Production) -> None:
    for program in house.programs.values():
        shoot(program)
    house.redis.kill()
    services.kill_postgres()
    time.sleep(DOWN)
    services.revive_postgres()
    house.redis.start()
    house.start_worker()
    house.start_beat()
    for number in (1, 2):
        start_web(house, number)
