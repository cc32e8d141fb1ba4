"""Workers die, brokers vanish, the whole house restarts: a match is only ever delayed."""

import threading
import time

from websockets.exceptions import ConnectionClosed

from deploy.drill import shoot
from tests import services
from tests.houses import Embedded, House, Production
from tests.matches import Player, begin, check_whole, record


def bot_match(house: House, game: str = "splendor-marvel", players: int = 3, level: str = "regular") -> str:
    """A match of bots alone, begun by the house itself; its key."""
    return house.python(
        "from games import exhibition\n"
        f"exhibition.LEVELS = ({level!r},) * 6\n"
        f"print(exhibition.begin(game={game!r}, players={players}, pace=0).key)"
    ).splitlines()[-1]


def ply_of(house: House, key: str) -> int:
    return int(house.rows(f"SELECT ply FROM games_match WHERE key = '{key}'")[0][0])


def finished(house: House, key: str) -> bool:
    return house.rows(f"SELECT status FROM games_match WHERE key = '{key}'") == [("finished",)]


def wait_for_end(house: House, key: str, patience: float = 150) -> None:
    services.wait_until(lambda: finished(house, key), patience, f"{key} has not ended")


def cut_off(player: Player) -> ConnectionClosed:
    """Listen until the server is gone; how the connection ended."""
    try:
        while True:
            player.hear()
    except ConnectionClosed as closed:
        return closed


def test_ten_seconds_without_redis(production: Production) -> None:
    """A person keeps playing on the database alone; bots and screens follow when Redis is back."""
    session = production.sign_in("anna")
    key = begin(production, session, bots=1)
    watched = bot_match(production)
    with Player(production, key, session) as anna:
        anna.wait_for_ply(0)
        while anna.view["to_act"] != anna.view["seat"]:
            anna.hear()
        production.redis.kill()
        began = time.monotonic()
        status, answer = production.post_json(
            f"/play/{key}/move/", session, f'{{"ply": {anna.v}, "move": "{anna.view["legal"][0]}"}}'
        )
        assert status == 200, answer
        assert time.monotonic() - began < 5, "a move waits for Redis"
        time.sleep(max(0, began + 10 - time.monotonic()))
        production.redis.start()
        services.wait_until(production.is_ready, 60, "the house has not healed")
        anna.play_to_the_end()
    assert production.programs["worker"].process.poll() is None
    for one in (key, watched):
        wait_for_end(production, one)
        check_whole(record(production, one))


def test_everything_restarts(production: Production) -> None:
    """All programs and Redis are killed without a word, and started again on the same database."""
    session = production.sign_in("anna")
    key = begin(production, session, bots=2)
    watched = bot_match(production)
    with Player(production, key, session) as anna:
        anna.wait_for_ply(0)
        before = ply_of(production, watched)
        for program in production.programs.values():
            shoot(program)
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


def test_the_one_program_house_is_killed_and_comes_back(tmp_path) -> None:
    """`kill -9` with the broker in memory: what was owed is found in the database."""
    house = Embedded(tmp_path)
    try:
        house.furnish()
        house.open()
        session = house.sign_in("anna")
        key = begin(house, session, bots=2)
        watched = bot_match(house)
        with Player(house, key, session) as anna:
            anna.wait_for_ply(0)
            shoot(house.programs["serve"])
            cut_off(anna)
            house.open()
            anna.connect()
            anna.play_to_the_end()
        for one in (key, watched):
            wait_for_end(house, one)
            check_whole(record(house, one))
    finally:
        house.close()


def test_a_restart_with_pages_open_loses_no_move(tmp_path) -> None:
    """An orderly stop in the middle of a match: the page learns of it, comes back and plays on."""
    house = Embedded(tmp_path)
    try:
        house.furnish()
        house.open()
        session = house.sign_in("anna")
        key = begin(house, session, bots=1)
        with Player(house, key, session) as anna:
            anna.wait_for_ply(0)
            stopping = threading.Thread(target=house.programs["serve"].stop)
            stopping.start()
            closed = cut_off(anna)
            assert closed.rcvd is not None
            assert closed.rcvd.code == 1012
            stopping.join()
            house.open()
            anna.connect()
            anna.play_to_the_end()
        check_whole(record(house, key))
    finally:
        house.close()
