"""Redis stops and returns, readers stall, the site stays up: with real servers and separate processes."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from deploy.harness import services
from deploy.harness.prepared_state import MANAGE
from deploy.harness.servers import ProductionServers, SiteServer, standing
from tests.conftest import EMPTY

SHELL = (*MANAGE, "shell", "--no-imports", "-c")
PUBLISH = """
import time, json
from accounts.infra.realtime import publish
import asyncio
def sent(group, text):
    asyncio.run_coroutine_threadsafe(
        publish._deliver({group: {"type": "frames", "frames": [[group, text]]}}), publish._loop()
    ).result()
"""


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """One for all: each test leaves it open and well."""
    yield from standing(ProductionServers(tmp_path_factory.mktemp("production"), **EMPTY))


def test_a_reader_that_stalls_costs_no_memory(production: ProductionServers) -> None:
    """60 MB are sent to a page that does not read; another page still gets every frame."""
    web = production.programs["web-1"].process.pid
    with production.socket(0, max_queue=1) as stalled, production.socket(0) as reader:
        stalled.subscribe("site")
        reader.subscribe("site")
        before = memory(web)
        code = PUBLISH + "for n in range(3000): sent('site', json.dumps({'event': 'big', 'n': n, 'x': 'x' * 20_000}))\n"
        sender = production.run("sender", *SHELL, code)
        seen = 0
        while seen < 2999:
            frame = reader.receive()
            if frame["event"] == "big":
                seen = frame["n"]
            else:
                assert frame["event"] == "resync"
        assert sender.process.wait(60) == 0
        growth = memory(web) - before
        assert growth < 30 * 2**20, f"{growth / 2**20:.0f} MB for one stalled page"
        # The stalled page reads again and, after what the network had buffered, learns that it missed frames.
        assert stalled.wait_for("resync") == {"event": "resync"}


def memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096


def test_the_first_frame_after_a_quiet_time_is_not_late(production: ProductionServers) -> None:
    """Each web process keeps one channel open, even without listeners: otherwise Redis is polled every 100 ms."""
    with redis.Redis.from_url(production.redis.url) as client:
        services.wait_until(lambda: len(client.pubsub_channels("gauntletspecific.*")) == 2, 60, "no standing channels")
    with production.socket(0) as page:
        page.subscribe("site")
        code = PUBLISH + (
            "sent('site', '{}')\n"
            "for n in range(8):\n"
            "    time.sleep(0.4)\n"
            "    sent('site', json.dumps({'event': 'late?', 'sent': time.time()}))\n"
        )
        production.run("sender", *SHELL, code)
        delays: list[float] = []
        while len(delays) < 8:
            frame = page.receive()
            if frame.get("event") == "late?":
                delays.append(time.time() - frame["sent"])
    assert sorted(delays)[2] < 0.05, delays


def test_requests_leave_no_more_connections_than_the_pool_holds(production: ProductionServers) -> None:
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda n: production.get("/clubs/", web=n % 2)[0], range(600)))
    assert answers == [200] * 600
    count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{production.database}'"
    pool_size, webs = 8, 2
    assert production.administer(count)[0][0] <= pool_size * webs + production.worker_processes


def test_open_pages_survive_a_restart_of_redis(production: ProductionServers) -> None:
    with production.socket(0) as first, production.socket(1) as second:
        for page in (first, second):
            page.subscribe("site")
        production.redis.kill()
        services.wait_until(lambda: production.get("/readyz")[0] == 503, 60, "nobody noticed that Redis is gone")
        _, report = production.get("/readyz")
        assert json.loads(report)["database"] == "ok"
        assert production.get("/healthz")[0] == 200
        production.redis.start()
        services.wait_until(production.is_ready, 60, "the site has not healed")
        production.manage("announce", "We are back.")
        for page in (first, second):
            assert page.wait_for("announcement")["text"] == "We are back."
