"""No level takes longer than twice its time, on a core that it shares with a busy process. `-s` shows the times."""

import os
import subprocess
import sys
import time

import pytest

import engine
from engine import build, transcript
from engine.bot_process import BotProcessPool, Order
from engine.bots import Budget, bot, budget
from engine.bots.runner import bots_in_every_seat
from tests.engine.random_play import TABLES

TURN = 6.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot be tied to a core here"),
]


@pytest.fixture(scope="module")
def pool():
    """A thinking process that shares its core with one that never rests; it has started, as it has on a site."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    pool = BotProcessPool(processes=1)
    try:
        for name in engine.GAMES:
            timed(pool, engine.game(name).start(2, "warm"), 0, "regular", 60)
        yield pool
    finally:
        pool.close()
        busy.kill()
        busy.wait()
        os.sched_setaffinity(0, cores)


def timed(pool, match, seat, level, deadline):
    began = time.perf_counter()
    document = transcript.transcript(match)
    pool.think(document, seat=seat, level=level, budget=budget(match.game.name, level), seed="pace", deadline=deadline)
    return time.perf_counter() - began


def moments(name, players, count):
    """Decisions with something to choose, spread over a match of Regular bots."""
    match = engine.game(name).start(players, "pace")
    table = bots_in_every_seat([(bot(name, "regular"), Budget(iterations=1))] * players, "pace")
    decisions = []
    while match.to_act is not None:
        if len(match.legal()) > 2:
            decisions.append(match.clone())
        table.move(match)
    step = len(decisions) // count
    return decisions[: step * count : step]


@pytest.mark.parametrize("level", ["expert", "master"])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_thought_takes_no_longer_than_twice_its_budget(pool, name, players, level):
    limit = 2 * budget(name, level).seconds
    times = [timed(pool, match, match.to_act, level, limit) for match in moments(name, players, 3)]
    print(f"{build.name()}, {name}, {players} players, {level}: slowest of {len(times)} {max(times):.2f} s")
    assert max(times) < limit


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_strongest_level_takes_its_turn_within_six_seconds(pool, name, players):
    """A whole turn with all that is asked in it, everybody else's answers included; `titan` in every seat."""
    turns = []
    for match in moments(name, players, 3):
        bots = dict.fromkeys(range(players), ("titan", budget(name, "titan")))
        began = time.perf_counter()
        assert pool.play(transcript.transcript(match), Order(bots, "pace", seconds=60.0), margin=60.0).moves
        turns.append(time.perf_counter() - began)
    print(f"{build.name()}, {name}, {players} players, titan: slowest of {len(turns)} turns {max(turns):.2f} s")
    assert max(turns) < TURN
