"""How fast a move reaches the screens, what many spectators cost, and how many bots one worker serves.

Servers are started as the tests start them: real programs, real PostgreSQL and Redis.
"""

import asyncio
import json
import os
import shutil
import socket
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
from deploy.harness import services
from deploy.harness.match_client import GAME, Player, Stranger, begin
from deploy.harness.servers import EmbeddedServer, ProductionServers, SiteServer
from engine.bots import bot, budget
from engine.bots.runner import bots_in_every_seat

MOVES_A_SECOND = 4
# Milliseconds of the server in the five seconds that a visitor waits for the first move; the rest is the browser's.
FIRST_MOVE = 1500


@dataclass(frozen=True)
class Size:
    """How many moves are played, for how many spectators, and for how long."""

    moves: int = 40
    strangers: int = 10
    spectator_moves: int = 40
    spectators: int = 1000
    # Seconds to wait for the last frames.
    grace: float = 3.0
    bot_matches: int = 40
    # How long the bots' moves are counted.
    seconds: float = 8.0


QUICK = Size(moves=4, strangers=1, spectator_moves=4, spectators=20, grace=0.5, bot_matches=2, seconds=1.0)


def rows(*, quick: bool = False) -> Iterator[Row]:
    size = QUICK if quick else Size()
    yield from one_spectator(size)
    with running(OneProcessWorkers(new_folder(), GAUNTLET_DEMO="off")) as site:
        yield from person_move(site, size)
        yield from many_spectators(site, size)
        yield from bots(site, size)


def new_folder() -> Path:
    return Path(tempfile.mkdtemp(dir=services.folder()))


@contextmanager
def running(site: SiteServer) -> Iterator[Any]:
    try:
        site.prepare()
        site.open()
        yield site
    finally:
        site.close()
        shutil.rmtree(site.folder, ignore_errors=True)


# -- one spectator


def one_spectator(size: Size) -> Iterator[Row]:
    with running(EmbeddedServer(new_folder(), GAUNTLET_DEMO="off")) as site:
        sessions = [site.sign_in(name) for name in ("anna", "bruno")]
        key = begin(site, *sessions)
        with (
            Player(site, key, sessions[0]) as one,
            Player(site, key, sessions[1]) as two,
            Player(site, key) as gallery,
        ):
            for screen in (one, two, gallery):
                screen.wait_for_ply(0)
            took = [moved(one, two, gallery) for _ in range(size.moves)]
            bare = [round_trip(gallery) for _ in range(size.moves)]
        yield first_move(site, size)
    yield Row(
        "a move to one spectator, embedded, p50",
        statistics.median(took) * 1000,
        "ms",
        4,
        "bare WebSocket round trip",
        statistics.median(bare) * 1000,
        lower_is_better=True,
    )


def first_move(site: SiteServer, size: Size) -> Row:
    """From the front page to the first move without an account, against the front page alone."""
    took, bare = [], []
    for _ in range(size.strangers):
        stranger = Stranger(site)
        began = time.perf_counter()
        token = stranger.form_token("/")
        bare.append(time.perf_counter() - began)
        key = stranger.play_now(GAME, token)
        with Player(site, key, stranger.session) as player:
            player.wait_for_ply(0)
            player.play()
            player.wait_for_ply(1)
        took.append(time.perf_counter() - began)
    return Row(
        "front page to first move without an account, p50",
        statistics.median(took) * 1000,
        "ms",
        FIRST_MOVE,
        "the front page alone",
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


# -- a person's move


def person_move(site: ProductionServers, size: Size) -> Iterator[Row]:
    code = f"from deploy.bench.person_move import cpu_of_a_move; print(cpu_of_a_move({size.moves}))"
    seconds = float(site.python(code).splitlines()[-1])
    yield Row("CPU of a person's move, with what is published", seconds * 1000, "ms", 1.5, lower_is_better=True)


# -- many spectators


def many_spectators(site: ProductionServers, size: Size) -> Iterator[Row]:
    sessions = [site.sign_in(name) for name in ("anna", "bruno")]
    key = begin(site, *sessions)
    web = site.programs["web-1"].process.pid
    with Player(site, key, sessions[0], web=1) as one, Player(site, key, sessions[1], web=1) as two:
        ours = watched(site.webs[0], f"match.{key}", web, size, lambda: sent_moves(one, two, size.spectator_moves))
        frame = len(one.received[-1])
    port = services.free_port()
    baseline = site.run(
        "baseline", sys.executable, "-m", "uvicorn", "deploy.bench.channels_baseline:application",
        "--port", str(port), "--ws", "websockets-sansio", "--no-access-log", "--log-level", "warning",
    )  # fmt: skip
    services.wait_for_port(port, patience=60)
    address = f"http://127.0.0.1:{port}"
    theirs = watched(address, "", baseline.process.pid, size, lambda: sent_frames(site, frame, size.spectator_moves))
    peer = "the Channels tutorial consumer"
    spectators = f"{size.spectators:,} spectators at {MOVES_A_SECOND} moves/s"
    yield Row(f"{spectators}, p99 to the screen", ours.p99, "ms", 100, peer, theirs.p99, lower_is_better=True)
    yield Row(f"{spectators}, the web's CPU a frame", ours.cpu, "µs", 12, peer, theirs.cpu, lower_is_better=True)
    yield Row(f"{spectators}, CPU of the sending alone", bare_send(frame, size.spectators), "µs", lower_is_better=True)
    yield Row(f"{spectators}, frames that arrived", ours.share * 100, "%", 100, peer, theirs.share * 100)


class SpectatorReport:
    """What the spectators saw: the 99th percentile in ms, the server's CPU a frame in µs, the share that arrived."""

    def __init__(self, sent: dict[int, float], seen: list[tuple[float, int]], cpu: float, spectators: int) -> None:
        late = sorted(at - sent[number] for at, number in seen if number in sent)
        self.p99 = late[int(len(late) * 0.99)] * 1000 if late else float("inf")
        self.cpu = cpu / max(len(late), 1) * 1e6
        self.share = len(late) / (len(sent) * spectators)


def watched(address: str, topic: str, pid: int, size: Size, send: Any) -> SpectatorReport:
    command = [sys.executable, "-m", "deploy.bench.spectators", address.replace("http", "ws", 1) + "/ws/", topic]
    process = subprocess.Popen(
        [*command, str(size.spectators)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdout.readline()
        before = cpu_seconds(pid)
        sent = send()
        time.sleep(size.grace)
        used = cpu_seconds(pid) - before
        process.stdin.write("stop\n")
        process.stdin.flush()
        seen = json.loads(process.stdout.readline())
    return SpectatorReport(sent, seen, used, size.spectators)


def bare_send(length: int, sockets: int) -> float:
    """Microseconds of CPU in which a program that does nothing else sends so many bytes: no server needs less."""
    with socket.create_server(("127.0.0.1", 0), backlog=sockets) as server:
        drain = "import selectors, socket, sys\nwaiting = selectors.DefaultSelector()\n"
        drain += "for _ in range(int(sys.argv[2])):\n"
        drain += " waiting.register(socket.create_connection(('127.0.0.1', int(sys.argv[1]))), selectors.EVENT_READ)\n"
        drain += "while all([key.fileobj.recv(65536) for key, _ in waiting.select()]): pass\n"
        port = server.getsockname()[1]
        with subprocess.Popen([sys.executable, "-c", drain, str(port), str(sockets)]):
            screens = [server.accept()[0] for _ in range(sockets)]
            frame, rounds, began = b"x" * length, 10, time.process_time()
            for _ in range(rounds):
                for screen in screens:
                    screen.sendall(frame)
            used = time.process_time() - began
            for screen in screens:
                screen.close()
    return used / (rounds * sockets) * 1e6


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


def sent_frames(site: ProductionServers, size: int, count: int) -> dict[int, float]:
    """Send the same number of frames, of about the same size, to the one group of the baseline."""
    from channels_redis.pubsub import RedisPubSubChannelLayer

    from deploy.bench.channels_baseline import GROUP

    async def send() -> dict[int, float]:
        layer = RedisPubSubChannelLayer(hosts=[site.redis.url], prefix="gauntlet")
        sent: dict[int, float] = {}
        for number in range(1, count + 1):
            text = f'{{"event":"match","v":{number},"x":"{"x" * size}"}}'
            sent[number] = time.time()
            await layer.group_send(GROUP, {"type": "frame", "text": text})
            await asyncio.sleep(1 / MOVES_A_SECOND)
        await layer.flush()
        return sent

    return asyncio.run(send())


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- bots


class OneProcessWorkers(ProductionServers):
    """Each worker is one process, so that a second worker adds as much as the first."""

    worker_processes = 1


def bots(site: ProductionServers, size: Size) -> Iterator[Row]:
    seat_bots(site, size.bot_matches)
    alone = moves_a_second(site, size.seconds)
    site.start_worker("worker-2")
    seat_bots(site, size.bot_matches)
    together = moves_a_second(site, size.seconds)
    wrong = site.rows(
        "SELECT count(*) FROM games_match m WHERE ply != (SELECT count(*) FROM games_move v WHERE v.match_id = m.id)"
        " OR ply != coalesce((SELECT max(ply) + 1 FROM games_move v WHERE v.match_id = m.id), 0)"
    )[0][0]
    peer = "the bare engine with the same bots"
    matches = f"{size.bot_matches} matches of four bots"
    yield Row(f"{matches}, a worker of one process", alone, "moves/s", 600, peer, bare_engine(size.seconds))
    yield Row("the same, with a second such worker", together, "moves/s", alone, "one worker", alone)
    yield Row("matches with a lost or doubled ply", wrong, "", 0, lower_is_better=True)


def seat_bots(site: ProductionServers, matches: int) -> None:
    """Start the matches and wait until each has some moves: by then all workers and bot processes run."""
    site.python(
        "from games.tables import exhibition\n"
        "exhibition.LEVELS = ('regular',) * 6\n"
        f"[exhibition.start_exhibition(game='splendor-marvel', players=4, pace=0) for _ in range({matches})]"
    )
    waiting = "SELECT count(*) FROM games_match WHERE host_id IS NULL AND ply < 8"
    services.wait_until(lambda: not site.rows(waiting)[0][0], 300, "the bots have not begun")


def moves_a_second(site: ProductionServers, seconds: float) -> float:
    count = "SELECT count(*) FROM games_move"
    before, began = site.rows(count)[0][0], time.monotonic()
    time.sleep(seconds)
    return float((site.rows(count)[0][0] - before) / (time.monotonic() - began))


def bare_engine(seconds: float) -> float:
    """Moves a second of one process that only plays: no database, no queue, no spectators."""
    seat = (bot("splendor-marvel", "regular"), budget("splendor-marvel", "regular"))
    began, moves = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        match = engine.game("splendor-marvel").start(4, f"bench {moves}")
        bots_in_every_seat([seat] * 4, "bench").play_out(match)
        moves += match.ply
    return moves / (time.perf_counter() - began)
