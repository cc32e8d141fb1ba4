"""A program plays for somebody's bot: over the real network, with breaks, and never a lost or doubled event."""

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.sync.connection import Connection

from accounts.models import User
from accounts.webhooks import signing
from deploy.bootstrap import ROOT
from deploy.harness.match_client import open_table, post
from deploy.harness.servers import PATIENCE, SiteServer
from deploy.harness.services import wait_until
from games import engine_match
from games.models import OwnBot
from games.tables import setup
from games.tables.setup import Setting
from games.user_bots import challenges
from games.user_bots import service as user_bots
from games.user_bots import stream as user_bots_stream
from games.user_bots.stream import CODES, Stream
from tests.accounts.webhook_receiver import listening
from tests.conftest import EMPTY, SITES, standing

EXAMPLE = ROOT / "docs" / "bots" / "example_bot.py"
GAME = "splendor-marvel"

BRING = """
import json
from django.test import Client
from accounts.models import User
from games.user_bots import service
owner = User.objects.create_user({handle!r}, {handle!r} + "@club.test", None)
client = Client(); client.force_login(owner)
made = service.create(owner=owner, handle={handle!r} + "-bot", name="Robo", about="", games={games!r}, accepts="anyone")
print(json.dumps([client.cookies["sessionid"].value, made.bot.pk, made.secret]))
"""


@pytest.fixture(scope="module", params=["embedded", pytest.param("production", marks=pytest.mark.slow)])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """As a club starts it first; `-m slow` has the large one as well, where a stream hangs on another process."""
    folder = tmp_path_factory.mktemp(request.param)
    yield from standing(SITES[request.param](folder, **EMPTY, GAUNTLET_WEBHOOKS_PRIVATE="on"))


class Bot:
    """A bot in a real site, and its owner's browser."""

    def __init__(self, site: SiteServer, handle: str, folder: Path) -> None:
        printed = site.python(BRING.format(handle=handle, games=[GAME]))
        self.session, self.pk, self.secret = json.loads(printed.splitlines()[-1])
        self.site, self.handle, self.memory = site, f"{handle}-bot", folder / f"{handle}.txt"

    @contextmanager
    def program(self) -> Iterator[subprocess.Popen[bytes]]:
        """The very file of the documentation, running."""
        env = os.environ | {"GAUNTLET_TOKEN": self.secret}
        # The last web process: events that one process causes reach a stream of another.
        command = [sys.executable, str(EXAMPLE), self.site.webs[-1], str(self.memory)]
        log = self.memory.with_suffix(".log")
        with log.open("ab") as said, subprocess.Popen(command, env=env, stdout=said, stderr=said) as running:
            try:
                yield running
            finally:
                running.kill()

    def open_rated_table(self) -> str:
        """A rated table with a bot of the site, once the program has accepted; its key."""
        key = open_table(self.site, self.session, 2, GAME, rated="on")
        post(self.site, self.session, f"/play/{key}/stand-up/")
        post(self.site, self.session, f"/play/{key}/bot/", level="rookie")
        post(self.site, self.session, f"/play/{key}/challenge/", bot=self.handle)
        asked = f"SELECT count(*) FROM games_botchallenge WHERE bot_id = {self.pk} AND status = 'open'"
        wait_until(lambda: self.site.rows(asked) == [(0,)], PATIENCE, "the bot did not answer")
        return key

    def start(self, key: str) -> None:
        post(self.site, self.session, f"/play/{key}/start/")

    def broken_off(self) -> str:
        """A match whose program was killed in the middle of it; its key."""
        while True:
            with self.program() as running:
                self.start(key := self.open_rated_table())
                enough = self.seen() + 3
                wait_until(partial(self.has_seen, enough), PATIENCE, "nothing was played")
                running.send_signal(signal.SIGKILL)
            # On a machine that is busy elsewhere it may have played to the end before we looked.
            if not self.is_over(key):
                return key

    def is_over(self, key: str) -> bool:
        return self.site.rows(f"SELECT status FROM games_match WHERE key = '{key}'") == [("finished",)]

    def seen(self) -> int:
        with suppress(OSError, ValueError):
            return int(self.memory.read_text())
        return 0

    def has_seen(self, seq: int) -> bool:
        return self.seen() >= seq

    def lines(self, since: int | str = "", web: int = 0) -> Iterator[dict[str, Any]]:
        """The stream as any client reads it."""
        parts = urlsplit(self.site.webs[web])
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {self.secret}"}
        connection.request("GET", f"/api/v1/bot/stream?since={since}", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        try:
            for line in answer:
                if line.strip():
                    yield json.loads(line)
        finally:
            connection.close()

    def socket(self, since: int | str = "", web: int = 0) -> ClientConnection:
        return connect(
            f"{self.site.webs[web].replace('http', 'ws', 1)}/ws/bot/?since={since}",
            additional_headers={"Authorization": f"Bearer {self.secret}"},
            compression=None,
            open_timeout=PATIENCE,
        )


def test_the_example_plays_a_rated_match_with_a_break_in_the_middle(site: SiteServer, tmp_path: Path) -> None:
    bot = Bot(site, "ada", tmp_path)
    key = bot.broken_off()
    with bot.program():
        wait_until(lambda: bot.is_over(key), 2 * PATIENCE, "the match did not end")
        last = site.rows(f"SELECT seq FROM games_ownbot WHERE id = {bot.pk}")[0][0]
        wait_until(lambda: bot.seen() == last, PATIENCE, "the end was not sent")
    numbers = site.rows(f"SELECT seq FROM games_botevent WHERE bot_id = {bot.pk} ORDER BY seq")
    assert numbers == [(seq,) for seq in range(1, last + 1)]
    events = site.rows(
        "SELECT event.kind, event.ply FROM games_botevent event JOIN games_match m ON m.id = event.match_id"
        f" WHERE event.bot_id = {bot.pk} AND m.key = '{key}' ORDER BY event.seq"
    )
    assert (events[0][0], events[-1][0]) == ("challenge", "match.over")
    plies = [ply for kind, ply in events if kind == "turn"]
    moved = site.rows(
        'SELECT move.ply, move."by" FROM games_move move JOIN games_match m ON m.id = move.match_id'
        ' JOIN games_seat seat ON seat.match_id = m.id AND seat."index" = move.seat'
        f" JOIN games_ownbot bot ON bot.user_id = seat.user_id WHERE m.key = '{key}' ORDER BY move.ply"
    )
    assert moved == [(ply, "person") for ply in plies]  # each turn answered once, by the program
    assert site.rows(f"SELECT count(*) FROM games_botfault WHERE bot_id = {bot.pk}") == [(0,)]
    rated = (
        "SELECT count(*) FROM leagues_ratingchange change JOIN games_ownbot bot ON bot.user_id = change.user_id"
        f" WHERE bot.id = {bot.pk}"
    )
    wait_until(lambda: site.rows(rated)[0][0] > 0, PATIENCE, "the match was not rated")


def test_a_program_that_died_is_recorded_as_such_and_the_site_plays_on(site: SiteServer, tmp_path: Path) -> None:
    bot = Bot(site, "cleo", tmp_path)
    with bot.program():
        key = bot.open_rated_table()
    bot.start(key)
    waits = f"SELECT count(*) FROM games_match WHERE key = '{key}' AND deadline IS NOT NULL"
    wait_until(lambda: site.rows(waits) == [(1,)], PATIENCE, "it was never the bot's turn")
    site.python(
        "from datetime import timedelta\nfrom django.utils import timezone\nfrom games.models import Match, OwnBot\n"
        f"OwnBot.objects.filter(pk={bot.pk}).update(stream='')\n"
        f"Match.objects.filter(key={key!r}).update(deadline=timezone.now() - timedelta(minutes=1))"
    )
    wait_until(lambda: bot.is_over(key), PATIENCE, "the match did not end")
    faults = site.rows(f"SELECT kind FROM games_botfault WHERE bot_id = {bot.pk}")
    left = site.rows(
        'SELECT seat."left" FROM games_seat seat JOIN games_ownbot bot ON bot.user_id = seat.user_id'
        f" WHERE bot.id = {bot.pk}"
    )
    assert (faults, left) == ([("crash",)], [("away",)])


def test_the_newer_stream_wins_and_a_lost_key_closes_it(site: SiteServer, tmp_path: Path) -> None:
    bot = Bot(site, "eve", tmp_path)
    last = len(site.webs) - 1
    first = bot.lines()
    assert next(first)["kind"] == "reset"
    with bot.socket(web=last) as second:
        assert json.loads(second.recv(PATIENCE))["kind"] == "reset"
        assert next(first) == {"kind": "closed", "code": "superseded"}
        assert list(first) == []
        # Told to a stream of another process, and the same again to whoever resumes.
        key = open_table(site, bot.session, 2, GAME)
        post(site, bot.session, f"/play/{key}/challenge/", bot=bot.handle)
        message = json.loads(second.recv(PATIENCE))
        assert (message["kind"], message["seq"], message["match"]) == ("challenge", 1, key)
        third = bot.lines(since=0)
        again = next(third)
        assert (again["kind"], again["seq"], again["id"]) == ("challenge", 1, message["id"])
        assert farewell(second) == CODES["superseded"]
    assert site.post(f"/play/bots/{bot.pk}/key/", bot.session)[0] == 200
    assert next(third) == {"kind": "closed", "code": "revoked"}
    with pytest.raises(InvalidStatus):
        bot.socket()


def test_a_webhook_is_told_by_the_worker(site: SiteServer) -> None:
    """The whole way: a form, the outbox, the broker, a task, the network."""
    session = site.sign_in("hugo")
    post(
        site,
        session,
        "/clubs/new/",
        name="Hooks",
        time_zone="UTC",
        admission="request",
        is_private="no",
        city="",
        description="",
    )
    with listening() as receiver:
        fields = {"name": "News", "url": receiver.url, "shape": "json", "events": "match.finished"}
        page = post(site, session, "/clubs/hooks/webhooks/", **fields)
        (pk,) = site.rows("SELECT id FROM accounts_webhook")[0]
        secret = page.partition("whsec_")[2].partition('"')[0]
        post(site, session, f"/clubs/hooks/webhooks/{pk}/test/")
        assert receiver.arrived.acquire(timeout=PATIENCE)
        _path, headers, body = receiver.got[0]
        assert receiver.body()["event"] == "test"
        signature = signing.sign(f"whsec_{secret}", headers["webhook-id"], headers["webhook-timestamp"], body)
        assert headers["webhook-signature"] == signature
    delivered = "SELECT status, code FROM accounts_delivery"
    wait_until(lambda: site.rows(delivered) == [("delivered", 204)], PATIENCE, "it was not noted")


def farewell(socket: Connection) -> int | None:
    """Read on until the server closes; its close code."""
    try:
        while True:
            socket.recv(PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


# --- One stream, inside this process --------------------------------------------------------------------------


@pytest.fixture
def robo(transactional_db, monkeypatch) -> user_bots.NewKey:
    cache.clear()
    engine_match.clear_cache()
    monkeypatch.setattr("games.play.dispatch.enqueue_bot_turn", lambda match_id: None)
    owner = User.objects.create_user("olive", "olive@example.org", None)
    return user_bots.create(owner=owner, handle="robo", name="Robo", about="", games=[GAME], accepts="anyone")


def opened(robo: user_bots.NewKey, since: int | None = None) -> Stream:
    return Stream(robo.bot, robo.bot.user.tokens.get(), since)


async def first_of(events: AsyncIterator[dict[str, Any] | None]) -> dict[str, Any]:
    event = await anext(events)
    assert event
    return event


def challenged(bot: OwnBot) -> None:
    match = setup.open_table(host=bot.owner, setting=Setting(GAME, 2))
    challenges.challenge(person=bot.owner, match=match, bot=bot)


async def test_silence_is_broken_by_an_empty_line_and_a_lost_frame_costs_nothing(robo, monkeypatch) -> None:
    """Nobody wakes this stream: there is no hub here. It looks for itself."""
    monkeypatch.setattr(user_bots_stream, "KEEP_ALIVE", 0.01)
    stream = await asyncio.to_thread(opened, robo, 0)
    lines = user_bots_stream.lines(stream)
    assert await anext(lines) == b"\n"
    await asyncio.to_thread(challenged, robo.bot)
    while (line := await anext(lines)) == b"\n":
        pass
    assert json.loads(line)["kind"] == "challenge"
    await lines.aclose()
    assert await OwnBot.objects.values_list("stream", flat=True).aget() == ""


async def test_a_reader_that_stalls_is_closed_with_a_code_and_loses_nothing(robo, monkeypatch) -> None:
    monkeypatch.setattr(user_bots_stream, "STALL", 0.05)
    await asyncio.to_thread(challenged, robo.bot)
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            await asyncio.sleep(3600)
        sent.append(message)

    await user_bots_stream._write(await asyncio.to_thread(opened, robo, 0), send)
    assert sent == [{"type": "websocket.close", "code": CODES["overflow"]}]
    again = (await asyncio.to_thread(opened, robo, 0)).events()
    assert (await first_of(again))["seq"] == 1
    await again.aclose()


async def test_a_reader_of_lines_that_stalls_is_cut_off(robo, monkeypatch) -> None:
    monkeypatch.setattr(user_bots_stream, "STALL", 0.05)
    await asyncio.to_thread(challenged, robo.bot)
    stream = await asyncio.to_thread(opened, robo, 0)

    async def served() -> None:
        async for _line in user_bots_stream.lines(stream):
            await asyncio.sleep(3600)  # the socket takes no more

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(served())


async def test_a_process_that_ends_says_so(robo) -> None:
    events = (await asyncio.to_thread(opened, robo)).events()
    assert (await first_of(events))["kind"] == "reset"
    user_bots_stream.close_all()
    assert await anext(events) == {"kind": "closed", "code": "restart"}


async def test_off_closes_it(robo, monkeypatch) -> None:
    monkeypatch.setattr(user_bots_stream, "KEEP_ALIVE", 0.01)
    events = (await asyncio.to_thread(opened, robo)).events()
    assert (await first_of(events))["kind"] == "reset"
    await asyncio.to_thread(user_bots.switch, owner=robo.bot.owner, bot=robo.bot, on=False)
    while (event := await anext(events)) is None:
        pass
    assert event == {"kind": "closed", "code": "off"}
