"""A thousand spectators in one process: open sockets, count what arrives, and when."""

import asyncio
import json
import sys
import time

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

AT_ONCE = 50


async def join(address: str, topic: str, limit: asyncio.Semaphore) -> ClientConnection:
    """Open a socket and wait until it listens to the topic."""
    async with limit:
        origin = Origin(address.replace("ws", "http", 1).removesuffix("/ws/"))
        socket: ClientConnection = await connect(
            address, origin=origin, compression=None, max_size=None, open_timeout=120, ping_interval=None
        )
        if topic:
            await socket.send(json.dumps({"subscribe": topic}))
            while "subscribed" not in json.loads(await socket.recv()):
                pass
        return socket


async def watch(socket: ClientConnection, seen: list[tuple[float, int]]) -> None:
    """One spectator: records the time and the number of every frame that has one."""
    async for text in socket:
        # The number is at the front of a frame. Parsing a thousand copies would measure this program, not the server.
        at = str(text).find('"v":', 0, 80)
        if at >= 0:
            seen.append((time.time(), int(str(text)[at + 4 : at + 12].split(",", 1)[0])))


async def spectators(address: str, topic: str, size: int) -> None:
    limit = asyncio.Semaphore(AT_ONCE)
    sockets = await asyncio.gather(*(join(address, topic, limit) for _ in range(size)))
    seen: list[tuple[float, int]] = []
    tasks = [asyncio.create_task(watch(socket, seen)) for socket in sockets]
    await asyncio.sleep(2)  # for the first frame of the table to arrive
    write_line({"ready": size})
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    write_line(seen)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def write_line(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    import uvloop

    uvloop.run(spectators(sys.argv[1], sys.argv[2], int(sys.argv[3])))
