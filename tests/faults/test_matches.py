"""Workers die, the broker disappears, the whole site restarts: a match is only delayed."""

import threading
import time

from websockets.exceptions import ConnectionClosed

from deploy.fault_drill import kill_program
from deploy.harness import services
from deploy.harness.match_client import Player, begin, check_whole, record
from deploy.harness.servers import EmbeddedServer, ProductionServers, SiteServer
from tests.conftest import EMPTY


def bot_match(site: SiteServer, game: str = "splendor-marvel", players: int = 3, level: str = "regular") -> str:
    """Start a match of bots alone; returns its key."""
    return site.python(
        "from games.tables import exhibition\n"
        f"exhibition.LEVELS = ({level!r},) * 6\n"
        f"print(exhibition.start_exhibition(game={game!r}, players={players}, pace=0).key)"
    ).splitlines()[-1]


def ply_of(site: SiteServer, key: str) -> int:
    return int(site.rows(f"SELECT ply FROM games_match WHERE key = '{key}'")[0][0])


def finished(site: SiteServer, key: str) -> bool:
    return site.rows(f"SELECT status FROM games_match WHERE key = '{key}'") == [("finished",)]


def wait_for_end(site: SiteServer, key: str, patience: float = 150) -> None:
    services.wait_until(lambda: finished(site, key), patience, f"{key} has not ended")


def cut_off(player: Player) -> ConnectionClosed:
    """Listen until the server is gone; returns how the connection ended."""
    try:
        while True:
            player.receive()
    except ConnectionClosed as closed:
        return closed


def test_ten_seconds_without_redis(production: ProductionServers) -> None:
    """A person plays on with the database alone; bots and pages catch up when Redis is back."""
    session = production.sign_in("anna")
    key = begin(production, session, bots=1)
    watched = bot_match(production)
    with Player(production, key, session) as anna:
        anna.wait_for_ply(0)
        while anna.view["to_act"] != anna.view["seat"]:
            anna.receive()
        production.redis.kill()
        began = time.monotonic()
        status, answer = production.post_json(
            f"/play/{key}/move/", session, f'{{"ply": {anna.v}, "move": "{anna.view["legal"][0]}"}}'
        )
        assert status == 200, answer
        assert time.monotonic() - began < 5, "a move waits for Redis"
        time.sleep(max(0, began + 10 - time.monotonic()))
        production.redis.start()
        services.wait_until(production.is_ready, 60, "the site has not healed")
        anna.play_to_the_end()
    assert production.programs["worker"].process.poll() is None
    for one in (key, watched):
        wait_for_end(production, one)
        check_whole(record(production, one))


def test_everything_restarts(production: ProductionServers) -> None:
    """All programs and Redis are killed, and started again on the same database."""
    session = production.sign_in("anna")
    key = begin(production, session, bots=2)
    watched = bot_match(production)
    with Player(production, key, session) as anna:
        anna.wait_for_ply(0)
        before = ply_of(production, watched)
        for program in production.programs.values():
            kill_program(program)
        production.programs.clear()
        production.redis.kill()
        production.redis.start()
        production.start_programs()
        assert ply_of(production, watched) >= before
        anna.connect()
        anna.wait_for_ply(anna.v)
        anna.play_to_the_end()
    for one in (key, watched):
        wait_for_end(production, one)
        check_whole(record(production, one))


def test_the_one_program_site_is_killed_and_comes_back(tmp_path) -> None:
    """`kill -9` with an in-memory broker: pending work is found in the database."""
    site = EmbeddedServer(tmp_path, **EMPTY)
    try:
        site.prepare()
        site.open()
        session = site.sign_in("anna")
        key = begin(site, session, bots=2)
        watched = bot_match(site)
        with Player(site, key, session) as anna:
            anna.wait_for_ply(0)
            kill_program(site.programs["serve"])
            cut_off(anna)
            site.open()
            anna.connect()
            anna.play_to_the_end()
        for one in (key, watched):
            wait_for_end(site, one)
            check_whole(record(site, one))
    finally:
        site.close()


def test_a_restart_with_pages_open_loses_no_move(tmp_path) -> None:
    """A clean stop during a match: the page notices, reconnects and plays on."""
    site = EmbeddedServer(tmp_path, **EMPTY)
    try:
        site.prepare()
        site.open()
        session = site.sign_in("anna")
        key = begin(site, session, bots=1)
        with Player(site, key, session) as anna:
            anna.wait_for_ply(0)
            stopping = threading.Thread(target=site.programs["serve"].stop)
            stopping.start()
            closed = cut_off(anna)
            assert closed.rcvd is not None
            assert closed.rcvd.code == 1012
            stopping.join()
            site.open()
            anna.connect()
            anna.play_to_the_end()
        check_whole(record(site, key))
    finally:
        site.close()
