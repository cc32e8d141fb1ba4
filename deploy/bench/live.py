"""How fast a move reaches the screens, what a crowd costs, and how many bots one worker serves.

Houses are started as the tests start them: real programs, real PostgreSQL and Redis.
"""

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine
from deploy.bench import Row
from engine.bots import BUDGETS, bot
from engine.bots.company import company
from tests import services
from tests.houses import Embedded, House, Production
from tests.matches import Player, begin

MOVES_A_SECOND = 4


@dataclass(frozen=True)
class Size:
    """How much is played, before how many, and for how long."""

    moves: int = 40
    crowd_moves: int = 40
    spectators: int = 1000
    # Seconds that the last frames have to arrive.
    grace: float = 3.0
    bot_matches: int = 40
    # For which the bots' moves are counted.
    seconds: float = 8.0


QUICK = Size(moves=4, crowd_moves=4, spectators=20, grace=0.5, bot_matches=2, seconds=1.0)


def rows(*, quick: bool = False) -> Iterator[Row]:
    size = QUICK if quick else Size()
    yield from one_spectator(size)
    with standing(OneProcessWorkers(new_folder(), GAUNTLET_DEMO="off")) as house:
        yield from a_crowd(house, size)
        yield from bots(house, size)


def new_folder() -> Path:
    return Path(tempfile.mkdtemp(dir=services.folder()))


@contextmanager
def standing(house: House) -> Iterator[Any]:
    try:
        house.furnish()
        house.open()
        yield house
    finally:
        house.close()
        shutil.rmtree(house.folder, ignore_errors=True)


# -- one spectator


def one_spectator(size: Size) -> Iterator[Row]:
    with standing(Embedded(new_folder(), GAUNTLET_DEMO="off")) as house:
        sessions = [house.sign_in(name) for name in ("anna", "bruno")]
        key = begin(house, *sessions)
        with (
            Player(house, key, sessions[0]) as one,
            Player(house, key, sessions[1]) as two,
            Player(house, key) as gallery,
        ):
            for screen in (one, two, gallery):
                screen.wait_for_ply(0)
            took = [moved(one, two, gallery) for _ in range(size.moves)]
            bare = [round_trip(gallery) for _ in range(size.moves)]
    yield Row(
        "a move to one spectator, embedded, p50",
        statistics.median(took) * 1000,
        "ms",
        5,
        "bare WebSocket round trip",
        statistics.median(bare) * 1000,
        lower_is_better=True,
    )


def moved(one: Player, two: Player, gallery: Player) -> float:
    """Seconds from sending a move to the spectator's frame."""
    mover = one if one.view["to_act"] == one.view["seat"] else two
    ply = mover.v + 1
    legal = mover.view["legal"]
    takes = [move for move in legal if not move.startswith(("recruit", "reserve"))]
    began = time.perf_counter()
    mover.play((takes or legal)[0])
    gallery.wait_for_ply(ply)
    took = time.perf_counter() - began
    for screen in (one, two):
        screen.wait_for_ply(ply)
    time.sleep(0.06)  # below the limit of messages a second
    return took


def round_trip(screen: Player) -> float:
    began = time.perf_counter()
    screen.socket.connection.ping().wait(5)
    return time.perf_counter() - began


# -- a crowd


def a_crowd(house: Production, size: Size) -> Iterator[Row]:
    sessions = [house.sign_in(name) for name in ("anna", "bruno")]
    key = begin(house, *sessions)
    web = house.programs["web-1"].process.pid
    with Player(house, key, sessions[0], web=1) as one, Player(house, key, sessions[1], web=1) as two:
        ours = crowded(house.webs[0], f"match.{key}", web, size, lambda: sent_moves(one, two, size.crowd_moves))
        frame = len(one.received[-1])
    port = services.free_port()
    textbook = house.run(
        "textbook", sys.executable, "-m", "uvicorn", "deploy.bench.textbook:application",
        "--port", str(port), "--ws", "websockets-sansio", "--no-access-log", "--log-level", "warning",
    )  # fmt: skip
    services.wait_for_port(port, patience=60)
    address = f"http://127.0.0.1:{port}"
    theirs = crowded(address, "", textbook.process.pid, size, lambda: sent_frames(house, frame, size.crowd_moves))
    peer = "the textbook consumer"
    spectators = f"{size.spectators:,} spectators at {MOVES_A_SECOND} moves/s"
    yield Row(f"{spectators}, p99 to the screen", ours.p99, "ms", 100, peer, theirs.p99, lower_is_better=True)
    yield Row(f"{spectators}, the web's CPU a frame", ours.cpu, "µs", 15, peer, theirs.cpu, lower_is_better=True)
    yield Row(f"{spectators}, frames that arrived", ours.share * 100, "%", 100, peer, theirs.share * 100)


class Crowd:
    """What a crowd saw: the 99th percentile in ms, the server's CPU a frame in µs, the share that arrived."""

    def __init__(self, sent: dict[int, float], seen: list[tuple[float, int]], cpu: float, spectators: int) -> None:
        late = sorted(at - sent[number] for at, number in seen if number in sent)
        self.p99 = late[int(len(late) * 0.99)] * 1000 if late else float("inf")
        self.cpu = cpu / max(len(late), 1) * 1e6
        self.share = len(late) / (len(sent) * spectators)


def crowded(address: str, topic: str, pid: int, size: Size, send: Any) -> Crowd:
    command = [sys.executable, "-m", "deploy.bench.crowd", address.replace("http", "ws", 1) + "/ws/", topic]
    crowd = subprocess.Popen([*command, str(size.spectators)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert crowd.stdin is not None
    assert crowd.stdout is not None
    with crowd:
        crowd.stdout.readline()
        before = cpu_seconds(pid)
        sent = send()
        time.sleep(size.grace)
        used = cpu_seconds(pid) - before
        crowd.stdin.write("enough\n")
        crowd.stdin.flush()
        seen = json.loads(crowd.stdout.readline())
    return Crowd(sent, seen, used, size.spectators)


def sent_moves(one: Player, two: Player, count: int) -> dict[int, float]:
    for screen in (one, two):
        screen.wait_for_ply(0)
    sent: dict[int, float] = {}
    for _ in range(count):
        mover = one if one.view["to_act"] == one.view["seat"] else two
        legal = mover.view["legal"]
        takes = [move for move in legal if not move.startswith(("recruit", "reserve"))]
        ply = mover.v + 1
        sent[ply] = time.time()
        mover.play((takes or legal)[0])
        for screen in (one, two):
            screen.wait_for_ply(ply)
        time.sleep(max(0.0, 1 / MOVES_A_SECOND - (time.time() - sent[ply])))
    return sent


def sent_frames(house: Production, size: int, count: int) -> dict[int, float]:
    """The same number of frames, of about the same size, into the textbook's one group."""
    from channels_redis.pubsub import RedisPubSubChannelLayer

    async def send() -> dict[int, float]:
        layer = RedisPubSubChannelLayer(hosts=[house.redis.url], prefix="gauntlet")
        sent: dict[int, float] = {}
        for number in range(1, count + 1):
            text = f'{{"event":"match","v":{number},"x":"{"x" * size}"}}'
            sent[number] = time.time()
            await layer.group_send("textbook", {"type": "frame", "text": text})
            await asyncio.sleep(1 / MOVES_A_SECOND)
        await layer.flush()
        return sent

    return asyncio.run(send())


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- bots


class OneProcessWorkers(Production):
    """Each worker is one process, so that a second one adds as much as the first had."""

    worker_processes = 1


def bots(house: Production, size: Size) -> Iterator[Row]:
    seat_bots(house, size.bot_matches)
    alone = moves_a_second(house, size.seconds)
    house.start_worker("worker-2")
    seat_bots(house, size.bot_matches)
    together = moves_a_second(house, size.seconds)
    wrong = house.rows(
        "SELECT count(*) FROM games_match m WHERE ply != (SELECT count(*) FROM games_move v WHERE v.match_id = m.id)"
        " OR ply != coalesce((SELECT max(ply) + 1 FROM games_move v WHERE v.match_id = m.id), 0)"
    )[0][0]
    peer = "the bare engine with the same bots"
    matches = f"{size.bot_matches} matches of four bots"
    yield Row(f"{matches}, a worker of one process", alone, "moves/s", None, peer, bare_engine(size.seconds))
    yield Row("the same, with a second such worker", together, "moves/s", alone, "one worker", alone)
    yield Row("matches with a lost or doubled ply", wrong, "", 0, lower_is_better=True)


def seat_bots(house: Production, matches: int) -> None:
    """Begin the matches, and wait until each has been moved: workers and thinkers are awake by then."""
    house.python(
        "from games import exhibition\n"
        "exhibition.LEVELS = ('regular',) * 6\n"
        f"[exhibition.begin(game='splendor-marvel', players=4, pace=0) for _ in range({matches})]"
    )
    waiting = "SELECT count(*) FROM games_match WHERE host_id IS NULL AND ply < 8"
    services.wait_until(lambda: not house.rows(waiting)[0][0], 300, "the bots have not begun")


def moves_a_second(house: Production, seconds: float) -> float:
    count = "SELECT count(*) FROM games_move"
    before, began = house.rows(count)[0][0], time.monotonic()
    time.sleep(seconds)
    return float((house.rows(count)[0][0] - before) / (time.monotonic() - began))


def bare_engine(seconds: float) -> float:
    """Moves a second of one process that only plays: no database, no queue, nobody watching."""
    seat = (bot("splendor-marvel", "regular"), BUDGETS["regular"])
    began, moves = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        match = engine.game("splendor-marvel").start(4, f"bench {moves}")
        company([seat] * 4, "bench").play_out(match)
        moves += match.ply
    return moves / (time.perf_counter() - began)
