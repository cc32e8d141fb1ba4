"""Handles one WebSocket: parses messages and passes them on. Permissions are checked in `topics`."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

import structlog
from asgiref.sync import sync_to_async
from channels.auth import get_user
from django.conf import settings

from accounts.infra import metrics
from accounts.infra.db import drop_broken_connections
from accounts.infra.input import Unreadable, parse_json
from accounts.infra.realtime import hub, topics
from accounts.infra.realtime.topics import Visitor

MAX_MESSAGE_BYTES = 8 * 1024
OUTBOX = 64
MAX_TOPICS = 40
BURST, PER_SECOND = 40, 20
# An ASGI extension of our server: writes a framed message at once, or returns False if the socket is busy.
DIRECT_WRITE_EXTENSION = "gauntlet.write"
# A page that sends heartbeats and is looked at counts as lost after this silence; a page that was closed may be
# loading again, and has this long to report. Silence is counted in steps, in each of which this process listened: what
# arrives while it is too busy to listen is late by its doing, and not by the page's.
SILENT_AFTER = 7.0
LISTENING_STEPS = 7
BACK_WITHIN = 3.0
# Close code for a page that has gone silent.
SILENT = 4408
# Close code when the visitor has logged in or out: the page connects again.
SESSION_CHANGED = 4401
TRY_AGAIN = 1013

ERRORS = {
    "garbled": (
        'send one JSON object: {"subscribe": topic}, {"unsubscribe": topic}, {"to": topic, "message": {}}'
        ' or {"ping": number}'
    ),
    "too-large": f"a message has at most {MAX_MESSAGE_BYTES} bytes",
    "too-fast": f"at most {PER_SECOND} messages a second: the rest was dropped",
    "too-many": f"a page listens to at most {MAX_TOPICS} topics",
    "refused": "no such topic, or it is not open to you",
    "failed": "this went wrong on our side and was noted",
}
# What `next_event` gives for a page that has gone silent.
SILENCE = "silence"
# Reports under way: the loop itself keeps tasks only weakly.
_reports: set[asyncio.Task[None]] = set()
P = ParamSpec("P")
T = TypeVar("T")
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

log = structlog.get_logger("gauntlet.live")


def in_thread(act: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Run database code in the thread that all sockets share; its connection stays open between messages."""

    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        drop_broken_connections()
        return act(*args, **kwargs)

    return sync_to_async(run)


async def live(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/."""
    await receive()
    await send({"type": "websocket.accept"})
    page = SocketSession(scope)
    writer = asyncio.create_task(page.write(send))
    try:
        with metrics.SOCKETS.track_inprogress():
            while (event := await page.next_event(receive))["type"] == "websocket.receive":
                await page.handle_message(event)
            if event["type"] == SILENCE:
                with suppress(Exception):
                    await send({"type": "websocket.close", "code": SILENT})
    finally:
        writer.cancel()
        await page.leave_all()


class SocketSession:
    """One open socket: its topics and its bounded outbox."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.visitor: Visitor = scope["user"]
        self.groups: dict[str, str] = {}
        self._session_key = scope["session"].session_key
        # Who a session belongs to; an application around this one may know more than who is logged in.
        self._find_user: Callable[[dict[str, Any]], Awaitable[Visitor]] = scope.get("find_user", get_user)
        self._outbox: asyncio.Queue[str | int] = asyncio.Queue(OUTBOX)
        self._write: Callable[[bytes], bool] | None = (scope.get("extensions") or {}).get(DIRECT_WRITE_EXTENSION)
        self._is_idle = False
        self._allowance, self._counted = float(BURST), time.monotonic()
        self._checks: set[asyncio.Task[None]] = set()
        self._present: set[str] = set()  # topics whose page has said that it is looked at
        self._has_heartbeat = False
        self._heard_at = time.time()
        self._is_silent = False

    async def next_event(self, receive: Receive) -> dict[str, Any]:
        """The next message. A page that is looked at and stops its heartbeat is lost, though its socket is open."""
        if not (self._has_heartbeat and self._present):
            return await receive()
        heard = asyncio.ensure_future(receive())
        try:
            for _ in range(LISTENING_STEPS):
                await asyncio.wait({heard}, timeout=SILENT_AFTER / LISTENING_STEPS)
                if heard.done():
                    return heard.result()
        finally:
            heard.cancel()
        self._is_silent = True
        return {"type": SILENCE}

    def push(self, item: str | int, wire: bytes | None = None) -> None:
        """Write the encoded frame directly if the outbox is empty; else queue the frame or close code.

        If the outbox is full it is dropped and the page reloads its state, so memory stays bounded.
        """
        if wire is not None and self._is_idle and self._write is not None and self._write(wire):
            return
        self._is_idle = False
        if self._outbox.full():
            while not self._outbox.empty():
                self._outbox.get_nowait()
            self._outbox.put_nowait(hub.RESYNC)
        self._outbox.put_nowait(item)

    async def write(self, send: Send) -> None:
        while isinstance(item := await self._next(), str):
            await send({"type": "websocket.send", "text": item})
        await send({"type": "websocket.close", "code": item})

    async def _next(self) -> str | int:
        self._is_idle = self._outbox.empty()
        return await self._outbox.get()

    async def handle_message(self, event: dict[str, Any]) -> None:
        if not self._within_rate_limit():
            return
        self._heard_at = time.time()
        text = event.get("text") or ""
        if len(text.encode()) > MAX_MESSAGE_BYTES:
            self.send_error("too-large")
            return
        topic = ""
        try:
            match parse_json(text):
                case {"subscribe": str(topic)}:
                    await self._subscribe_or_close(topic)
                case {"ping": int(number)}:
                    self._has_heartbeat = True
                    self.push(f'{{"event":"pong","ping":{number:d}}}')
                case {"unsubscribe": str(topic)}:
                    await self.unsubscribe(topic)
                case {"to": str(topic), "message": dict(message)}:
                    await self.dispatch_to_topic(topic, message)
                case _:
                    self.send_error("garbled")
        except Unreadable as error:
            self.send_error("garbled", why=str(error))
        except topics.TopicDenied:
            self.send_error("refused", topic)
        except Exception:
            log.exception("a message failed", topic=topic)
            self.send_error("failed", topic)

    async def _subscribe_or_close(self, topic: str) -> None:
        try:
            await self.subscribe(topic)
        except topics.TopicDenied:
            raise
        except Exception:
            log.exception("a subscription failed", topic=topic)
            # Without a subscription the page would wait for ever: close, so that it connects again.
            self.push(TRY_AGAIN)

    async def subscribe(self, topic: str) -> None:
        if topic not in self.groups and len(self.groups) >= MAX_TOPICS:
            self.send_error("too-many", topic)
            return
        audience = await in_thread(topics.audience_for)(self.visitor, topic)
        if self.groups.get(topic) != audience.group:
            await self.unsubscribe(topic)
            self.groups[topic] = audience.group
            await hub.current().join(audience.group, self)
        self.push(json.dumps({"subscribed": topic}))
        if audience.first and (frame := await in_thread(audience.first)()):
            self.push(frame)

    async def unsubscribe(self, topic: str) -> None:
        group = self.groups.pop(topic, None)
        if group and group not in self.groups.values():
            await hub.current().leave(group, self)

    async def dispatch_to_topic(self, topic: str, message: dict[str, Any]) -> None:
        if "here" in message and topic in self.groups:
            (self._present.add if message["here"] is True else self._present.discard)(topic)
        answer = await in_thread(topics.receive)(self.visitor, topic, message)
        if answer:
            self.push(answer)

    async def leave_all(self) -> None:
        for task in self._checks:
            task.cancel()
        for topic in list(self.groups):
            await self.unsubscribe(topic)
        if self._present:
            task = asyncio.create_task(self._report_absence())
            _reports.add(task)
            task.add_done_callback(_reports.discard)

    async def _report_absence(self) -> None:
        """Report to the topics that this page is gone, unless another page of the same person is there."""
        if not self._is_silent:
            self._heard_at = time.time()
            await asyncio.sleep(BACK_WITHIN)
        for topic in self._present:
            try:
                await in_thread(topics.left)(self.visitor, topic, self._heard_at)
            except topics.TopicDenied:
                continue
            except Exception:
                log.exception("a page's absence was not reported", topic=topic)

    def recheck(self) -> None:
        task = asyncio.create_task(self._recheck())
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _recheck(self) -> None:
        """Check that it is still the same user, and that they may still listen."""
        store = import_module(settings.SESSION_ENGINE).SessionStore
        if (await self._find_user({"session": store(self._session_key)})).pk != self.visitor.pk:
            self.push(SESSION_CHANGED)
            return
        for topic, group in list(self.groups.items()):
            try:
                audience = await in_thread(topics.audience_for)(self.visitor, topic)
                moved = audience.group != group
            except topics.TopicDenied:
                moved = True
            if moved:
                await self.unsubscribe(topic)
                self.push(json.dumps({"unsubscribed": topic}))

    def send_error(self, code: str, topic: str = "", why: str = "") -> None:
        detail = f"{why}: {ERRORS[code]}" if why else ERRORS[code]
        error = {"error": code, "detail": detail} | ({"topic": topic} if topic else {})
        self.push(json.dumps(error))

    def _within_rate_limit(self) -> bool:
        """A leaky bucket; the error is sent once when it runs dry."""
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * PER_SECOND)
        self._counted = now
        if self._allowance >= 1:
            self._allowance -= 1
            return True
        if self._allowance >= 0:
            self._allowance = -1.0
            self.send_error("too-fast")
        return False
