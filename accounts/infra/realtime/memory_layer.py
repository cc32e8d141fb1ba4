"""The channel layer of the embedded server: one process, one event loop, no copies."""

import asyncio
from collections import defaultdict
from itertools import count
from typing import Any

Message = dict[str, Any]


class MemoryLayer:
    """Used only on the server's loop (`publish` makes sure of that), so it needs no lock.

    Its queues are unbounded because their only reader, the hub, never waits; each socket has a bounded outbox.
    The layer of Channels copies every message for every socket and does not wake the loop when another thread sends.
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
        except asyncio.CancelledError:  # its only reader is gone
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
