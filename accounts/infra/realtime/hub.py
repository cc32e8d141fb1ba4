"""Passes frames on to sockets. This process joins a group once, however many of its sockets listen to it."""

import asyncio
import time
from collections import Counter, defaultdict
from contextlib import suppress
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import structlog
from channels.layers import get_channel_layer
from websockets.frames import Frame, Opcode

from accounts.infra.realtime.publish import channel_group_of, frame

log = structlog.get_logger("gauntlet.live")

# Sent to a listener that may have missed frames: it loads its state again.
RESYNC = frame("resync")
HEARTBEAT = 2.0
STALE_AFTER = 3 * HEARTBEAT
TIMEOUT = 5.0
MAX_PAUSE = 5.0


class Listener(Protocol):
    def push(self, text: str, wire: bytes | None = None) -> None: ...
    def recheck(self) -> None: ...


class Hub:
    """All groups of this process share one channel, which is always open.

    Without any subscription the Redis layer reads only ten times a second, and the first frame would be late.
    One reader also keeps frames in order across groups.
    """

    def __init__(self) -> None:
        self.members: defaultdict[str, set[Listener]] = defaultdict(set)
        self.last_heartbeat = 0.0
        self._layer = get_channel_layer()
        self._channel = ""
        self._carried: Counter[str] = Counter()
        self._turn = asyncio.Lock()

    async def join(self, group: str, listener: Listener) -> None:
        name = channel_group_of(group)
        async with self._turn:
            self._carried[name] += group not in self.members
            self.members[group].add(listener)
            if self._channel and self._carried[name] == len(self.members[group]) == 1:
                await self._request(self._layer.group_add(name, self._channel))

    async def leave(self, group: str, listener: Listener) -> None:
        name = channel_group_of(group)
        async with self._turn:
            if group not in self.members:  # it left before it had joined
                return
            self.members[group].discard(listener)
            if self.members[group]:
                return
            del self.members[group]
            self._carried[name] -= 1
            if not self._carried[name]:
                del self._carried[name]
                if self._channel:
                    await self._request(self._layer.group_discard(name, self._channel))

    async def run(self) -> None:
        """Listen for ever. After any failure, start again and make every listener load its state again."""
        pause = 0.1
        while True:
            try:
                await self._open()
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._receive())
                    tasks.create_task(self._send_heartbeats())
            except* Exception as failures:
                log.warning("hub restarts", errors=[repr(error) for error in failures.exceptions])
            pause = 0.1 if self.is_well() else min(pause * 2, MAX_PAUSE)
            self._channel = ""
            await asyncio.sleep(pause)

    def is_well(self) -> bool:
        return bool(self._channel) and time.monotonic() - self.last_heartbeat < STALE_AFTER

    async def _open(self) -> None:
        async with asyncio.timeout(TIMEOUT), self._turn:
            # New connections and a new reader: the old ones may be dead without an error.
            await self._layer.flush()
            channel = await self._layer.new_channel()
            for name in self._carried:
                await self._layer.group_add(name, channel)
            self._channel = channel
        self.last_heartbeat = time.monotonic()
        for listener in set().union(*self.members.values()):  # they may have missed frames
            listener.push(RESYNC)

    async def _receive(self) -> None:
        while True:
            self._deliver(await self._layer.receive(self._channel))

    def _deliver(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "frames", "frames": frames}:
                for group, text in frames:
                    self._fan_out(text, self.members.get(group))
            case {"type": "recheck", "group": group}:
                for listener in self.members.get(group, ()):
                    listener.recheck()
            case {"type": "heartbeat"}:
                self.last_heartbeat = time.monotonic()

    def _fan_out(self, text: str, listeners: set[Listener] | None) -> None:
        if not listeners:
            return
        wire = Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
        for listener in listeners:
            listener.push(text, wire)

    async def _send_heartbeats(self) -> None:
        """Send ourselves heartbeats: a dead layer raises no error."""
        while True:
            async with asyncio.timeout(TIMEOUT):
                await self._layer.send(self._channel, {"type": "heartbeat"})
            await asyncio.sleep(HEARTBEAT)
            if not self.is_well():
                raise ConnectionError("the channel layer has not answered")

    async def _request(self, request: Any) -> None:
        """Send a request to the layer. If that fails, the next restart joins every group again."""
        try:
            async with asyncio.timeout(TIMEOUT):
                await request
        except Exception as error:
            log.warning("channel layer out of reach", error=repr(error))
            self.last_heartbeat = min(self.last_heartbeat, time.monotonic() - STALE_AFTER)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def current() -> Hub:
    """The hub of the running loop; a server process has one loop and so one hub."""
    loop = asyncio.get_running_loop()
    with suppress(KeyError):
        return _hubs[loop]
    return _hubs.setdefault(loop, Hub())


def serving() -> bool:
    """Whether this process receives published frames. Safe to call from any thread."""
    return any(hub.is_well() for hub in list(_hubs.values()))
