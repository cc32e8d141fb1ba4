"""A thousand spectators in one process: open sockets, count what arrives, and when."""

import asyncio
import json
import sys
import time
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

AT_ONCE = 50


async def watch(address: str, topic: str, seen: list[tuple[float, int]], opened: asyncio.Semaphore) -> None:
    """One spectator: notes the time and the number of every frame that has one."""
    async with opened:
        home = Origin(address.replace("ws", "http", 1).removesuffix("/ws/"))
        socket: ClientConnection = await connect(address, origin=home, compression=None, max_size=None, open_timeout=60)
        if topic:
            await socket.send(json.dumps({"subscribe": topic}))
            await socket.recv()
    async for text in socket:
        # The number stands at the front of a frame: parsing a thousand copies would measure us, not the house.
        at = str(text).find('"v":', 0, 80)
        if at >= 0:
            seen.append((time.time(), int(str(text)[at + 4 :].split(",", 1)[0])))


async def crowd(address: str, topic: str, size: int) -> None:
    seen: list[tuple[float, int]] = []
    opened = asyncio.Semaphore(AT_ONCE)
    tasks = [asyncio.create_task(watch(address, topic, seen, opened)) for _ in range(size)]
    loop = asyncio.get_running_loop()
    while any(not task.done() for task in tasks) and opened._value < AT_ONCE:
        await asyncio.sleep(0.1)
    await asyncio.sleep(2)
    told: Any = {"ready": size}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.readline)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    sys.stdout.write(json.dumps(seen) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(crowd(sys.argv[1], sys.argv[2], int(sys.argv[3])))
