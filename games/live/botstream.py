"""The stream that a bot's program listens to: lines of JSON over HTTP, or the same messages on a WebSocket.

The rows are the truth and nothing is buffered: a stream remembers only the number of the last event it handed on.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any, TypeVar
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts import meters, tokens
from accounts.live import hub
from accounts.live.publish import frame, publish
from accounts.models import ApiToken, Scope
from accounts.rest import throttling
from games import botevents, ownbots
from games.botevents import Told
from games.models import OwnBot

# Seconds of silence after which a line says that somebody is there; then the rows are looked at, too, in case a
# frame was lost.
KEEP_ALIVE = 7.0
# Seconds that a reader may keep us waiting with a single event.
STALL = 30.0
SAY_SO_EVERY = 20.0

# Why a stream was closed, with the code that a WebSocket closes with.
SUPERSEDED, REVOKED, OFF, OVERFLOW, RESTART = "superseded", "revoked", "off", "overflow", "restart"
CODES = {SUPERSEDED: 4409, REVOKED: 4401, OFF: 4403, OVERFLOW: 4429, RESTART: 1012}
TOO_MANY = 4430

T = TypeVar("T")
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

# All streams of a process read with these: as many threads and connections for one stream as for a thousand.
_readers = ThreadPoolExecutor(2, thread_name_prefix="bots")


# Those that are open in this process.
_streams: set["Stream"] = set()


def close_all() -> None:
    """This process ends: whoever listens is told so at once, and comes back when there is one again."""
    for stream in _streams:
        stream.is_ending = True
        stream.recheck()


async def in_reader(act: Callable[..., T], *arguments: Any) -> T:
    def asked() -> T:
        try:
            return act(*arguments)
        finally:
            connections.close_all()

    return await sync_to_async(asked, thread_sensitive=False, executor=_readers)()


class Stream:
    """One open stream. Opening it closes the one that was open before."""

    def __init__(self, bot: OwnBot, token: ApiToken, since: int | None) -> None:
        self.bot_id, self.token_id, self.since = bot.pk, token.pk, since
        self.name = get_random_string(24)
        self.is_ending = False
        self._said_so = 0.0

    def push(self, text: str, wire: bytes | None = None) -> None:
        """The hub has heard that there is something new."""
        self._wake.set()

    def recheck(self) -> None:
        self._wake.set()

    async def events(self) -> AsyncGenerator[Told | None, None]:
        """Events as they come; None when nothing has for a while. The last one is `closed` and says why."""
        self._wake = asyncio.Event()
        group = botevents.group(self.bot_id)
        _streams.add(self)
        await hub.current().join(group, self)
        try:
            await in_reader(self._take_over)
            while True:
                # Before looking: what comes while we look wakes us again.
                self._wake.clear()
                why, news = await in_reader(self._read)
                for event in news:
                    self.since = event["seq"]
                    yield event
                if why:
                    yield {"kind": "closed", "code": why}
                    return
                if news:
                    continue
                try:
                    await asyncio.wait_for(self._wake.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield None
        finally:
            _streams.discard(self)
            await hub.current().leave(group, self)
            await in_reader(self._let_go)

    def _take_over(self) -> None:
        OwnBot.objects.filter(pk=self.bot_id).update(stream=self.name, heard_at=timezone.now())
        self._said_so = time.monotonic()
        publish(botevents.group(self.bot_id), frame("bot"))

    def _read(self) -> tuple[str, list[Told]]:
        if self.is_ending:
            return RESTART, []
        bot = OwnBot.objects.select_related("user", "owner").get(pk=self.bot_id)
        if not ApiToken.objects.usable().filter(pk=self.token_id).exists():
            return REVOKED, []
        if not (bot.is_on and bot.owner.is_active and bot.user.is_active):
            return OFF, []
        if bot.stream != self.name:
            return SUPERSEDED, []
        if time.monotonic() - self._said_so > SAY_SO_EVERY:
            OwnBot.objects.filter(pk=bot.pk, stream=self.name).update(heard_at=timezone.now())
            self._said_so = time.monotonic()
        return "", botevents.after(bot, self.since)

    def _let_go(self) -> None:
        OwnBot.objects.filter(pk=self.bot_id, stream=self.name).update(stream="")


async def lines(stream: Stream) -> AsyncGenerator[bytes, None]:
    """The body of the answer: one JSON object a line, an empty line to show that somebody is there."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    with meters.SOCKETS.track_inprogress():
        async with aclosing(stream.events()) as events:
            async for event in events:
                # A reader that does not read is cut off: its number is its own, and it goes on from there.
                alarm = loop.call_later(STALL, task.cancel) if task else None
                try:
                    yield (_text(event) + "\n").encode() if event else b"\n"
                finally:
                    if alarm:
                        alarm.cancel()


async def socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/bot/."""
    await receive()
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    given = (query.get("since") or [""])[-1]
    found = await in_reader(_admitted, _secret(scope))
    if found is None or (given and not is_number(given)):
        await send({"type": "websocket.close", "code": CODES[REVOKED]})
        return
    bot, token, allowed = found
    await send({"type": "websocket.accept"})
    if not allowed:
        await send({"type": "websocket.close", "code": TOO_MANY})
        return
    stream = Stream(bot, token, int(given) if given else None)
    writer = asyncio.create_task(_write(stream, send))
    try:
        with meters.SOCKETS.track_inprogress():
            # Moves come by POST: what is said here is not heard.
            while (await receive())["type"] == "websocket.receive":
                pass
    finally:
        writer.cancel()
        with suppress(asyncio.CancelledError):
            await writer


async def _write(stream: Stream, send: Send) -> None:
    why = OVERFLOW
    async with aclosing(stream.events()) as events:
        async for event in events:
            if event is None:
                continue  # a WebSocket has pings of its own
            try:
                async with asyncio.timeout(STALL):
                    await send({"type": "websocket.send", "text": _text(event)})
            except TimeoutError:
                break
            why = event.get("code", OVERFLOW) if event["kind"] == "closed" else OVERFLOW
    await send({"type": "websocket.close", "code": CODES[why]})


def _secret(scope: dict[str, Any]) -> str:
    headers = dict(scope.get("headers") or [])
    scheme, _space, secret = headers.get(b"authorization", b"").decode("latin-1").strip().partition(" ")
    return secret.strip() if scheme.lower() == "bearer" and secret.isascii() else ""


def _admitted(secret: str) -> tuple[OwnBot, ApiToken, bool] | None:
    token = tokens.bearer(secret) if secret else None
    if token is None or Scope.BOT not in token.scopes:
        return None
    bot = ownbots.of_account(token.user)
    if bot is None:
        return None
    used = throttling.count(f"bot-{token.pk}-{int(time.time() // throttling.WINDOW)}")
    return bot, token, used <= settings.API_RATES["bot"]


def is_number(given: str) -> bool:
    return given.isascii() and given.isdigit() and len(given) < 19


def _text(event: Told) -> str:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False)
