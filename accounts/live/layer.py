"""The channel layer of the embedded house: one process, one event loop, nothing to copy."""

import asyncio
from collections import defaultdict
from itertools import count
from typing import Any

Message = dict[str, Any]


class MemoryLayer:
    """Only ever touched on the server's loop: `publish` sees to that, and so it needs no lock.

    Its queues have no bound because their only reader, the hub, never waits; the bound is in front of each socket.
    The layer that comes with Channels copies every message for every socket and does not wake the loop when
    another thread sends.
    """

    def __init__(self) -> None:
        self._numbers = count(1)
        self._channels: dict[str, asyncio.Queue[Message]] = {}
        self._groups: defaultdict[str, set[str]] = defaultdict(set)

    async def new_channel(self, prefix: str = "specific") -> str:
        channel = f"{prefix}.{next(self._numbers)}"
        self._channels[channel] = asyncio.Queue()
        return channel

    async def receive(self, channel: str) -> Message:
        try:
            return await self._channels[channel].get()
        except asyncio.CancelledError:  # its reader is gone, and nobody else reads it
            self._channels.pop(channel, None)
            raise

    async def send(self, channel: str, message: Message) -> None:
        if queue := self._channels.get(channel):
            queue.put_nowait(message)

    async def group_add(self, group: str, channel: str) -> None:
        self._groups[group].add(channel)

    async def group_discard(self, group: str, channel: str) -> None:
        self._groups[group].discard(channel)
        if not self._groups[group]:
            del self._groups[group]

    async def group_send(self, group: str, message: Message) -> None:
        for channel in self._groups.get(group, ()):
            await self.send(channel, message)

    async def flush(self) -> None:
        self._channels.clear()
        self._groups.clear()
