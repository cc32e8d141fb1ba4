"""The event stream of a bot's program: lines of JSON over HTTP, or the same messages on a WebSocket.

Nothing is buffered: a stream reads the rows and remembers only the number of the last event it sent.
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

from accounts import api_tokens
from accounts.infra import metrics
from accounts.infra.input import whole_number
from accounts.infra.realtime import hub
from accounts.infra.realtime.publish import frame, publish
from accounts.infra.rest import throttling
from accounts.models import ApiToken, Scope
from games.models import OwnBot
from games.user_bots import events as user_bots_events
from games.user_bots import service
from games.user_bots.events import EventData

# After so many seconds without an event an empty line is sent, and the rows are read in case a frame was lost.
KEEP_ALIVE = 7.0
# Seconds that a client may take to receive one event.
STALL = 30.0
ALIVE_INTERVAL = 20.0

# Why a stream was closed, with the code that a WebSocket closes with.
SUPERSEDED, REVOKED, OFF, OVERFLOW, RESTART = "superseded", "revoked", "off", "overflow", "restart"
CODES = {SUPERSEDED: 4409, REVOKED: 4401, OFF: 4403, OVERFLOW: 4429, RESTART: 1012}
TOO_MANY = 4430

T = TypeVar("T")
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

# All streams of a process share these threads and their connections.
_readers = ThreadPoolExecutor(2, thread_name_prefix="bots")


# The open streams of this process.
_streams: set["Stream"] = set()


def close_all() -> None:
    """The process shuts down: close all streams at once, so that the clients connect again."""
    for stream in _streams:
        stream.is_ending = True
        stream.recheck()


async def in_reader(act: Callable[..., T], *arguments: Any) -> T:
    def run() -> T:
        try:
            return act(*arguments)
        finally:
            connections.close_all()

    return await sync_to_async(run, thread_sensitive=False, executor=_readers)()


class Stream:
    """One open stream. Opening it closes the bot's previous one."""

    def __init__(self, bot: OwnBot, token: ApiToken, since: int | None) -> None:
        self.bot_id, self.token_id, self.since = bot.pk, token.pk, since
        self.name = get_random_string(24)
        self.is_ending = False
        self._reported_alive = 0.0

    def push(self, text: str, wire: bytes | None = None) -> None:
        """Called by the hub: there is a new event."""
        self._wake.set()

    def recheck(self) -> None:
        self._wake.set()

    async def events(self) -> AsyncGenerator[EventData | None, None]:
        """Events as they come; None when nothing has for a while. The last one is `closed` and says why."""
        self._wake = asyncio.Event()
        group = user_bots_events.group(self.bot_id)
        _streams.add(self)
        await hub.current().join(group, self)
        try:
            await in_reader(self._take_over)
            while True:
                # Clear before reading: an event during the read wakes us again.
                self._wake.clear()
                why, new_events = await in_reader(self._read)
                for event in new_events:
                    self.since = event["seq"]
                    yield event
                if why:
                    yield {"kind": "closed", "code": why}
                    return
                if new_events:
                    continue
                try:
                    await asyncio.wait_for(self._wake.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield None
        finally:
            _streams.discard(self)
            await hub.current().leave(group, self)
            await in_reader(self._release)

    def _take_over(self) -> None:
        OwnBot.objects.filter(pk=self.bot_id).update(stream=self.name, heard_at=timezone.now())
        self._reported_alive = time.monotonic()
        publish(user_bots_events.group(self.bot_id), frame("bot"))

    def _read(self) -> tuple[str, list[EventData]]:
        if self.is_ending:
            return RESTART, []
        bot = OwnBot.objects.select_related("user", "owner").get(pk=self.bot_id)
        if not ApiToken.objects.usable().filter(pk=self.token_id).exists():
            return REVOKED, []
        if not (bot.is_on and bot.owner.is_active and bot.user.is_active):
            return OFF, []
        if bot.stream != self.name:
            return SUPERSEDED, []
        if time.monotonic() - self._reported_alive > ALIVE_INTERVAL:
            OwnBot.objects.filter(pk=bot.pk, stream=self.name).update(heard_at=timezone.now())
            self._reported_alive = time.monotonic()
        return "", user_bots_events.after(bot, self.since)

    def _release(self) -> None:
        OwnBot.objects.filter(pk=self.bot_id, stream=self.name).update(stream="")


async def lines(stream: Stream) -> AsyncGenerator[bytes, None]:
    """The response body: one JSON object a line, and empty lines as keep-alive."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    with metrics.SOCKETS.track_inprogress():
        async with aclosing(stream.events()) as events:
            async for event in events:
                # Disconnect a client that does not read; it can continue from its last number.
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
    admitted = await in_reader(_admitted, _secret(scope))
    if admitted is None or (given and not is_number(given)):
        await send({"type": "websocket.close", "code": CODES[REVOKED]})
        return
    bot, token, allowed = admitted
    await send({"type": "websocket.accept"})
    if not allowed:
        await send({"type": "websocket.close", "code": TOO_MANY})
        return
    stream = Stream(bot, token, whole_number(given))
    writer = asyncio.create_task(_write(stream, send))
    try:
        with metrics.SOCKETS.track_inprogress():
            # Moves come by POST: messages on this socket are ignored.
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
    token = api_tokens.authenticate_secret(secret) if secret else None
    if token is None or Scope.BOT not in token.scopes:
        return None
    bot = service.bot_of_account(token.user)
    if bot is None:
        return None
    used = throttling.count(f"bot-{token.pk}-{int(time.time() // throttling.WINDOW)}")
    return bot, token, used <= settings.API_RATES["bot"]


def is_number(given: str) -> bool:
    return whole_number(given) is not None


def _text(event: EventData) -> str:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False)
