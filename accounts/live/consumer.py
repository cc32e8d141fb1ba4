"""Speaks with one open page: translates its messages, decides nothing."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

import structlog
from asgiref.sync import sync_to_async
from channels.auth import get_user
from django.conf import settings

from accounts.access import Actor
from accounts.databases import drop_broken_connections
from accounts.live import hub, topics

LARGEST_MESSAGE = 8 * 1024
OUTBOX = 64
MOST_TOPICS = 40
BURST, PER_SECOND = 40, 20
# An ASGI extension of our server: writes a framed message at once, or says that the socket has to be waited for.
SHORT_WAY = "gauntlet.write"
# Close code for a page whose visitor has logged out or in meanwhile: connect again as who you are now.
SOMEONE_ELSE = 4401
TRY_AGAIN = 1013

ERRORS = {
    "garbled": 'send one JSON object: {"subscribe": topic}, {"unsubscribe": topic} or {"to": topic, "message": {}}',
    "too-large": f"a message has at most {LARGEST_MESSAGE} bytes",
    "too-fast": f"at most {PER_SECOND} messages a second: the rest was dropped",
    "too-many": f"a page listens to at most {MOST_TOPICS} topics",
    "refused": "no such topic, or it is not open to you",
    "failed": "this went wrong on our side and was noted",
}
P = ParamSpec("P")
T = TypeVar("T")
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

log = structlog.get_logger("gauntlet.live")


def in_thread(act: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """What asks the database, in the thread of all sockets, whose connection stays open from message to message."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        drop_broken_connections()
        return act(*args, **kwargs)

    return sync_to_async(asked)


async def live(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application behind /ws/."""
    await receive()
    await send({"type": "websocket.accept"})
    page = Page(scope)
    writer = asyncio.create_task(page.write(send))
    try:
        while (event := await receive())["type"] == "websocket.receive":
            await page.hear(event)
    finally:
        writer.cancel()
        await page.leave_all()


class Page:
    """One open socket: what it listens to, and a bounded outbox in front of it."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.visitor: Actor = scope["user"]
        self.groups: dict[str, str] = {}
        self._session_key = scope["session"].session_key
        self._outbox: asyncio.Queue[str | int] = asyncio.Queue(OUTBOX)
        self._write: Callable[[bytes], bool] | None = (scope.get("extensions") or {}).get(SHORT_WAY)
        self._is_idle = False
        self._allowance, self._counted = float(BURST), time.monotonic()
        self._checks: set[asyncio.Task[None]] = set()

    def push(self, item: str | int, wire: bytes | None = None) -> None:
        """Send a frame that comes framed, if nothing waits before it; else queue it, as any frame or close code.

        A page that does not keep up starts over: memory stays bounded.
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

    async def hear(self, event: dict[str, Any]) -> None:
        if not self._may_speak():
            return
        text = event.get("text") or ""
        if len(text.encode()) > LARGEST_MESSAGE:
            self.complain("too-large")
            return
        topic = ""
        try:
            match json.loads(text):
                case {"subscribe": str(topic)}:
                    await self._subscribe_or_close(topic)
                case {"unsubscribe": str(topic)}:
                    await self.unsubscribe(topic)
                case {"to": str(topic), "message": dict(message)}:
                    await self.speak(topic, message)
                case _:
                    self.complain("garbled")
        except (ValueError, RecursionError):
            self.complain("garbled")
        except topics.Refused:
            self.complain("refused", topic)
        except Exception:
            log.exception("a message failed", topic=topic)
            self.complain("failed", topic)

    async def _subscribe_or_close(self, topic: str) -> None:
        try:
            await self.subscribe(topic)
        except topics.Refused:
            raise
        except Exception:
            log.exception("a subscription failed", topic=topic)
            # A page that listens to nothing would wait for ever: closed, it comes back and asks for all again.
            self.push(TRY_AGAIN)

    async def subscribe(self, topic: str) -> None:
        if topic not in self.groups and len(self.groups) >= MOST_TOPICS:
            self.complain("too-many", topic)
            return
        audience = await in_thread(topics.audience)(self.visitor, topic)
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

    async def speak(self, topic: str, message: dict[str, Any]) -> None:
        answer = await in_thread(topics.receive)(self.visitor, topic, message)
        if answer:
            self.push(answer)

    async def leave_all(self) -> None:
        for task in self._checks:
            task.cancel()
        for topic in list(self.groups):
            await self.unsubscribe(topic)

    def recheck(self) -> None:
        task = asyncio.create_task(self._recheck())
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _recheck(self) -> None:
        """Is it still the same person, and may they still listen?"""
        store = import_module(settings.SESSION_ENGINE).SessionStore
        if (await get_user({"session": store(self._session_key)})).pk != self.visitor.pk:
            self.push(SOMEONE_ELSE)
            return
        for topic, group in list(self.groups.items()):
            try:
                audience = await in_thread(topics.audience)(self.visitor, topic)
                moved = audience.group != group
            except topics.Refused:
                moved = True
            if moved:
                await self.unsubscribe(topic)
                self.push(json.dumps({"unsubscribed": topic}))

    def complain(self, code: str, topic: str = "") -> None:
        error = {"error": code, "detail": ERRORS[code]} | ({"topic": topic} if topic else {})
        self.push(json.dumps(error))

    def _may_speak(self) -> bool:
        """A leaky bucket; the one complaint when it runs dry is all that a flood gets."""
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * PER_SECOND)
        self._counted = now
        if self._allowance >= 1:
            self._allowance -= 1
            return True
        if self._allowance >= 0:
            self._allowance = -1.0
            self.complain("too-fast")
        return False
